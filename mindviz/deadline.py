"""How long a request may work, checked by the loops that do the work.

The server gives each request a `Work` with a deadline. Code of any layer:

- calls `check()` in every loop whose length a log or a query decides, about once per millisecond of
  work. It raises DeadlineExceeded, or Cancelled once the client has disconnected.
- calls `begin_long_work()` before work that may take more than 50 ms. The server then starts the
  request over in the pool for long work, so whatever came before must have no side effects.
  A route declared with `long=True` does this before its view is called.

Without a server (CLI, notebooks, tests without `limited`) both return at once. The current work is
a context variable: pass it to threads of your own with `contextvars.copy_context`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass

from mindviz.errors import Cancelled, DeadlineExceeded


class LongWorkAhead(BaseException):
    """Caught by the server alone: the request must continue in the pool for long work.

    A BaseException, so that no handler of errors on the way answers it.
    """


@dataclass(slots=True, eq=False)
class Work:
    """What one request may do; shared with the event loop, which may cancel it."""

    seconds: float
    """From arrival to deadline, waiting included."""
    ends_at: float
    """By `time.monotonic`."""
    is_short: bool = False
    """Whether long work must not begin here."""
    cancelled: bool = False
    """Whether nobody waits for the answer any more."""
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    """As the function of this name; set by what runs the work."""

    def move_to_long(self, seconds: float) -> None:
        """Let long work begin, which may take this long from now on."""
        self.is_short, self.seconds = False, seconds
        self.ends_at = time.monotonic() + seconds

    def check(self) -> None:
        """Raise Cancelled or DeadlineExceeded if there is no point in going on."""
        if self.cancelled:
            raise Cancelled
        if time.monotonic() > self.ends_at:
            raise DeadlineExceeded(self.seconds)


_current: ContextVar[Work | None] = ContextVar("mindviz_work", default=None)


def check() -> None:
    """Raise DeadlineExceeded or Cancelled if the current request should stop; takes 0.2 us."""
    work = _current.get()
    if work is not None:
        work.check()


def begin_long_work() -> None:
    """Continue in the pool for long work; returns at once if this is it, or there is no server."""
    work = _current.get()
    if work is not None:
        if work.is_short:
            raise LongWorkAhead
        work.check()


def is_long_work() -> bool:
    """Whether the current request may take long already; False without a server."""
    work = _current.get()
    return work is not None and not work.is_short


def waiting() -> AbstractContextManager[None]:
    """Let other work run inside the block, which waits for something that may take a while.

    Raises ServerBusy if too many wait.
    """
    work = _current.get()
    return nullcontext() if work is None else work.waiting()


@contextmanager
def doing(work: Work) -> Iterator[Work]:
    """Let `check` watch this work inside the block."""
    token = _current.set(work)
    try:
        yield work
    finally:
        _current.reset(token)


def allow(seconds: float, *, is_short: bool = False) -> Work:
    """Work that may take this long from now on."""
    return Work(seconds, time.monotonic() + seconds, is_short)


@contextmanager
def limited(seconds: float) -> Iterator[Work]:
    """Let the block work this long; an earlier deadline around it still counts."""
    outer = _current.get()
    work = allow(seconds)
    if outer is not None and outer.ends_at < work.ends_at:
        yield outer
        return
    with doing(work):
        yield work
