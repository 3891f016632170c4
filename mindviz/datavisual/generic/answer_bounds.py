"""AnswerBounds: how much a generic answer may hold, and the selection of points that it does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mindviz.answer_memory import claim
from mindviz.datavisual.generic.series_query import (
    Downsample,
    IndexRange,
    SeriesQuery,
    StepRange,
)
from mindviz.datavisual.series import sampling
from mindviz.datavisual.series.columns import Float64s, Int64s
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


def step_slice(step: Int64s, steps: StepRange) -> slice:
    """The points of a series, whose steps rise strictly, that are in the range."""
    # Bounds beyond int64 would be no steps to numpy.
    first = 0 if steps.start is None else _position(step, steps.start, "left")
    end = len(step) if steps.end is None else _position(step, steps.end, "right")
    if steps.most_recent is not None:
        first = max(first, end - steps.most_recent)
    return slice(first, max(first, end))


def _position(step: Int64s, wanted: int, side: str) -> int:
    if not -(1 << 63) <= wanted < 1 << 63:
        return 0 if wanted < 0 else len(step)
    return int(np.searchsorted(step, wanted, side=side))  # type: ignore[call-overload]


def kept_ranks(
    total: int, downsample: Downsample | None, value: Float64s | None = None
) -> Int64s | None:
    """Which of `total` points are kept, ascending; None for all. `minmax` looks at the values."""
    if downsample is None or downsample.num_points >= total:
        return None
    count = downsample.num_points
    if downsample.strategy == "reservoir":
        return sampling.reservoir(total, count, downsample.seed)
    if downsample.strategy == "minmax" and value is not None and count:
        return sampling.minmax(value, count)
    return sampling.uniform(total, count)


def index_slice(indices: IndexRange, length: int) -> slice:
    """The elements of a sequence of this length that are in the range."""
    if indices.most_recent:
        return slice(max(0, length - 1), length)
    return slice(indices.start, length if indices.end is None else indices.end)
