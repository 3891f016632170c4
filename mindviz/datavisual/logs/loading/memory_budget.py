"""MemoryBudget: whose columns stay in memory, when there is no room for all of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from threading import Condition, Lock

from mindviz.datavisual.evictable_caches import Drop
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.deadline import begin_long_work
from mindviz.errors import TrainJobNotFound

SHORT_WAIT = 0.05
"""Seconds. A request that waits longer is long work."""


class MemoryBudget:
    """What the columns and caches of all jobs may take. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._lock = Lock()
        """Taken before a job's `commit_lock`, never inside of it."""
        self._jobs: Mapping[str, CachedJob] = {}
        self._nbytes = 0
        self._reserved = 0
        """Bytes of columns that are being read again."""
        self._released = Condition()
        """Guards `_reserved`; notified when it shrinks."""

    @property
    def nbytes(self) -> int:
        """What all jobs take."""
        return self._nbytes

    def follow(self, jobs: Mapping[str, CachedJob]) -> None:
        """Count these jobs from now on; what others keep of those that are gone is dropped."""
        with self._lock:
            for train_id in self._jobs.keys() - jobs.keys():
                self._jobs[train_id].caches.drop_all()
            self._jobs = jobs
            self._nbytes = sum(job.nbytes for job in jobs.values())

    def charge_cache(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        """See `Store.charge_cache`."""
        with self._lock:
            # Looked up in here: of a job that goes meanwhile the caches are dropped after this.
            try:
                job = self._jobs[train_id]
            except KeyError:
                raise TrainJobNotFound(train_id, self._jobs) from None
            job.caches.charge(key, nbytes, drop)
        self.count(job, newest=key)

    def count(self, grown: CachedJob, newest: Hashable = None) -> None:
        """Count what a job takes now, and drop columns and caches until the rest fits.

        Least recently used first. `newest` stays: it is in use now, however large.
        """
        with self._lock:
            if self._jobs.get(grown.train_id) is not grown:
                return  # it is gone, and so is what it counted for
            self._recount(grown, grown.snapshot.nbytes + grown.caches.nbytes)
            self._shrink(self.max_bytes, newest_of=grown, newest=newest)

    @contextmanager
    def reserved(self, nbytes: int) -> Iterator[None]:
        """Make room for columns that are about to be read again.

        Waits while others read so many that both together would not fit.
        """
        with self._released:
            while self._reserved and self._reserved + nbytes > self.max_bytes:
                if not self._released.wait(SHORT_WAIT):
                    begin_long_work()
            self._reserved += nbytes
            reserved = self._reserved
        try:
            if reserved <= self.max_bytes:  # else it is not kept
                with self._lock:
                    self._shrink(self.max_bytes - reserved)
            yield
        finally:
            with self._released:
                self._reserved -= nbytes
                self._released.notify_all()

    def _shrink(
        self, nbytes: int, *, newest_of: CachedJob | None = None, newest: Hashable = None
    ) -> None:
        """Drop columns and caches, least recently used first, until so many bytes are left."""
        if self._nbytes <= nbytes:
            return
        for job in sorted(self._jobs.values(), key=_last_of_use):
            if job.nbytes and job.snapshot.complete:
                job.drop_columns()
                job.caches.drop_all(but=newest if job is newest_of else None)
                self._recount(job, job.caches.nbytes)
                if self._nbytes <= nbytes:
                    return

    def _recount(self, job: CachedJob, nbytes: int) -> None:
        self._nbytes += nbytes - job.nbytes
        job.nbytes = nbytes


def _last_of_use(job: CachedJob) -> tuple[float, float]:
    return job.last_used, job.update_time
