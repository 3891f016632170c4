"""JobExtras: what few jobs need besides their data."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from mindviz.datavisual.evictable_caches import JobCaches
from mindviz.datavisual.logs.loading.retries import ReloadRetries
from mindviz.datavisual.series.findings import Finding, FindingKind


class JobExtras:
    """Locks, caches and findings of a job that was used."""

    __slots__ = ("caches", "read_findings", "reload", "reload_lock")

    def __init__(self) -> None:
        self.reload_lock = Lock()
        """Held while columns are read again."""
        self.reload = ReloadRetries()
        """Guarded by `reload_lock`."""
        self.caches = JobCaches()
        """Guarded by the budget's lock."""
        self.read_findings: dict[Finding, None] = {}
        """Findings from reading values, in order."""

    def problems(self, train_id: str) -> Sequence[Finding]:
        """Findings from reading values or columns of this job."""
        problems = list(self.read_findings)
        if reason := self.reload.problem:
            detail = f"{reason} Reading is retried when its points are requested."
            problems.append(Finding(FindingKind.UNREADABLE, train_id, detail=detail))
        return problems
