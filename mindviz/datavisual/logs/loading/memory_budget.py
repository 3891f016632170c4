"""MemoryBudget: which columns stay in memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from pathlib import Path
from threading import Condition, Lock
from typing import Protocol

from mindviz.datavisual.evictable_caches import Drop
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.deadline import SHORT_WAIT, begin_long_work
from mindviz.errors import TrainJobNotFound
from mindviz.freed_memory import trim_heaps

_TRIM_BYTES = 16 * 1024 * 1024
"""Of columns that are freed together, at most."""
_MOST_EMPTY = 1000
"""Jobs that stay queued although they have nothing left: 100,000 take 24 MB."""
LONG_RELOAD = 4 * 1024 * 1024
"""Bytes of columns. Reloading more is long work."""


@contextmanager
def held(lock: Lock) -> Iterator[None]:
    """Hold the lock; a long wait for it is long work."""
    while not lock.acquire(timeout=SHORT_WAIT):
        begin_long_work()
    try:
        yield
    finally:
        lock.release()


class Spill(Protocol):
    """Where columns go."""

    def keep_now(self, jobs: Sequence[CachedJob]) -> None:
        """Keep the columns of jobs, unless that fails."""


class MemoryBudget:
    """Limits the memory of the columns and caches of all jobs. Thread-safe."""

    def __init__(
        self, max_bytes: int, spill: Spill | None = None, scratch_folder: Path | None = None
    ) -> None:
        """`spill` keeps columns elsewhere before they are dropped.

        Without it, a job that alone exceeds the budget is read into files in `scratch_folder`.
        """
        self.max_bytes = max_bytes
        self._spill = spill
        self._scratch_folder = scratch_folder
        self._lock = Lock()
        """Acquired before a job's `commit_lock`, never inside."""
        self._jobs: Mapping[str, CachedJob] = {}
        self.nbytes = 0
        """Bytes of all jobs."""
        self._held = 0
        """Jobs that have any of them."""
        self._by_use: list[tuple[float, float, int, CachedJob]] = []
        """A heap of counted jobs by last use, last update and a unique number. A job that was used
        since is queued again when it comes out: sorting 100,000 for each that grows takes hours."""
        self._queued: set[CachedJob] = set()
        """Jobs in `_by_use`."""
        self._numbers = count()
        self._freed = 0
        """Bytes of columns and caches since the heaps were trimmed."""
        self._reserved = 0
        """Bytes of columns that are being reloaded."""
        self._released = Condition()
        """Guards `_reserved`; notified when it shrinks."""

    def follow(self, jobs: Mapping[str, CachedJob]) -> None:
        """Count these jobs from now on; caches of removed jobs are dropped."""
        with self._lock:
            removed = {self._jobs[train_id] for train_id in self._jobs.keys() - jobs.keys()}
            for job in removed:
                job.drop_caches()
            if removed:
                self._by_use = [entry for entry in self._by_use if entry[-1] not in removed]
                heapify(self._by_use)
                self._queued -= removed
            self._jobs = jobs
            self.nbytes = sum(job.nbytes for job in jobs.values())
            self._held = sum(job.nbytes > 0 for job in jobs.values())

    def charge_cache(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        """See `Store.charge_cache`."""
        with self._lock:
            # Under the lock: the caches of a job that is removed meanwhile are dropped after this.
            try:
                job = self._jobs[train_id]
            except KeyError:
                raise TrainJobNotFound(train_id, self._jobs) from None
            job.extras.caches.charge(key, nbytes, drop)
        self.count(job, newest=key)

    def count(self, grown: CachedJob, newest: Hashable = None) -> None:
        """Update a job's count, and drop columns and caches until the rest fits.

        Least recently used first, except `newest`, which is in use.
        """
        with self._lock:
            if self._jobs.get(grown.train_id) is not grown:
                return  # removed, and no longer counted
            self._recount(grown, grown.column_size + grown.cache_bytes)
            self._queue(grown)
            self._shrink(self._limit(self._reserved), newest_of=grown, newest=newest)

    @contextmanager
    def reserved(self, nbytes: int) -> Iterator[ScratchFile | None]:
        """Make room for columns that are about to be reloaded, or say where else they go.

        Waits while other reloads take too much memory.
        """
        if nbytes > LONG_RELOAD:
            begin_long_work()
        if nbytes > self.max_bytes and self._spill is None and self._scratch_folder is not None:
            yield ScratchFile(self._scratch_folder)
            return
        with self._released:
            while self._reserved and self._reserved + nbytes > self.max_bytes:
                if not self._released.wait(SHORT_WAIT):
                    begin_long_work()
            self._reserved += nbytes
            reserved = self._reserved
        try:
            with self._lock:
                self._shrink(self._limit(reserved))
            yield None
        finally:
            with self._released:
                self._reserved -= nbytes
                self._released.notify_all()

    def _limit(self, reserved: int) -> int:
        """Bytes of all jobs beside what is being reloaded, unless that is too large to be kept."""
        return self.max_bytes - reserved if reserved <= self.max_bytes else self.max_bytes

    def _shrink(
        self, limit: int, *, newest_of: CachedJob | None = None, newest: Hashable = None
    ) -> None:
        """Drop columns and caches, least recently used first, until `limit` bytes are left."""
        dropped: list[CachedJob] = []
        while self.nbytes > limit and (victims := self._least_used(self.nbytes - limit)):
            for job in victims:  # as columns that are in a file free little, and are read again
                before = job.cache_bytes
                job.drop_caches(but=newest if job is newest_of else None)
                self._freed += before - job.cache_bytes
                self._recount(job, job.column_size + job.cache_bytes)
            if self.nbytes > limit and self._spill is not None:
                self._spill.keep_now(victims)
            for job in victims:
                if self.nbytes <= limit:
                    break
                if self._spill is None:  # else it trims the heaps itself
                    self._freed += job.column_size
                job.drop_columns()
                self._recount(job, job.cache_bytes)
            dropped += victims
        for job in dropped:
            self._queue(job)
        if self._freed > min(_TRIM_BYTES, self.max_bytes // 32):
            self._freed = 0
            trim_heaps()

    def _least_used(self, nbytes: int) -> Sequence[CachedJob]:
        """Jobs with so many bytes in all, taken from `_by_use`.

        Of incomplete ones, the rest is spilled as it is read; without a spill, they come last.
        """
        victims: list[CachedJob] = []
        incomplete = []
        while self._by_use and nbytes > 0:
            last_used, _, _, job = heappop(self._by_use)
            self._queued.discard(job)
            if not job.complete:
                incomplete.append(job)
            elif job.last_used != last_used:
                self._queue(job)
            elif job.nbytes:
                victims.append(job)
                nbytes -= job.nbytes
        for job in incomplete:
            if nbytes > 0 and self._spill is None:
                victims.append(job)
                nbytes -= job.nbytes
            else:
                self._queue(job)
        return victims

    def _queue(self, job: CachedJob) -> None:
        if len(self._by_use) > 2 * self._held + _MOST_EMPTY:
            self._by_use = [entry for entry in self._by_use if entry[-1].nbytes]
            heapify(self._by_use)
            self._queued = {job for *_, job in self._by_use}
        if job.nbytes and job not in self._queued:
            self._queued.add(job)
            number = next(self._numbers)
            heappush(self._by_use, (job.last_used, job.update_time, number, job))

    def _recount(self, job: CachedJob, nbytes: int) -> None:
        self.nbytes += nbytes - job.nbytes
        self._held += bool(nbytes) - bool(job.nbytes)
        job.nbytes = nbytes
