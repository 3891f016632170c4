"""CachedJob: one train job in the cache."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from threading import Lock

from mindviz.datavisual.evictable_caches import JobCaches
from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.loading.retries import ReloadRetries
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.logs.snapshots.known_tags import known_tags, note_tags
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.run_listing import ListedRun
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
        self._listed: tuple[TrainJobSnapshot, ListedRun] | None = None

    def report(self, finding: Finding) -> None:
        """Add a finding from reading a value, unless it is known."""
        self.read_findings.setdefault(finding, None)

    def drop_columns(self) -> None:
        """Free their memory; what is known without them stays published."""
        with self.commit_lock:
            if self.snapshot.resident:
                self.column_bytes = self.snapshot.nbytes
            self.loader.drop_columns()
            is_cached = self.loader.is_cached
            if is_cached:
                self._move_columns()
            if self.snapshot.resident or not is_cached:
                self.snapshot = self.snapshot.without_columns(cached=is_cached)

    def map_columns(self) -> TrainJobSnapshot | None:
        """The snapshot with the columns of the warm cache; None if they must be read from logs."""
        with self.commit_lock:
            if not self.loader.map_columns():
                return None
            self._move_columns()
            return self.snapshot if self.snapshot.resident else None

    def move_columns(self) -> None:
        """Let the snapshot use the columns where they are now."""
        with self.commit_lock:
            self._move_columns()

    def _move_columns(self) -> None:
        files = tuple(file.snapshot for file in self.loader.files)
        known = self.snapshot.files
        # Others are published by the next commit.
        if [_extent(file) for file in files] == [_extent(file) for file in known]:
            resident = all(file.is_resident for file in self.loader.files)
            self.snapshot = self.snapshot.moved(files, resident=resident)

    @property
    def status(self) -> CacheStatus:
        """As the REST contract names it."""
        if not self.begun or (self.snapshot.complete and not self.snapshot.cached):
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
    def listed(self) -> ListedRun:
        """The listing's row; the same object as long as nothing has changed."""
        snapshot = self.snapshot
        if self._listed is None or self._listed[0] is not snapshot:
            self._listed = snapshot, _listed(snapshot)
        listed = self._listed[1]
        more = len(self.read_findings) + bool(self.reload.problem)
        return listed._replace(problems=listed.problems + more) if more else listed

    @property
    def update_time(self) -> float:
        """Unix seconds: the newest mtime of its files."""
        return self.snapshot.update_time


def _extent(file: FileSnapshot) -> tuple[str, str, int, int]:
    return file.found.path, file.fingerprint, file.offset, file.series_count


def _listed(snapshot: TrainJobSnapshot) -> ListedRun:
    """As `info`, in less memory and time."""
    files = snapshot.found.files
    tags = None if "catalog" in vars(snapshot) else known_tags(snapshot.files)
    problems = snapshot.problems_of_files
    if tags is None:
        tags = snapshot.tags
        if len(snapshot.findings) == problems:
            note_tags(snapshot.files, tags)
        problems = len(snapshot.findings)
    return ListedRun(
        create_time=snapshot.create_time,
        update_time=snapshot.update_time,
        points=snapshot.points,
        bytes=sum(file.identity.size for file in files),
        files=len(files),
        lineage_files=sum(file.kind.name == "lineage" for file in files),
        problems=problems,
        formats=_formats(frozenset(file.format.name for file in files)),
        display_name=snapshot.label,
        session_status=snapshot.lineage.facts.session_status,
        tags=tags,
    )


@lru_cache(maxsize=64)
def _formats(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
