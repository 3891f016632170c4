"""LogLimit: lets a message that repeats through once in a while, with a count of the others.

An error that concerns every request, such as having no free file descriptor, would otherwise write
megabytes of tracebacks a second.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

INTERVAL = 10.0
"""Seconds between two messages of one kind."""
_MOST_KINDS = 1_000
"""Remembered; messages are made from a few templates."""

_Kind = tuple[str, int, str, type[BaseException] | None]
"""Logger, level, template and class of the error."""


class LogLimit(logging.Filter):
    """For handlers. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[_Kind, tuple[float, int]] = {}
        """When a message of each kind was let through, and how many were not since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a message; one that is written counts those that were not."""
        error = record.exc_info[0] if record.exc_info else None
        kind = (record.name, record.levelno, str(record.msg), error)
        now = self._clock()
        with self._lock:
            written, suppressed = self._seen.get(kind, (-INTERVAL, 0))
            if now < written + INTERVAL:
                self._seen[kind] = written, suppressed + 1
                return False
            if len(self._seen) >= _MOST_KINDS:
                self._seen.clear()
            self._seen[kind] = now, 0
        if suppressed:
            record.msg = f"{record.getMessage()} ({suppressed} more like this before)"
            record.args = None
        return True


def limit_repeats() -> None:
    """Limit what this process logs; more than once does no harm."""
    for handler in (*logging.getLogger().handlers, logging.lastResort):
        if handler is not None and not any(isinstance(one, LogLimit) for one in handler.filters):
            handler.addFilter(LogLimit())
