"""Versions: numbers that grow with every change of a cache."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from functools import partial
from threading import Lock


class Versions:
    """Thread-safe."""

    def __init__(self) -> None:
        # They grow across restarts, or browsers would confuse cached responses with current data.
        self._numbers = itertools.count(time.time_ns() // 1_000_000)
        self._lock = Lock()
        self.latest = 0
        """Grows with every change and across restarts."""
        self._calls: set[Callable[[], None]] = set()
        """What the next version calls."""

    def new(self) -> int:
        """A number that was never used, for a part of the cache."""
        return next(self._numbers)

    def bump(self) -> None:
        """Publish a change that has been made."""
        # After the change and under a lock, so versions never repeat nor precede their data.
        with self._lock:
            self.latest = next(self._numbers)
            calls, self._calls = self._calls, set()
        for call in calls:
            call()

    def when_changed(self, version: int, call: Callable[[], None]) -> Callable[[], None]:
        """As `Store.when_changed`."""
        with self._lock:
            if self.latest == version:
                self._calls.add(call)
                return partial(self._forget, call)
        call()
        return lambda: None

    def _forget(self, call: Callable[[], None]) -> None:
        with self._lock:
            self._calls.discard(call)
