"""CachedJob: one train job in the cache."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from mindviz.datavisual.evictable_caches import JobCaches
from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.loading.file_loader import ScanOptions
from mindviz.datavisual.logs.loading.retries import ReloadRetries
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.store import CacheStatus, TrainJobInfo


class CachedJob:
    """One train job in the cache."""

    def __init__(self, found: FoundJob, options: ScanOptions) -> None:
        self.train_id = found.train_id
        self.loader = TrainJobLoader(found, options)
        self.snapshot = self.loader.snapshot(version=0)
        self.begun = False
        self.pending = 0
        """Files queued or being read."""
        self.committed = 0.0
        """Monotonic seconds of the last commit."""
        self.nbytes = 0
        """What its columns and caches count for in the budget."""
        self.column_bytes = 0
        """Size of its columns when they were last in memory as a whole."""
        self.last_used = 0.0
        """Monotonic seconds; 0 if never used."""
        self.commit_lock = Lock()
        self.reload_lock = Lock()
        self.reload = ReloadRetries()
        self.caches = JobCaches()
        """Guarded by the budget's lock."""
        self.read_findings: dict[Finding, None] = {}
        """Findings from reading values, in order."""

    def report(self, finding: Finding) -> None:
        """Add a finding from reading a value, unless it is known."""
        self.read_findings.setdefault(finding, None)

    def drop_columns(self) -> None:
        """Free their memory; what is known without them stays published."""
        with self.commit_lock:
            if self.snapshot.resident:
                self.column_bytes = self.snapshot.nbytes
            kept = self.snapshot.without_columns()
            self.loader.drop_columns()
            self.snapshot = kept

    @property
    def status(self) -> CacheStatus:
        """As the REST contract names it."""
        if not self.begun or (self.snapshot.complete and not self.snapshot.resident):
            return CacheStatus.NOT_IN_CACHE
        return CacheStatus.CACHED if self.snapshot.complete else CacheStatus.CACHING

    @property
    def info(self) -> TrainJobInfo:
        """The listing's entry; the same object as long as nothing has changed."""
        info, status = self.snapshot.info, self.status
        if status is not info.cache_status:
            info = replace(info, cache_status=status)
        problems = list(self.read_findings)
        if reason := self.reload.problem:
            detail = f"{reason} Reading is retried when its points are requested."
            problems.append(Finding(FindingKind.UNREADABLE, self.train_id, detail=detail))
        if problems:
            info = replace(info, problems=(*info.problems, *problems))
        return info

    @property
    def update_time(self) -> float:
        """Unix seconds: the newest mtime of its files."""
        return self.snapshot.update_time
