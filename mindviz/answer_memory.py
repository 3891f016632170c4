"""What answers in flight may take in memory, claimed by the code that puts them together.

Each request has a `Reservation` from the process's `AnswerBudget` until its response was sent.
Code of any layer calls `claim(nbytes)` as it adds so many bytes to an answer. Large answers are
long work. An answer for which there is no room waits, and nothing younger passes it; if it waits
too long, MemoryBusy is raised, which clients see as 503 with Retry-After. The oldest answer never
waits, so that one always gets through; other bounds limit the size of a single answer.

Without a server (CLI, notebooks, most tests) `claim` does nothing.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition

from mindviz.deadline import begin_long_work, check, is_long_work, waiting
from mindviz.errors import MemoryBusy

LONG_BYTES = 16 * 1024 * 1024
"""An answer that claims more is long work."""
MIN_BYTES = 64 * 1024 * 1024
"""Of all answers, however small `max_memory` is: a page asks for some megabytes at once."""
WAIT_SECONDS = 30.0
"""For room in the budget. A busy server has to answer within the deadline of a question."""
_CHECK_SECONDS = 0.1
"""Between two looks whether the client is still there."""


class AnswerBudget:
    """Bytes of all answers in flight. Thread-safe."""

    def __init__(self, max_bytes: int, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.max_bytes = max_bytes
        self._wait_seconds = wait_seconds
        self._lock = Condition()
        self._nbytes = 0
        self._waiting: set[Reservation] = set()
        """Those that wait for room."""
        self._holders: dict[Reservation, None] = {}
        """Those with claims, the oldest first."""

    @staticmethod
    def beside_columns(max_memory: int) -> AnswerBudget:
        """The budget of a process whose columns may take `max_memory`: half as much."""
        return AnswerBudget(max(MIN_BYTES, max_memory // 2))

    @property
    def nbytes(self) -> int:
        """Claimed by all answers."""
        return self._nbytes

    def take(self, holder: Reservation, nbytes: int, *, must_fit: bool) -> None:
        """Count so many bytes more for a holder. Raises MemoryBusy if they must fit and don't."""
        with self._lock:
            self._holders.setdefault(holder)
            if not must_fit or self._has_room(holder, nbytes):
                self._count(holder, nbytes)
                return
        try:
            self._take_in_turn(holder, nbytes)
        except BaseException:
            with self._lock:
                if not holder.nbytes:
                    self._holders.pop(holder, None)
                    self._lock.notify_all()
            raise

    def _take_in_turn(self, holder: Reservation, nbytes: int) -> None:
        begin_long_work()
        if not is_long_work():
            raise MemoryBusy(self.max_bytes)
        ends_at = time.monotonic() + self._wait_seconds
        with waiting(), self._lock:
            self._waiting.add(holder)
            try:
                while not self._has_room(holder, nbytes):
                    if time.monotonic() >= ends_at:
                        raise MemoryBusy(self.max_bytes)
                    self._lock.wait(_CHECK_SECONDS)
                    check()
                self._count(holder, nbytes)
            finally:
                self._waiting.discard(holder)
                self._lock.notify_all()

    def _count(self, holder: Reservation, nbytes: int) -> None:
        holder.nbytes += nbytes
        self._nbytes += nbytes

    def _has_room(self, holder: Reservation, nbytes: int) -> bool:
        """Whether a claim can be met now without passing an older answer that waits."""
        oldest = next(iter(self._holders))
        if oldest is holder:
            return True
        if self._nbytes + nbytes > self.max_bytes:
            return False
        older = itertools.takewhile(lambda one: one is not holder, self._holders)
        return self._waiting.isdisjoint(older)

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

    __slots__ = ("_advance", "_budget", "nbytes")

    def __init__(self, budget: AnswerBudget) -> None:
        self._budget = budget
        self._advance = 0
        """Bytes that are counted in already, but not claimed."""
        self.nbytes = 0

    def claim(self, nbytes: int) -> None:
        """Count in so many bytes. Raises MemoryBusy."""
        advance = min(nbytes, self._advance)
        self._advance -= advance
        nbytes -= advance
        if nbytes > 0:
            if self.nbytes + nbytes > LONG_BYTES:
                begin_long_work()
            self._budget.take(self, nbytes, must_fit=True)

    def await_turn(self) -> None:
        """As the function of this name."""
        if not self.nbytes:
            self._budget.take(self, LONG_BYTES, must_fit=True)
            self._advance = LONG_BYTES

    def unclaim(self, nbytes: int) -> None:
        """Take back a claim."""
        self._budget.shrink(self, nbytes)

    def cover(self, nbytes: int) -> None:
        """Hold at least so many bytes: of an answer that is there already."""
        if nbytes > self.nbytes:
            self._budget.take(self, nbytes - self.nbytes, must_fit=False)

    def release(self) -> None:
        """Give everything back; more than once does no harm."""
        self._advance = 0
        self._budget.give_back(self)


_current: ContextVar[Reservation | None] = ContextVar("mindviz_reservation", default=None)


def claim(nbytes: int) -> None:
    """Count so many bytes into the current answer. Raises MemoryBusy."""
    reservation = _current.get()
    if reservation is not None:
        reservation.claim(nbytes)


def await_turn() -> None:
    """Claim `LONG_BYTES` in advance, of which the next claims are taken.

    For long work, before it reads what it will claim: else it would hold that while it waits for
    its turn. Raises MemoryBusy.
    """
    reservation = _current.get()
    if reservation is not None and is_long_work():
        reservation.await_turn()


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
