"""Selects points of a series: by range, then by sampling. Pure functions of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mindviz.datavisual.series import sampling
from mindviz.datavisual.series.columns import Float64s, Int64s

Restarts = Literal["latest", "all"]
"""Which points of a restarted run: those that count, or also those that a restart replaced."""

Strategy = Literal["uniform", "reservoir", "minmax"]


@dataclass(frozen=True, slots=True)
class StepRange:
    """Steps from `start` to `end`, limited to the last `most_recent` of them. None: no limit."""

    start: int | None = None
    end: int | None = None
    """Inclusive."""
    most_recent: int | None = None


@dataclass(frozen=True, slots=True)
class Downsample:
    """How many points of each series to keep, and how to choose them."""

    num_points: int
    """At least 0."""
    strategy: Strategy = "uniform"
    """`minmax` needs one number per step."""
    seed: int = 0
    """For `reservoir`."""


def step_slice(step: Int64s, steps: StepRange) -> slice:
    """The points in the range; `step` increases strictly."""
    # numpy cannot compare int64 with bounds outside of int64.
    first = 0 if steps.start is None else _position(step, steps.start, "left")
    end = len(step) if steps.end is None else _position(step, steps.end, "right")
    if steps.most_recent is not None:
        first = max(first, end - steps.most_recent)
    return slice(first, max(first, end))


def _position(step: Int64s, wanted: int, side: Literal["left", "right"]) -> int:
    if not -(1 << 63) <= wanted < 1 << 63:
        return 0 if wanted < 0 else len(step)
    return int(np.searchsorted(step, wanted, side=side))


def kept_ranks(
    total: int, downsample: Downsample | None, value: Float64s | None = None
) -> Int64s | None:
    """Indices, ascending, of the points kept of `total`; None for all. `minmax` needs `value`."""
    if downsample is None or downsample.num_points >= total:
        return None
    count = downsample.num_points
    if downsample.strategy == "reservoir":
        return sampling.reservoir(total, count, downsample.seed)
    if downsample.strategy == "minmax" and value is not None and count:
        return sampling.minmax(value, count)
    return sampling.uniform(total, count)
