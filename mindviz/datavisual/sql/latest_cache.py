"""LatestCache: what was read of some train jobs, for as long as they do not change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic, Protocol, TypeVar

Details = TypeVar("Details")


class Versioned(Protocol):
    """A train job at one moment."""

    run_id: int
    version: int


class LatestCache(Generic[Details]):
    """Details by job; the least recently used ones are dropped. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[int, tuple[int, Details | None]] = OrderedDict()
        """run_id -> version of the job and its details; None if it has none."""

    def of(
        self,
        jobs: Collection[Versioned],
        read: Callable[[Collection[int]], Mapping[int, Details]],
        *,
        ahead: Iterable[Versioned] = (),
    ) -> Mapping[int, Details]:
        """run_id -> details of the jobs; if any must be read, those `ahead` are read, too."""
        found, missing = self._split(jobs)
        if missing:
            _, further = self._split(ahead)
            wanted = {job.run_id: job.version for job in (*missing, *further)}
            new = read(list(wanted))
            with self._lock:
                for run_id, version in wanted.items():
                    self._known[run_id] = version, new.get(run_id)
                    self._known.move_to_end(run_id)
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
            ids = {job.run_id for job in missing}
            found |= {run_id: details for run_id, details in new.items() if run_id in ids}
        return found

    def _split(self, jobs: Iterable[Versioned]) -> tuple[dict[int, Details], list[Versioned]]:
        found: dict[int, Details] = {}
        missing = []
        with self._lock:
            for job in jobs:
                version, details = self._known.get(job.run_id, (None, None))
                if version != job.version:
                    missing.append(job)
                elif details is not None:
                    self._known.move_to_end(job.run_id)
                    found[job.run_id] = details
        return found, missing
