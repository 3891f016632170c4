"""JobCache: the train jobs of a database that were read last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from mindviz.datavisual.sql.catalog import Shape
from mindviz.datavisual.sql.stored_jobs import StoredJob


class JobCache:
    """Jobs by train_id; the ones read first are dropped. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, StoredJob] = OrderedDict()
        self._updates = 0
        self.shapes: dict[int, Shape] = {}
        """Immutable rows by their keys."""

    @property
    def updates(self) -> int:
        """Number of calls of `update`."""
        return self._updates

    def found(self, train_ids: Iterable[str]) -> dict[str, StoredJob]:
        """The kept jobs among these."""
        with self._lock:
            jobs = self._jobs
            return {train_id: jobs[train_id] for train_id in train_ids if train_id in jobs}

    def add(self, jobs: Collection[StoredJob], updates: int) -> None:
        """Keep jobs that were read after this number of updates."""
        with self._lock:
            if updates != self._updates:
                return  # they may be outdated
            for job in jobs:
                self._jobs[job.train_id] = job
                self._jobs.move_to_end(job.train_id)
            while len(self._jobs) > self._most:
                self._jobs.popitem(last=False)
            if len(self.shapes) > self._most:
                self.shapes.clear()

    def following(self, train_id: str, most: int) -> Iterator[StoredJob]:
        """Jobs that were read together with this one; looked up on first use."""
        with self._lock:
            jobs = list(self._jobs.values())
        place = next((n for n, job in enumerate(jobs) if job.train_id == train_id), len(jobs))
        yield from islice(jobs, place, place + most)

    def update(self, changed: Collection[str] | None) -> Collection[str]:
        """Forget jobs that changed, None for all; returns those that may be gone."""
        with self._lock:
            self._updates += 1
            if changed is None:
                gone = list(self._jobs)
                self._jobs.clear()
                self.shapes = {}
                return gone
            for train_id in changed:
                self._jobs.pop(train_id, None)
            return ()
