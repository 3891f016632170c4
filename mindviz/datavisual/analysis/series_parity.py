"""Compares two scalar series step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.errors import InvalidQuery

MAX_RANGES = 10
"""Ranges of missing steps listed per series."""
CONTEXT = 25
"""Points of a window on each side of the first difference."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Values are equal as in `math.isclose(a, b, rel_tol=rtol, abs_tol=atol)`, or both NaN.

    Zero compares exactly. Raises InvalidQuery for negative numbers and NaN.
    """

    rtol: float = 0.0
    atol: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if not 0 <= value < math.inf:
                raise InvalidQuery(f"{name} must be a finite number of at least 0, not {value}.")


EXACT = Tolerance()


@dataclass(frozen=True, slots=True)
class ValuePair:
    """The values of both series at a step."""

    step: int
    a: float
    b: float


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest difference and the first step that has it."""

    size: float
    step: int


@dataclass(frozen=True, slots=True)
class MissingSteps:
    """Steps that only one of the series has."""

    count: int = 0
    ranges: tuple[tuple[int, int], ...] = ()
    """First and last step of each gap, the first `MAX_RANGES`."""


@dataclass(frozen=True, slots=True)
class SeriesParity:
    """The result of comparing series A and B."""

    common_steps: int
    different_steps: int
    """Common steps with different values."""
    first: ValuePair | None
    """The first of the different steps."""
    largest_absolute: Largest | None
    """|a - b| over all common steps with two finite values; None if all of them are equal."""
    largest_relative: Largest | None
    """|a - b| / max(|a|, |b|), likewise."""
    non_finite_steps: int
    """Different steps where a value is NaN or infinite."""
    missing_a: MissingSteps
    """Steps of B that A lacks."""
    missing_b: MissingSteps
    window: tuple[int, int] | None = None
    """First and last step of a chart that shows `first_step` in context."""

    @property
    def equal(self) -> bool:
        """Whether both have the same steps with equal values."""
        return not (self.different_steps or self.missing_a.count or self.missing_b.count)

    @property
    def first_step(self) -> int | None:
        """The first step with different values, or that one series lacks."""
        steps = [gaps.ranges[0][0] for gaps in (self.missing_a, self.missing_b) if gaps.ranges]
        if self.first is not None:
            steps.append(self.first.step)
        return min(steps, default=None)


def compare_series(a: ScalarPoints, b: ScalarPoints, tolerance: Tolerance = EXACT) -> SeriesParity:
    """Compare the points of two series; in both, steps increase strictly."""
    in_a, in_b = _common(a.step, b.step)
    step, value_a, value_b = a.step[in_a], a.value[in_a], b.value[in_b]
    differs = ~_are_close(value_a, value_b, tolerance)
    finite = np.isfinite(value_a) & np.isfinite(value_b)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        absolute = np.where(finite, np.abs(value_a - value_b), 0.0)
        magnitude = np.maximum(np.abs(value_a), np.abs(value_b))
        relative = np.divide(absolute, magnitude, out=np.zeros(len(step)), where=absolute > 0)
    first = int(np.argmax(differs)) if differs.any() else None
    parity = SeriesParity(
        common_steps=len(step),
        different_steps=int(np.count_nonzero(differs)),
        first=None
        if first is None
        else ValuePair(int(step[first]), float(value_a[first]), float(value_b[first])),
        largest_absolute=_largest(absolute, step),
        largest_relative=_largest(relative, step),
        non_finite_steps=int(np.count_nonzero(differs & ~finite)),
        missing_a=_missing(b.step, in_b),
        missing_b=_missing(a.step, in_a),
    )
    return replace(parity, window=_window(max(a.step, b.step, key=len), parity.first_step))


def _window(steps: Int64s, step: int | None) -> tuple[int, int] | None:
    """Some points around a step, and the step itself."""
    if step is None:
        return None
    place = int(np.searchsorted(steps, step))
    first, last = max(0, place - CONTEXT), min(place + CONTEXT, len(steps) - 1)
    return min(step, int(steps[first])), max(step, int(steps[last]))


def _common(a: Int64s, b: Int64s) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which steps of each series the other one has, too."""
    if np.array_equal(a, b):
        return np.ones(len(a), np.bool_), np.ones(len(b), np.bool_)
    return _is_in(a, b), _is_in(b, a)


def _is_in(steps: Int64s, others: Int64s) -> NDArray[np.bool_]:
    if not len(others):
        return np.zeros(len(steps), np.bool_)
    places = np.searchsorted(others, steps).clip(max=len(others) - 1)
    found: NDArray[np.bool_] = others[places] == steps
    return found


def _are_close(a: Float64s, b: Float64s, tolerance: Tolerance) -> NDArray[np.bool_]:
    equal: NDArray[np.bool_] = (a == b) | (np.isnan(a) & np.isnan(b))
    if tolerance == EXACT:
        return equal
    with np.errstate(over="ignore", invalid="ignore"):
        difference = np.abs(b - a)
        close = (
            (difference <= np.abs(tolerance.rtol * b))
            | (difference <= np.abs(tolerance.rtol * a))
            | (difference <= tolerance.atol)
        )
    close &= ~(np.isinf(a) | np.isinf(b))
    return equal | close


def _largest(sizes: Float64s, step: Int64s) -> Largest | None:
    if not sizes.any():
        return None
    place = int(np.argmax(sizes))
    return Largest(float(sizes[place]), int(step[place]))


def _missing(steps: Int64s, is_common: NDArray[np.bool_]) -> MissingSteps:
    places = np.flatnonzero(~is_common)
    if not len(places):
        return MissingSteps()
    starts = places[np.diff(places, prepend=-2) > 1][:MAX_RANGES]
    ends = places[np.diff(places, append=len(steps) + 1) > 1][:MAX_RANGES]
    ranges = zip(steps[starts].tolist(), steps[ends].tolist(), strict=True)
    return MissingSteps(len(places), tuple(ranges))
