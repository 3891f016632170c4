"""A memory budget for responses in flight.

Each request has a `Reservation` from the process's `AnswerBudget` until its response is sent. Code
of any layer calls `claim(nbytes)` as it adds data to a response. Large responses are long work. A
response that does not fit waits, and newer ones wait behind it; after a timeout, MemoryBusy is
raised, which becomes 503 with Retry-After. The oldest response never waits, so there is always
progress; other limits apply to the size of a single response.

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
"""A response that claims more is long work."""
MIN_BYTES = 64 * 1024 * 1024
"""Minimum budget, because a page requests some megabytes at once."""
WAIT_SECONDS = 30.0
"""Timeout, shorter than the deadline of long work."""
_CHECK_SECONDS = 0.1
"""Interval of checks whether the client is still connected."""


class AnswerBudget:
    """Counts the bytes of all responses in flight. Thread-safe."""

    def __init__(self, max_bytes: int, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.max_bytes = max_bytes
        self._wait_seconds = wait_seconds
        self._lock = Condition()
        self._nbytes = 0
        self._waiting: set[Reservation] = set()
        """Reservations that wait."""
        self._holders: dict[Reservation, None] = {}
        """Reservations with claims, oldest first."""

    @staticmethod
    def beside_columns(max_memory: int) -> AnswerBudget:
        """The budget of a process with this memory limit for columns: half of it."""
        return AnswerBudget(max(MIN_BYTES, max_memory // 2))

    @property
    def nbytes(self) -> int:
        """Total of all claims."""
        return self._nbytes

    def take(self, holder: Reservation, nbytes: int, *, must_fit: bool) -> None:
        """Add a claim. Raises MemoryBusy if it must fit but doesn't before the timeout."""
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
        """Whether a claim fits now, and no older response waits."""
        oldest = next(iter(self._holders))
        if oldest is holder:
            return True
        if self._nbytes + nbytes > self.max_bytes:
            return False
        older = itertools.takewhile(lambda one: one is not holder, self._holders)
        return self._waiting.isdisjoint(older)

    def shrink(self, holder: Reservation, nbytes: int) -> None:
        """Reduce the claims of a holder."""
        with self._lock:
            if holder in self._holders:  # otherwise released
                self._nbytes -= nbytes
                holder.nbytes -= nbytes
                self._lock.notify_all()

    def release(self, holder: Reservation) -> None:
        """Remove all claims of a holder."""
        with self._lock:
            self._holders.pop(holder, None)
            self._nbytes -= holder.nbytes
            holder.nbytes = 0
            self._lock.notify_all()


class Reservation:
    """The claims of one response."""

    __slots__ = ("_advance", "_budget", "nbytes")

    def __init__(self, budget: AnswerBudget) -> None:
        self._budget = budget
        self._advance = 0
        """Bytes taken from the budget, but not claimed yet."""
        self.nbytes = 0

    def claim(self, nbytes: int) -> None:
        """Add a claim. Raises MemoryBusy."""
        advance = min(nbytes, self._advance)
        self._advance -= advance
        nbytes -= advance
        if nbytes > 0:
            if self.nbytes + nbytes > LONG_BYTES:
                begin_long_work()
            self._budget.take(self, nbytes, must_fit=True)

    def await_turn(self) -> None:
        """Implements the function of this name."""
        if not self.nbytes:
            self._budget.take(self, LONG_BYTES, must_fit=True)
            self._advance = LONG_BYTES

    def unclaim(self, nbytes: int) -> None:
        """Reduce the claims."""
        self._budget.shrink(self, nbytes)

    def cover(self, nbytes: int) -> None:
        """Raise the claims to at least `nbytes` without waiting, for an existing response."""
        if nbytes > self.nbytes:
            self._budget.take(self, nbytes - self.nbytes, must_fit=False)

    def release(self) -> None:
        """Remove all claims; idempotent."""
        self._advance = 0
        self._budget.release(self)

    def part(self) -> Reservation:
        """The reservation of a response within this one, which waits and counts as this one."""
        return _Part(self, self._budget)


class _Part(Reservation):
    """Claims within another reservation: on its own, it would wait for the one it is part of."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Reservation, budget: AnswerBudget) -> None:
        super().__init__(budget)
        self._whole = whole

    def claim(self, nbytes: int) -> None:
        self._whole.claim(nbytes)
        self.nbytes += nbytes

    def await_turn(self) -> None:
        self._whole.await_turn()

    def unclaim(self, nbytes: int) -> None:
        self._whole.unclaim(nbytes)
        self.nbytes -= nbytes

    def cover(self, nbytes: int) -> None:
        more = nbytes - self.nbytes
        if more > 0:
            self._whole.cover(self._whole.nbytes + more)
            self.nbytes += more

    def release(self) -> None:
        self.unclaim(self.nbytes)


_current: ContextVar[Reservation | None] = ContextVar("mindviz_reservation", default=None)


def claim(nbytes: int) -> None:
    """Add a claim to the current response. Raises MemoryBusy."""
    reservation = _current.get()
    if reservation is not None:
        reservation.claim(nbytes)


def unclaim(nbytes: int) -> None:
    """Reduce the claims of the current response."""
    reservation = _current.get()
    if reservation is not None:
        reservation.unclaim(nbytes)


def new_reservation(budget: AnswerBudget) -> Reservation:
    """Of a response; within another one, a part of its reservation."""
    whole = _current.get()
    return Reservation(budget) if whole is None else whole.part()


def await_turn() -> None:
    """Take `LONG_BYTES` from the budget in advance, for the next claims.

    Long work calls this before it reads data, which would otherwise stay in memory while it waits.
    Raises MemoryBusy.
    """
    reservation = _current.get()
    if reservation is not None and is_long_work():
        reservation.await_turn()


@contextmanager
def holding(nbytes: int) -> Iterator[None]:
    """Claim bytes during the `with` block. Raises MemoryBusy."""
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
    """Make this the current reservation during the `with` block."""
    token = _current.set(reservation)
    try:
        yield
    finally:
        _current.reset(token)
