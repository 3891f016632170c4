"""Evictable caches: memory of derived data, such as a graph built from a log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

Drop = Callable[[], None]
"""Frees the memory. Called at most once, from any thread; must not call back into the caches."""


class JobCaches:
    """Caches of one train job. Not thread-safe."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[int, Drop]] = {}

    @property
    def nbytes(self) -> int:
        """Total bytes."""
        return sum(nbytes for nbytes, _ in self._kept.values())

    def charge(self, key: Hashable, nbytes: int, drop: Drop) -> None:
        """Add a cache; replaces the one with the same key."""
        self._drop(key)
        self._kept[key] = nbytes, drop

    def drop_all(self, *, but: Hashable = None) -> None:
        """Drop all caches except the one with this key."""
        for key in [key for key in self._kept if key != but]:
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            kept[1]()


class EvictableCaches:
    """Caches of all jobs within a budget; the least recently charged jobs are evicted first.

    Thread-safe. For stores that keep no other data of a job in memory.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._of: dict[str, JobCaches] = {}
        self._lock = threading.Lock()

    def charge(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        """Add a cache; replaces the job's cache with this key. It is kept, whatever its size."""
        with self._lock:
            newest = self._of[train_id] = self._of.pop(train_id, JobCaches())
            newest.charge(key, nbytes, drop)
            nbytes = sum(of_job.nbytes for of_job in self._of.values())
            for caches in self._of.values():
                if nbytes <= self._max_bytes:
                    return
                nbytes -= caches.nbytes
                caches.drop_all(but=key if caches is newest else None)
                nbytes += caches.nbytes

    def drop_all(self, train_id: str) -> None:
        """Drop the caches of a job."""
        with self._lock:
            self._of.pop(train_id, JobCaches()).drop_all()
