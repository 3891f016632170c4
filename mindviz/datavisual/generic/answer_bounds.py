"""AnswerBounds: how much a generic answer may hold."""

from __future__ import annotations

from dataclasses import dataclass

from mindviz.answer_memory import await_turn, claim
from mindviz.datavisual.generic.series_query import IndexRange, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge, InvalidQuery

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class AnswerBounds:
    """What one answer may hold."""

    points: int = 32_000_000
    """Train jobs x tags x points."""
    bytes: int = 1024 * MIB
    """Of values and references."""
    tensor_bytes: int = 10 * MIB
    """Of one tensor; larger ones are left out of answers, and shown in slices."""


class AnswerSize:
    """Adds up one answer while it is made."""

    __slots__ = ("_bounds", "_bytes", "_points")

    def __init__(self, bounds: AnswerBounds) -> None:
        await_turn()
        self._bounds = bounds
        self._points = 0
        self._bytes = 0

    def add(self, points: int, nbytes: int) -> None:
        """Count in what is to be added.

        Raises AnswerTooLarge, which names the bound, and MemoryBusy.
        """
        check()
        claim(2 * nbytes)  # as arrays, and packed
        self._points += points
        self._bytes += nbytes
        if self._points > self._bounds.points:
            raise AnswerTooLarge(
                f"The answer would hold more than {self._bounds.points} points (train jobs x tags "
                "x points): ask for fewer, or downsample."
            )
        if self._bytes > self._bounds.bytes:
            raise AnswerTooLarge(
                f"The answer would hold more than {self._bounds.bytes} bytes: ask for fewer train "
                "jobs or tags, or downsample."
            )


def check_query(query: SeriesQuery) -> None:
    """Raise InvalidQuery for numbers that make no sense, whatever the data is."""
    steps, indices, downsample = query.steps, query.indices, query.downsample
    if steps.most_recent is not None and steps.most_recent < 0:
        raise InvalidQuery(f"There cannot be {steps.most_recent} most recent steps.")
    if indices.start < 0 or (indices.end is not None and indices.end < 0):
        raise InvalidQuery("Numbers of a sequence's elements begin at 0.")
    if downsample is None:
        return
    if downsample.num_points < 0:
        raise InvalidQuery(f"A series cannot be downsampled to {downsample.num_points} points.")
    if downsample.strategy not in ("uniform", "reservoir", "minmax"):
        raise InvalidQuery(
            f"{downsample.strategy!r} is not a sampling strategy; "
            "choose uniform, reservoir or minmax."
        )
    if downsample.strategy == "minmax" and query.data_class is not DataClass.SCALAR:
        raise InvalidQuery("Only scalars have smallest and largest points to keep.")
    if downsample.seed < 0:
        raise InvalidQuery("The seed of a reservoir is not negative.")


def index_slice(indices: IndexRange, length: int) -> slice:
    """The elements of a sequence of this length that are in the range."""
    if indices.most_recent:
        return slice(max(0, length - 1), length)
    return slice(indices.start, length if indices.end is None else indices.end)
