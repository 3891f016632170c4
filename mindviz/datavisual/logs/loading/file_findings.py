"""The findings of a log file."""

from __future__ import annotations

from collections.abc import Iterator

from mindviz.datavisual.logs.log_file import reason
from mindviz.datavisual.series.findings import Finding, FindingKind

_TIMELESS = (
    "Some points have a wall time that is not a finite number; they are served, without a time."
)


def reading_findings(
    path: str, offset: int, error: OSError | None, *, timeless: bool
) -> Iterator[Finding]:
    """Those of reading the file up to an offset, after those of its records."""
    if error is not None:
        detail = f"Reading failed ({reason(error)}); it is retried."
        yield Finding(FindingKind.UNREADABLE, path, offset, detail)
    if timeless:
        yield Finding(FindingKind.BAD_WALL_TIME, path, detail=_TIMELESS)
