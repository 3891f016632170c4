"""Deadlines and cancellation of requests, checked by the loops that do the work.

The server gives each request a `Work` with a deadline. Code of any layer:

- calls `check()` in every loop whose length depends on logs or queries, about once per millisecond.
  It raises DeadlineExceeded, or Cancelled once the client has disconnected.
- calls `begin_long_work()` before work that may take more than 50 ms. The server then restarts the
  request in the pool for long work, so code before this call must have no side effects.
- calls `wait_for_change()` if the response should wait for news. The server then restarts the
  request when there is some, and holds no thread meanwhile.
- calls `let_requests_pass()` in background work, about once per millisecond.

Without a server (CLI, notebooks, most tests) all of them do nothing. The current work is a
context variable: pass it to new threads with `contextvars.copy_context`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass

from mindviz.errors import Cancelled, DeadlineExceeded

SHORT_WAIT = 0.05
"""Seconds. A request that waits longer is long work."""
_PAUSE_FACTOR = 9
"""Background work pauses for up to this many times as long as it worked."""
_LONGEST_PAUSE = 0.1
"""Seconds."""


class LongWorkAhead(BaseException):
    """Tells the server to restart the request in the pool for long work.

    A BaseException, so that error handlers do not catch it.
    """


Subscribe = Callable[[Callable[[], None]], Callable[[], None] | None]
"""Has a function called once, from any thread; returns a function that cancels this, or None if
there is nothing to wait for."""


class ChangeAhead(BaseException):
    """Tells the server to restart the request after a change; a BaseException as LongWorkAhead."""

    def __init__(self, subscribe: Subscribe) -> None:
        super().__init__()
        self.subscribe = subscribe


@dataclass(slots=True, eq=False)
class Work:
    """The deadline of one request; shared with the event loop, which may cancel it."""

    seconds: float
    """From arrival to deadline, including time in queues."""
    ends_at: float
    """In terms of `time.monotonic`."""
    is_short: bool = False
    """Whether long work must move to its own pool."""
    cancelled: bool = False
    """Whether the client has disconnected."""
    may_wait: bool = True
    """Whether it has not waited for a change yet."""
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    """Implements the function of this name; set by the pool that runs the work."""
    is_answered: bool = False
    """Whether background work pauses for it, also while no thread works on it."""

    def begin_answer(self) -> None:
        """Have background work pause from now on: the event loop needs the GIL several times."""
        if not self.is_answered:
            self.is_answered = True
            _requests.add(1)

    def end_answer(self) -> None:
        """Let background work go on; idempotent."""
        if self.is_answered:
            self.is_answered = False
            _requests.add(-1)

    def move_to_long(self, seconds: float) -> None:
        """Allow long work, with a new deadline."""
        self.is_short, self.seconds = False, seconds
        self.ends_at = time.monotonic() + seconds

    def begin_again(self) -> None:
        """Start over after waiting for a change."""
        self.may_wait = False
        self.ends_at = time.monotonic() + self.seconds

    def check(self) -> None:
        """Raise Cancelled or DeadlineExceeded if the work should stop."""
        if self.cancelled:
            raise Cancelled
        if time.monotonic() > self.ends_at:
            raise DeadlineExceeded(self.seconds)


class _Requests:
    """Requests that are being answered, without those that wait for something. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._resumed = threading.local()
        """Of each background thread, the monotonic time of its last pause."""

    def add(self, count: int) -> None:
        """Some began, or ended if negative."""
        with self._changed:
            self._running += count
            if not self._running:
                self._changed.notify_all()

    def wait(self) -> None:
        """As `let_requests_pass`."""
        if not self._running:
            return
        now = time.monotonic()
        worked = now - getattr(self._resumed, "at", now - _LONGEST_PAUSE)
        with self._changed:
            longest = min(_LONGEST_PAUSE, _PAUSE_FACTOR * worked)
            self._changed.wait_for(lambda: not self._running, longest)
        self._resumed.at = time.monotonic()


_requests = _Requests()
_current: ContextVar[Work | None] = ContextVar("mindviz_work", default=None)


def check() -> None:
    """Raise DeadlineExceeded or Cancelled if the current request should stop; takes 0.2 us."""
    work = _current.get()
    if work is not None:
        work.check()


def begin_long_work() -> None:
    """Continue in the pool for long work; does nothing there, or without a server."""
    work = _current.get()
    if work is not None:
        if work.is_short:
            raise LongWorkAhead
        work.check()


def wait_for_change(subscribe: Subscribe) -> None:
    """Restart the request when `subscribe`'s argument is called, or after some seconds, but once.

    Does nothing after the restart, or without a server.
    """
    work = _current.get()
    if work is not None and work.may_wait:
        raise ChangeAhead(subscribe)


def is_long_work() -> bool:
    """Whether the current request is in the pool for long work; False without a server."""
    work = _current.get()
    return work is not None and not work.is_short


def is_over() -> bool:
    """Whether the deadline of the current request has passed; False without a server."""
    work = _current.get()
    return work is not None and time.monotonic() > work.ends_at


@contextmanager
def ending_early(seconds: float) -> Iterator[None]:
    """Move the current deadline forward during the `with` block, to leave time for the rest."""
    work = _current.get()
    if work is None:
        yield
        return
    work.ends_at -= seconds
    try:
        yield
    finally:
        work.ends_at += seconds


@contextmanager
def waiting() -> Iterator[None]:
    """Let other work run during the `with` block, which waits for something slow.

    Raises ServerBusy if too many requests wait.
    """
    work = _current.get()
    if work is None:
        yield
        return
    with work.waiting():
        _requests.add(-1)
        try:
            yield
        finally:
            _requests.add(1)


def let_requests_pass() -> None:
    """Pause background work while requests are answered; in a request, does nothing.

    Otherwise, each time a request reads a file or takes a lock, it would wait for the GIL.
    """
    if _current.get() is None:
        _requests.wait()


@contextmanager
def doing(work: Work) -> Iterator[Work]:
    """Make this the current work during the `with` block."""
    token = _current.set(work)
    own = 0 if work.is_answered else 1
    _requests.add(own)
    try:
        yield work
    finally:
        _requests.add(-own)
        _current.reset(token)


def allow(seconds: float, *, is_short: bool = False) -> Work:
    """Work with a deadline in this many seconds."""
    return Work(seconds, time.monotonic() + seconds, is_short)
