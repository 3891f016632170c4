"""CachedJob: one train job in the cache.

An idle job is *packed*: its row in lists, and its files in the format of the warm cache.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from threading import RLock

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.loading import packed_files
from mindviz.datavisual.logs.loading.job_extras import JobExtras
from mindviz.datavisual.logs.loading.listed_snapshot import info_of, listed_run, packed_job, sums_of
from mindviz.datavisual.logs.loading.recent_snapshots import RecentSnapshots
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.logs.warm.kept_file import PackedFile
from mindviz.datavisual.logs.warm.kept_job import KeptJob
from mindviz.datavisual.logs.warm.pack import DamagedPack, Place
from mindviz.datavisual.run_listing import ListedRun
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import JobLineage
from mindviz.datavisual.store import CacheStatus, TrainJobInfo

_LOCKS = tuple(RLock() for _ in range(64))


class CachedJob:
    """One train job in the cache."""

    __slots__ = (
        "_extras",
        "_found",
        "_is_cached",
        "_listed",
        "_loader",
        "_options",
        "_packed",
        "_recent",
        "_snapshot",
        "_version",
        "begun",
        "committed",
        "last_used",
        "nbytes",
        "pending",
        "uncounted",
    )

    def __init__(
        self,
        found: FoundJob,
        options: ScanOptions,
        recent: RecentSnapshots | None = None,
        kept: KeptJob | None = None,
        version: int = 0,
    ) -> None:
        """It is packed if it was `kept`; `recent` is shared by all jobs."""
        self._found = found
        self._options = options
        self._recent = recent or RecentSnapshots()
        self._packed = kept
        self._version = version
        """Of the snapshot, while the job is packed."""
        self._is_cached = True
        """As in its snapshot, while the job is packed."""
        self._loader: TrainJobLoader | None = None
        """None while the job is packed or unread."""
        self._snapshot: TrainJobSnapshot | None = None
        self.begun = kept is not None
        self.pending = 0
        """Files queued or being read."""
        self.committed = 0.0
        """Monotonic seconds of the last commit."""
        self.uncounted = 0
        """Bytes of columns read since then, or more."""
        self.nbytes = 0
        """What its columns and caches count for in the budget."""
        self.last_used = 0.0
        """Monotonic seconds; 0 if never used."""
        self._extras: JobExtras | None = None
        self._listed: tuple[int, ListedRun] | None = None
        """A row and its version; a snapshot here would keep columns that were dropped."""

    @property
    def train_id(self) -> str:
        """As in `FoundJob`."""
        return self._found.train_id

    @property
    def commit_lock(self) -> AbstractContextManager[bool]:
        """Guards loader and snapshot. Shared by some jobs: no thread holds those of two jobs."""
        return _LOCKS[hash(self._found.train_id) % len(_LOCKS)]

    @property
    def found(self) -> FoundJob:
        """The job as it was last found."""
        return self._found if (loader := self._loader) is None else loader.found

    def find_again(self, found: FoundJob) -> bool:
        """Take note of what an unread job has now; whether it is unread, with files."""
        with self.commit_lock:
            if not self.is_unread or not found.files:
                return False
            self._found = found
            return True

    # Packed or not ------------------------------------------------------------------------------

    @property
    def packed(self) -> KeptJob | None:
        """None unless the job is packed."""
        return self._packed

    @property
    def plain_version(self) -> int:
        """The version of a packed job, if lists need nothing else; -1 of others."""
        return self._version if self._packed is not None and self._extras is None else -1

    @property
    def is_unread(self) -> bool:
        """Whether nothing of it has been read: 100,000 unread loaders would take 400 MB."""
        return self._loader is None and self._packed is None

    @property
    def loader(self) -> TrainJobLoader:
        """Created for an unread job; unpacks a packed one."""
        loader = self._loader
        return loader if loader is not None else self._unpacked()[0]

    @loader.setter
    def loader(self, loader: TrainJobLoader) -> None:
        self._loader = loader

    @property
    def snapshot(self) -> TrainJobSnapshot:
        """The job as it is published."""
        snapshot = self._snapshot
        return snapshot if snapshot is not None else self._snapshot_now()

    @snapshot.setter
    def snapshot(self, snapshot: TrainJobSnapshot) -> None:
        self._snapshot = snapshot

    def pack(self) -> bool:
        """Pack the job, if possible; whether it is packed."""
        with self.commit_lock:
            loader, snapshot = self._loader, self._snapshot
            if loader is None or snapshot is None:
                return self._packed is not None
            found = loader.found
            if self.pending or not snapshot.complete or found.has_assets or snapshot.unread:
                return False
            if not self._is_published(loader) or not (snapshot.cached or snapshot.has_summaries):
                return False
            files = loader.packed()
            if files is None:
                return False
            packed = self.packed_as(packed_files.compressed(files, self._options))
            # In this order: others read without the lock.
            self._found, self._version, self._is_cached = found, snapshot.version, snapshot.cached
            self._packed = packed
            self._recent.forget(self)
            self._loader = self._snapshot = self._listed = None
            return True

    @property
    def as_packed(self) -> tuple[FoundJob, KeptJob | None]:
        """What was packed, and how; None if the job is not packed."""
        with self.commit_lock:
            return self.found, self._packed

    @property
    def is_listable(self) -> bool:
        """Whether the published row follows from the log files and their loaders alone."""
        loader, found = self._loader, self.found
        if loader is None or found.findings or found.has_assets or not found.files:
            return False
        return self._is_published(loader) and all(file.is_current for file in loader.files)

    def _is_published(self, loader: TrainJobLoader) -> bool:
        files = [file.snapshot.extent for file in loader.files]
        return files == [file.extent for file in self.snapshot.files]

    def packed_as(self, files: Sequence[Place | PackedFile]) -> KeptJob:
        """The job with its files at these places."""
        verified = all(file.verified for file in self.loader.files)
        listed, cached = self._listed_now(), self._options.warm is not None
        return packed_job(self.snapshot, listed, files, verified=verified, with_statistics=cached)

    def move(self, places: Sequence[Place], packed: KeptJob) -> None:
        """Its files are in the warm cache now, if it is still packed in the same way."""
        with self.commit_lock:
            if self._packed is packed:
                self._packed = packed.moved(places)

    def _unpacked(self) -> tuple[TrainJobLoader, TrainJobSnapshot]:
        with self.commit_lock:
            loader, snapshot, packed = self._loader, self._snapshot, self._packed
            if loader is not None and snapshot is not None:
                return loader, snapshot
            try:
                if packed is None:
                    loader = TrainJobLoader(self._found, self._options)
                else:
                    loader = TrainJobLoader.unpacked(self._found, self._options, packed)
            except DamagedPack:
                loader = TrainJobLoader.read_again(self._found, self._options)
            snapshot = loader.snapshot(self._version)
            self._snapshot, self._loader, self._packed = snapshot, loader, None
            self._recent.forget(self)
            return loader, snapshot

    def _snapshot_now(self) -> TrainJobSnapshot:
        snapshot = self._recent.find(self)
        if snapshot is not None:
            return snapshot
        with self.commit_lock:
            found, packed, version = self._found, self._packed, self._version
            if self.is_unread:
                return TrainJobSnapshot(found, (), version, complete=not found.files)
        with suppress(DamagedPack):
            if packed is not None:
                snapshot = packed_files.unpacked_snapshot(found, packed, version, self._options)
                self._recent.keep(self, snapshot)
                if self._packed is packed:
                    return snapshot
                self._recent.forget(self)
        return self._unpacked()[1]

    # Columns ------------------------------------------------------------------------------------

    def drop_columns(self) -> None:
        """Free their memory; what is known without them stays published."""
        with self.commit_lock:
            if self._packed is not None and not self._packed.nbytes:
                self._recent.forget(self)
                return
            self.loader.drop_columns()
            is_cached = self.loader.is_cached
            if is_cached:
                self._move_columns()
            if self.snapshot.resident or not is_cached:
                self.snapshot = self.snapshot.without_columns(cached=is_cached)

    def map_columns(self) -> TrainJobSnapshot | None:
        """The snapshot with the columns of the warm cache; None if they must be read from logs."""
        packed = self._packed
        if packed is not None:
            return self._mapped(packed)
        with self.commit_lock:
            if not self.loader.map_columns():
                return None
            self._move_columns()
            return self.snapshot if self.snapshot.resident else None

    def _mapped(self, packed: KeptJob) -> TrainJobSnapshot | None:
        options, known = self._options, self._recent.find(self)
        with self.commit_lock:
            found, version, is_current = self._found, self._version, self._packed is packed
        if options.warm is None or not is_current:
            return self.snapshot if self.snapshot.resident else None
        if known is not None and known.resident:
            return known
        with suppress(DamagedPack):
            snapshot = packed_files.mapped_snapshot(found, packed, version, options, known)
            self._recent.keep(self, snapshot)
            if self._packed is not packed:
                self._recent.forget(self)
            return snapshot
        return None

    def move_columns(self) -> None:
        """Let the snapshot use the columns where they are now."""
        with self.commit_lock:
            if self._loader is not None:
                self._move_columns()

    def _move_columns(self) -> None:
        # Others are published by the next commit.
        if self._is_published(self.loader):
            files = tuple(file.snapshot for file in self.loader.files)
            resident = all(file.is_resident for file in self.loader.files)
            self.snapshot = self.snapshot.moved(files, resident=resident)

    # What is known ------------------------------------------------------------------------------

    @property
    def extras(self) -> JobExtras:
        """Created on first use."""
        extras = self._extras
        if extras is None:
            with self.commit_lock:
                extras = self._extras = self._extras or JobExtras()
        return extras

    @property
    def cache_bytes(self) -> int:
        """Bytes of `caches`."""
        return 0 if self._extras is None else self._extras.caches.nbytes

    def drop_caches(self, *, but: Hashable = None) -> None:
        """Drop `caches` except the one with this key."""
        if self._extras is not None:
            self._extras.caches.drop_all(but=but)

    @property
    def read_findings(self) -> Sequence[Finding]:
        """Findings from reading values, in order."""
        return () if self._extras is None else list(self._extras.read_findings)

    def report(self, finding: Finding) -> None:
        """Add a finding from reading a value, unless it is known."""
        self.extras.read_findings.setdefault(finding, None)

    @property
    def column_size(self) -> int:
        """Bytes that its columns take now."""
        packed = self._packed
        return self.snapshot.nbytes if packed is None else packed.nbytes

    @property
    def complete(self) -> bool:
        """As in `TrainJobSnapshot`."""
        return self._packed is not None or self.snapshot.complete

    @property
    def status(self) -> CacheStatus:
        """As the REST contract names it."""
        complete = self.complete
        cached = self.snapshot.cached if self._packed is None else self._is_cached
        if not self.begun or (complete and not cached):
            return CacheStatus.NOT_IN_CACHE
        return CacheStatus.CACHED if complete else CacheStatus.CACHING

    @property
    def info(self) -> TrainJobInfo:
        """The listing's entry."""
        version = self._version  # first: what is newer than its version is listed again
        found, packed = self.as_packed
        info = None if packed is None else info_of(found, packed, version)
        info, status = info or self.snapshot.info, self.status
        if status is not info.cache_status:
            info = replace(info, cache_status=status)
        more = () if self._extras is None else self._extras.problems(self.train_id)
        return replace(info, problems=(*info.problems, *more)) if more else info

    @property
    def listed(self) -> ListedRun:
        """The listing's row."""
        packed, extras = self._packed, self._extras
        listed = self._listed_now() if packed is None else packed.listed
        more = 0 if extras is None else len(extras.problems(self.train_id))
        return listed._replace(problems=listed.problems + more) if more else listed

    def _listed_now(self) -> ListedRun:
        snapshot, known = self.snapshot, self._listed
        if self.is_unread:
            return listed_run(snapshot)
        if known is None or known[0] != snapshot.version:
            self._listed = known = snapshot.version, listed_run(snapshot)
        return known[1]

    @property
    def lineage(self) -> JobLineage:
        """The merged lineage facts of all files."""
        packed = self._packed
        if packed is None:
            return self.snapshot.lineage
        return JobLineage(self.train_id, self._version, *packed.times, packed.traits.facts)

    @property
    def overview(self) -> KeptJob | TrainJobSnapshot:
        """What has its times and its label, packed or not."""
        packed = self._packed
        return self.snapshot if packed is None else packed

    @property
    def version(self) -> int:
        """As in `TrainJobSnapshot`."""
        snapshot = self._snapshot
        return self._version if snapshot is None else snapshot.version

    @property
    def update_time(self) -> float:
        """As in `TrainJobSnapshot`."""
        packed = self._packed
        return self.snapshot.update_time if packed is None else packed.update_time

    @property
    def sums(self) -> tuple[int, int, int, int, int]:
        """Points, bytes, bytes read, files, problems of files."""
        packed = self._packed
        return sums_of(self.snapshot) if packed is None else packed.sums
