"""Retries: when a read that failed is tried again."""

from __future__ import annotations

import time

from mindviz.errors import LogUnreadable

_FIRST = 0.5
"""Seconds until the first retry; doubled by each further failure."""
LONGEST = 60.0
"""Seconds between retries, at most. Errors that are not transient are retried this often."""
_LONGEST_RELOAD = 10.0
"""Seconds. Clients wait for dropped columns: these are retried more often."""


def backoff(failures: int, longest: float = LONGEST) -> float:
    """Seconds to wait after so many failures in a row."""
    return min(longest, _FIRST * 2.0 ** min(failures - 1, 30))


class ReloadRetries:
    """Attempts to read the dropped columns of a train job. Guarded by its `reload_lock`."""

    def __init__(self) -> None:
        self.problem = ""
        """Why the last attempt failed; empty if it succeeded."""
        self._failures = 0
        self._due = 0.0
        """Monotonic seconds; until then the disk is left alone."""

    def check(self) -> None:
        """Raise the error of the last attempt, LogUnreadable, until the next one is due."""
        if self.problem and time.monotonic() < self._due:
            raise LogUnreadable(self.problem)

    def failed(self, problem: str) -> LogUnreadable:
        """Note a failure; the error to raise."""
        self.problem = problem
        self._failures += 1
        self._due = time.monotonic() + backoff(self._failures, _LONGEST_RELOAD)
        return LogUnreadable(problem)

    def succeeded(self) -> None:
        """Note that all could be read."""
        self.problem = ""
        self._failures = 0
