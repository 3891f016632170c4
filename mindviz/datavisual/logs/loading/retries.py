"""Retries: when a failed read is repeated."""

from __future__ import annotations

import time

from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot, unread_sentence
from mindviz.errors import LogUnreadable

_FIRST = 0.5
"""Seconds until the first retry, doubled by each further failure."""
LONGEST = 60.0
"""Seconds between retries, at most; the interval for errors that are not transient."""
_LONGEST_RELOAD = 10.0
"""Seconds. Shorter, since clients wait for dropped columns."""


def backoff(failures: int, longest: float = LONGEST) -> float:
    """Seconds to wait after this number of failures in a row."""
    return min(longest, _FIRST * 2.0 ** min(failures - 1, 30))


class ReloadRetries:
    """Attempts to reload the columns of a train job. Guarded by its `reload_lock`."""

    def __init__(self) -> None:
        self.problem = ""
        """Why the last attempt failed; empty if it succeeded."""
        self._failures = 0
        self._due = 0.0
        """Monotonic seconds of the next attempt."""

    def check(self) -> None:
        """Raise the LogUnreadable of the last attempt until the next one is due."""
        if self.problem and time.monotonic() < self._due:
            raise LogUnreadable(self.problem)

    def failed(self, problem: str) -> LogUnreadable:
        """Record a failure; returns the error to raise."""
        self.problem = problem
        self._failures += 1
        self._due = time.monotonic() + backoff(self._failures, _LONGEST_RELOAD)
        return LogUnreadable(problem)

    def succeeded(self) -> None:
        """Record a success."""
        self.problem = ""
        self._failures = 0


def lost(known: TrainJobSnapshot, reloaded: TrainJobSnapshot) -> str | None:
    """A sentence about a file that has become shorter or unreadable; None if none has."""
    offsets = {file.found.path: file.offset for file in known.files}
    for file in reloaded.files:
        if file.unread and file.offset < offsets.get(file.found.path, 0):
            return unread_sentence(file)
    return None


def is_as_long(one: TrainJobSnapshot, other: TrainJobSnapshot) -> bool:
    """Whether two snapshots have the same files, read equally far."""
    first, second = (
        [(file.found.path, file.fingerprint, file.offset) for file in snapshot.files]
        for snapshot in (one, other)
    )
    return first == second
