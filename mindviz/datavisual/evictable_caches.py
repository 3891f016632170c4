"""Evictable caches: memory that derived data takes, such as a graph built from a log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

Drop = Callable[[], None]
"""Gives the memory back. Called at most once, from any thread; must not ask for anything here."""


class JobCaches:
    """Those of one train job. Not thread-safe: whoever owns it has a lock."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[int, Drop]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of all of them."""
        return sum(nbytes for nbytes, _ in self._kept.values())

    def charge(self, key: Hashable, nbytes: int, drop: Drop) -> None:
        """Add one, in place of the one of this key."""
        self._drop(key)
        self._kept[key] = nbytes, drop

    def drop_all(self, *, but: Hashable = None) -> None:
        """Drop them, but for the one of this key."""
        for key in [key for key in self._kept if key != but]:
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            kept[1]()


class EvictableCaches:
    """Those of all jobs, within a budget: jobs that got none for the longest lose theirs first.

    Thread-safe. For storages that keep nothing else of a job in memory.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._of: dict[str, JobCaches] = {}
        self._lock = threading.Lock()

    def charge(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        """Add one, in place of the job's one of this key. It stays, however large it is."""
        with self._lock:
            newest = self._of[train_id] = self._of.pop(train_id, JobCaches())
            newest.charge(key, nbytes, drop)
            nbytes = sum(of_job.nbytes for of_job in self._of.values())
            for one in self._of.values():
                if nbytes <= self._max_bytes:
                    return
                nbytes -= one.nbytes
                one.drop_all(but=key if one is newest else None)
                nbytes += one.nbytes

    def drop_all(self, train_id: str) -> None:
        """Drop those of a job."""
        with self._lock:
            self._of.pop(train_id, JobCaches()).drop_all()
