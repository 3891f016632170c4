"""AnswerBounds: maximum size of a generic answer."""

from __future__ import annotations

from dataclasses import dataclass

from mindviz.answer_memory import await_turn, claim
from mindviz.deadline import begin_long_work, check
from mindviz.errors import AnswerTooLarge

MIB = 1024 * 1024
KEY_BYTES = 200
"""Approximate size of a reference to a blob."""


SHORT_SERIES = 1000
"""Series that a short question may ask about; each takes up to 25 us."""


def check_series(count: int) -> None:
    """Continue as long work after SHORT_SERIES; call with the number of series so far.

    Raises as `deadline.begin_long_work`.
    """
    if count > SHORT_SERIES:
        begin_long_work()


@dataclass(frozen=True, slots=True)
class AnswerBounds:
    """What one answer may hold."""

    points: int = 32_000_000
    """Train jobs x tags x points."""
    bytes: int = 1024 * MIB
    """Of values and references."""
    tensor_bytes: int = 10 * MIB
    """Of one tensor; larger ones are left out of answers (tensor routes show them in slices)."""


class AnswerSize:
    """Size of one answer so far. Stores add to it as they read."""

    __slots__ = ("_bytes", "_points", "bounds")

    def __init__(self, bounds: AnswerBounds) -> None:
        await_turn()
        self.bounds = bounds
        self._points = 0
        self._bytes = 0

    def add(self, points: int, nbytes: int) -> None:
        """Add points and bytes before they are read.

        Raises AnswerTooLarge, which names the bound, and MemoryBusy.
        """
        check()
        claim(2 * nbytes)  # as arrays, and packed
        self._points += points
        self._bytes += nbytes
        if self._points > self.bounds.points:
            raise AnswerTooLarge(
                f"The answer would hold more than {self.bounds.points} points (train jobs x tags "
                "x points): ask for fewer, or downsample."
            )
        if self._bytes > self.bounds.bytes:
            raise AnswerTooLarge(
                f"The answer would hold more than {self.bounds.bytes} bytes: ask for fewer train "
                "jobs or tags, or downsample."
            )
