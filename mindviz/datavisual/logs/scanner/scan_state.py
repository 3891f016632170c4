"""ScanState: where a scan ended, so that another scanner can continue it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mindviz.datavisual.series.findings import Finding, FindingKind


class _Scanned(Protocol):
    """What a scanner, or its state, counts as lost."""

    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def stopped(self) -> Finding | None: ...


@dataclass(frozen=True, slots=True)
class ScanState:
    """Where a scan ended; to continue it takes the series table of the file, too."""

    offset: int
    """Everything before this file offset is done."""
    segment: int
    segment_has_data: bool
    too_many_segments: bool
    findings: tuple[Finding, ...]
    """As `Scanner.findings`."""
    stopped: Finding | None
    """As `Scanner.stopped`."""


def scan_findings(scan: _Scanned | None, *, is_text: bool) -> Sequence[Finding]:
    """All findings of a scan; `is_text` tells what the file begins with."""
    if scan is None:
        return ()
    stopped = scan.stopped
    if stopped is None:
        return scan.findings
    if stopped.offset == 0 and is_text:
        detail = "This is text (a git-lfs pointer, an error page?), not a log."
        stopped = replace(stopped, kind=FindingKind.NOT_A_LOG, detail=detail)
    return (*scan.findings, stopped)
