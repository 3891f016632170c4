"""The contract of scanners, and the choice of one: native if it was built, else Python.

A scanner turns the bytes of a log file into columns in one pass. It names the bytes it wants next
and is fed them, so it can skip large values.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib import import_module
from typing import Literal, Protocol

from mindviz.datavisual.logs.scanner.scan_state import ScanState
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import ScanResult, SeriesHead
from mindviz.datavisual.series.findings import Finding

ScannerName = Literal["native", "python"]

_MODULES: dict[ScannerName, str] = {
    "native": "mindviz.datavisual.logs.scanner._scan",
    "python": "mindviz.datavisual.logs.scanner._scan_python",
}


class Scanner(Protocol):
    """The scanner of one file. Not thread-safe."""

    def __init__(self, schema: WireSchema, path: str = "", *, verify_all: bool = False) -> None:
        """`path` is for findings; `verify_all` verifies the checksums of large records, too."""

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
        """Why reading stopped before the end of the file, if it did.

        TRUNCATED, ZERO_TAIL or BAD_LENGTH at the record's offset; None after the next success.
        """

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Records lost so far: up to 100, then one finding that counts the rest."""

    def take(self) -> ScanResult:
        """Freeze and return what was found since the last call."""

    @property
    def state(self) -> ScanState:
        """For `resume`, after `take`; an unfinished record is scanned again."""

    def resume(
        self, state: ScanState, series: Sequence[SeriesHead], described: Collection[int]
    ) -> None:
        """Continue another scan of the file; only for a new scanner.

        `series` is its series table, `described` are the ids of those with metadata.
        """


@cache
def scanner_name() -> ScannerName:
    """The default scanner: `native` if it was built."""
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
    """A scanner for one file. Raises ImportError if the requested `scanner` was not built."""
    return _scanner_class(scanner or scanner_name())(schema, path, verify_all=verify_all)


@cache
def _scanner_class(name: ScannerName) -> type[Scanner]:
    found: type[Scanner] = import_module(_MODULES[name]).Scanner
    return found
