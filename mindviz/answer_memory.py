"""What answers in flight may take in memory, claimed by the code that puts them together.

Each request has a `Reservation` from the process's `AnswerBudget` until its response was sent.
Code of any layer calls `claim(nbytes)` as it adds so many bytes to an answer. Large answers are
long work. One of them may wait for room in the budget; else MemoryBusy is raised, which clients see
as 503 with Retry-After. The oldest answer never waits and is never refused, so that one always gets
through; how large a single answer may be, other bounds say.

Without a server (CLI, notebooks, most tests) `claim` does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition

from mindviz.deadline import begin_long_work, check, is_long_work
from mindviz.errors import MemoryBusy

LONG_BYTES = 16 * 1024 * 1024
"""An answer that claims more is long work."""
WAIT_SECONDS = 20.0
_CHECK_SECONDS = 0.1
"""Between two looks whether the client is still there."""


class AnswerBudget:
    """Bytes of all answers in flight. Thread-safe."""

    def __init__(self, max_bytes: int, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.max_bytes = max_bytes
        self._wait_seconds = wait_seconds
        self._lock = Condition()
        self._nbytes = 0
        self._waits = False
        """Whether an answer waits for room."""
        self._holders: dict[Reservation, None] = {}
        """Those with claims, the oldest first."""

    @property
    def nbytes(self) -> int:
        """Claimed by all answers."""
        return self._nbytes

    def take(self, holder: Reservation, nbytes: int, *, must_fit: bool) -> None:
        """Count so many bytes more for a holder. Raises MemoryBusy if they must fit and don't."""
        with self._lock:
            self._holders.setdefault(holder)
            if must_fit:
                try:
                    self._wait_for_room(holder, nbytes)
                except BaseException:
                    if not holder.nbytes:
                        del self._holders[holder]
                    raise
            holder.nbytes += nbytes
            self._nbytes += nbytes

    def _wait_for_room(self, holder: Reservation, nbytes: int) -> None:
        if self._has_room(holder, nbytes):
            return
        # One at a time: the oldest answer needs a thread of the pool, too, to be sent.
        if self._waits or not is_long_work():
            raise MemoryBusy(self.max_bytes)
        ends_at = time.monotonic() + self._wait_seconds
        self._waits = True
        try:
            while not self._has_room(holder, nbytes):
                if time.monotonic() >= ends_at:
                    raise MemoryBusy(self.max_bytes)
                self._lock.wait(_CHECK_SECONDS)
                check()
        finally:
            self._waits = False

    def _has_room(self, holder: Reservation, nbytes: int) -> bool:
        return self._nbytes + nbytes <= self.max_bytes or next(iter(self._holders)) is holder

    def shrink(self, holder: Reservation, nbytes: int) -> None:
        """Count so many bytes less for a holder."""
        with self._lock:
            if holder in self._holders:  # else all of it was given back
                self._nbytes -= nbytes
                holder.nbytes -= nbytes
                self._lock.notify_all()

    def give_back(self, holder: Reservation) -> None:
        """Count nothing for a holder any more."""
        with self._lock:
            self._holders.pop(holder, None)
            self._nbytes -= holder.nbytes
            holder.nbytes = 0
            self._lock.notify_all()


class Reservation:
    """What one answer takes of a budget."""

    __slots__ = ("_budget", "nbytes")

    def __init__(self, budget: AnswerBudget) -> None:
        self._budget = budget
        self.nbytes = 0

    def claim(self, nbytes: int) -> None:
        """Count in so many bytes. Raises MemoryBusy."""
        if nbytes > 0:
            if self.nbytes + nbytes > LONG_BYTES:
                begin_long_work()
            self._budget.take(self, nbytes, must_fit=True)

    def unclaim(self, nbytes: int) -> None:
        """Take back a claim."""
        self._budget.shrink(self, nbytes)

    def cover(self, nbytes: int) -> None:
        """Hold at least so many bytes: of an answer that is there already."""
        if nbytes > self.nbytes:
            self._budget.take(self, nbytes - self.nbytes, must_fit=False)

    def release(self) -> None:
        """Give everything back; more than once does no harm."""
        self._budget.give_back(self)


_current: ContextVar[Reservation | None] = ContextVar("mindviz_reservation", default=None)


def claim(nbytes: int) -> None:
    """Count so many bytes into the current answer. Raises MemoryBusy."""
    reservation = _current.get()
    if reservation is not None:
        reservation.claim(nbytes)


@contextmanager
def holding(nbytes: int) -> Iterator[None]:
    """Count so many bytes into the current answer inside the block. Raises MemoryBusy."""
    reservation = _current.get()
    if reservation is None or not nbytes:
        yield
        return
    reservation.claim(nbytes)
    try:
        yield
    finally:
        reservation.unclaim(nbytes)


@contextmanager
def claiming(reservation: Reservation) -> Iterator[None]:
    """Let `claim` count into this reservation inside the block."""
    token = _current.set(reservation)
    try:
        yield
    finally:
        _current.reset(token)
