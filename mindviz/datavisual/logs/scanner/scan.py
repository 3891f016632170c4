"""Chooses the scanner: the compiled one where it was built, else its pure-Python twin.

A scanner walks a log file's bytes once and makes columns of them. It does no I/O: it says which
bytes it wants next and is fed them, so it can skip over an image without anybody reading it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Literal, Protocol

from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import ScanResult
from mindviz.datavisual.series.findings import Finding

ScannerName = Literal["native", "python"]

_MODULES: dict[ScannerName, str] = {
    "native": "mindviz.datavisual.logs.scanner._scan",
    "python": "mindviz.datavisual.logs.scanner._scan_python",
}


class Scanner(Protocol):
    """Contract of both scanners. One instance per file; not safe for concurrent calls."""

    def __init__(self, schema: WireSchema, path: str = "", *, verify_all: bool = False) -> None:
        """`path` is put into findings; `verify_all` checks the payload CRC of large records too."""

    @property
    def wanted(self) -> tuple[int, int]:
        """Offset and size of the next read. A read may return less (end of file) or more."""

    def feed(
        self,
        data: bytes | bytearray | memoryview,
        offset: int,
        file_size: int,
        descriptor: int = -1,
    ) -> bool:
        """Scan `data`, the file's bytes from `offset`, which must be the wanted offset.

        Returns whether more can be done now. If False, `stopped` says why, or the file is read to
        its end; feed again from `wanted` once the file has grown or changed. `file_size` limits
        the lengths that records may claim. With the `descriptor` of the open file, the scanner may
        do small reads itself.
        """

    @property
    def stopped(self) -> Finding | None:
        """Why reading stands still before the end of the file, if it does.

        TRUNCATED, ZERO_TAIL or BAD_LENGTH at the record's offset; withdrawn by the next success.
        """

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Records lost so far: at most 100 are named, the last one then counts the others."""

    def take(self) -> ScanResult:
        """Freeze and hand over what was found since the last call."""


@cache
def scanner_name() -> ScannerName:
    """Which scanner is in use unless another is asked for: `native` where it was built."""
    try:
        import_module(_MODULES["native"])
    except ImportError:
        return "python"
    return "native"


def make_scanner(
    schema: WireSchema,
    path: str = "",
    *,
    verify_all: bool = False,
    scanner: ScannerName | None = None,
) -> Scanner:
    """A scanner for one file, of the kind asked for. Raises ImportError if it was not built."""
    return _scanner_class(scanner or scanner_name())(schema, path, verify_all=verify_all)


@cache
def _scanner_class(name: ScannerName) -> type[Scanner]:
    found: type[Scanner] = import_module(_MODULES[name]).Scanner
    return found
