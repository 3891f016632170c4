"""LogLimit: limits the rate of repeated log messages, and counts the suppressed ones.

An error that affects every request, such as a lack of file descriptors, would otherwise write
megabytes of tracebacks per second.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

INTERVAL = 10.0
"""Seconds between two messages of one kind."""
_MOST_KINDS = 1_000
"""Maximum number of kinds to track."""

_Kind = tuple[str, int, str, type[BaseException] | None]
"""Logger, level, template and class of the error."""


class LogLimit(logging.Filter):
    """A filter for handlers. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[_Kind, tuple[float, int]] = {}
        """Kind -> (time of the last written message, number of suppressed ones since)."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a message; appends the number of suppressed ones."""
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
            record.msg = f"{record.getMessage()} ({suppressed} similar messages suppressed)"
            record.args = None
        return True


def limit_repeats() -> None:
    """Add the limit to all handlers of this process; idempotent."""
    for handler in (*logging.getLogger().handlers, logging.lastResort):
        if handler is not None and not any(isinstance(one, LogLimit) for one in handler.filters):
            handler.addFilter(LogLimit())
