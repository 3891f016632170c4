"""Smooths a whole series. Pure functions of numpy arrays.

ema:W         exponential moving average of weight W (0 <= W < 1): the point k places back
              counts W^k. Normalized by the sum of the weights ("debiased").
twema:W       the same over distances of steps instead of places: the point d steps back counts
              W^(1000 d / r), where r is the range of the series' steps, rounded up to five
              binary digits. Series with uneven or different intervals are smoothed alike.
mean:N        mean of the N surrounding points (N >= 1; an even N has one more point behind);
              fewer at the ends.
gaussian:S    mean weighted by a Gaussian of standard deviation S (> 0) points, cut off at 4 S;
              normalized, also at the ends.

Non-finite points are skipped and keep their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, frexp, isqrt, ldexp
from typing import Literal, Self, get_args

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.errors import InvalidQuery

Kind = Literal["ema", "twema", "mean", "gaussian"]

LARGEST = {"ema": 0.9999, "twema": 0.9999, "mean": 1e6, "gaussian": 200.0}
"""Maximum strength; stronger smoothing gives a flat line or takes seconds."""
RANGE_OF_STEPS = 1000.0
RANGE_DIGITS = 5
"""Binary digits of the range of steps: while a series grows, few of its points change it."""
GAUSSIAN_REACH = 4.0
_LARGE = 1e150
"""Series with larger numbers are scaled first, because their sums may overflow."""
_SCALE = 2.0**600
"""A power of two, so that the division is exact."""


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A kind of smoothing and its strength."""

    kind: Kind
    strength: float
    """Weight, number of points or standard deviation, depending on the kind."""

    @property
    def looks_ahead(self) -> bool:
        """Whether every new point changes earlier smoothed values."""
        return self.kind in ("mean", "gaussian")

    def keeps_first(self, count: int, step: Int64s, value: Float64s) -> bool:
        """Whether the first `count` points are smoothed alike with and without those after them."""
        if self.kind != "twema":
            return not self.looks_ahead
        finite = np.isfinite(value)
        before, after = step[:count][finite[:count]], step[finite]
        return not len(before) or _range_of(before) == _range_of(after)

    def of(self, step: Int64s, value: Float64s) -> Float64s:
        """The smoothed values; arrays have the shape (n,), steps are ascending."""
        finite = np.isfinite(value)
        if not finite.all():
            smoothed = value.copy()
            smoothed[finite] = self._of_finite(step[finite], value[finite])
            return smoothed
        return self._of_finite(step, value)

    def _of_finite(self, step: Int64s, value: Float64s) -> Float64s:
        if len(value) < 2 or self.strength == 0.0:
            return value.copy()
        if np.abs(value).max() > _LARGE:
            with np.errstate(over="ignore"):  # rounding may exceed the largest float
                return _SCALE * self._of_finite(step, value / _SCALE)
        match self.kind:
            case "ema":
                return _decayed_mean(value, np.full(len(value), self.strength))
            case "twema":
                return _weights.of(step, self.strength).mean(value)
            case "mean":
                return _windowed_mean(value, int(self.strength))
            case "gaussian":
                return _gaussian_mean(value, self.strength)


def parse_smoothing(text: str) -> Smoothing:
    """Parse `ema:0.6`, for example. Raises InvalidQuery."""
    kind, _, strength_text = text.partition(":")
    try:
        strength = float(strength_text)
    except ValueError:
        strength = np.nan
    known = next((name for name in get_args(Kind) if name == kind), None)
    if known is not None:
        least_is_met = strength >= 0 if known.endswith("ema") else strength > 0
        if known == "mean":
            least_is_met = strength >= 1
        if least_is_met and strength <= LARGEST[known]:
            return Smoothing(known, strength)
    bounds = ", ".join(f"{name}:number up to {limit:g}" for name, limit in LARGEST.items())
    raise InvalidQuery(f"'smoothing' is {text!r}; it can be {bounds}.")


def _decayed_mean(value: Float64s, decay: Float64s) -> Float64s:
    """Mean of the points up to each; `decay[i]` is the factor for all points before point i."""
    mean: Float64s = _decayed_sum(value, decay) / _decayed_sum(np.ones(len(value)), decay)
    return mean


MOST_KEPT = 100_000
"""Points; the weights of longer series are not kept."""
MOST_GROWTH = 300.0
"""exp() of it, times the largest values and their number, is a float."""


@dataclass(frozen=True, slots=True, eq=False)
class _Weights:
    """Weights exp(-d) of the points before each, d being the difference of steps.

    They grow instead of decaying, so that cumulative sums are enough: a few operations per series,
    whatever its length. Pieces keep exp() finite.
    """

    step: Int64s
    strength: float
    pieces: Sequence[tuple[slice, float, Float64s, Float64s]]
    """Rows, weight of what precedes them, growth of the weight, and its sum relative to the row."""

    @classmethod
    def of(cls, step: Int64s, strength: float) -> Self:
        """The weights of a series with these steps."""
        distance = (step - step[0]) / _range_of(step)
        age = -np.log(strength) * RANGE_OF_STEPS * distance
        pieces = []
        start, weight = 0, 0.0
        while start < len(age):
            end = int(np.searchsorted(age, age[start] + MOST_GROWTH, side="right"))
            growth = np.exp(age[start:end] - age[start])
            kept = float(np.exp(age[start - 1] - age[start])) if start else 0.0
            sums = weight * kept + np.cumsum(growth)
            pieces.append((slice(start, end), kept, growth, sums))
            start, weight = end, sums[-1] / growth[-1]
        return cls(step, strength, pieces)

    def mean(self, value: Float64s) -> Float64s:
        """The mean of the points up to each."""
        mean = np.empty(len(value))
        total = 0.0
        for rows, kept, growth, sums in self.pieces:
            totals = total * kept + np.cumsum(value[rows] * growth)
            mean[rows] = totals / sums
            total = totals[-1] / growth[-1]
        return mean


def _range_of(step: Int64s) -> float:
    """The range of ascending steps, rounded up; at least 1."""
    mantissa, exponent = frexp(max(1, int(step[-1]) - int(step[0])))
    return ldexp(ceil(ldexp(mantissa, RANGE_DIGITS)), exponent - RANGE_DIGITS)


class _LastWeights:
    """The last weights: the series of a chart often have the same steps."""

    def __init__(self) -> None:
        self._last: _Weights | None = None

    def of(self, step: Int64s, strength: float) -> _Weights:
        """The weights of a series with these steps."""
        last = self._last  # another thread may replace it
        if last is None or last.strength != strength or not np.array_equal(last.step, step):
            last = _Weights.of(step, strength)
            self._last = last if len(step) <= MOST_KEPT else None
        return last


_weights = _LastWeights()


def _decayed_sum(value: Float64s, decay: Float64s) -> Float64s:
    """s[i] = s[i - 1] * decay[i] + value[i].

    Splits the points into about sqrt(n) rows, sums all rows at once, column by column, then adds
    what each row carries over: 2 sqrt(n) steps instead of n.
    """
    width = max(1, isqrt(len(value)))
    rows = ceil(len(value) / width)
    # Columns become contiguous rows; the padding adds nothing.
    sums = np.zeros((width, rows))
    shrunk = np.zeros((width, rows))
    padded = np.zeros(width * rows)
    padded[: len(value)] = value
    sums[:] = padded.reshape(rows, width).T
    padded[: len(value)] = decay
    shrunk[:] = padded.reshape(rows, width).T
    for column in range(1, width):
        sums[column] += sums[column - 1] * shrunk[column]
        shrunk[column] *= shrunk[column - 1]
    carried = np.zeros(rows)
    ends, shrinks = sums[-1], shrunk[-1]
    for row in range(1, rows):
        carried[row] = ends[row - 1] + carried[row - 1] * shrinks[row - 1]
    sums += shrunk * carried
    smoothed: Float64s = sums.T.reshape(-1)[: len(value)]
    return smoothed


def _windowed_mean(value: Float64s, width: int) -> Float64s:
    """Mean of the `width` points around each.

    Uses sums over pieces of one window's width, from both ends (van Herk's trick), because a
    running difference of sums loses digits of large values.
    """
    width = min(width, 2 * len(value))
    behind = width // 2
    pieces = ceil((len(value) + width) / width) + 1
    padded = np.zeros((pieces, width))
    counted = np.zeros((pieces, width))
    padded.reshape(-1)[behind : behind + len(value)] = value
    counted.reshape(-1)[behind : behind + len(value)] = 1.0
    mean: Float64s = _window_sums(padded)[: len(value)] / _window_sums(counted)[: len(value)]
    return mean


def _window_sums(pieces: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Float64s:
    """Sum of the `width` numbers from each on; `pieces` has the shape (number, width)."""
    width = pieces.shape[1]
    to_the_end = np.cumsum(pieces[:, ::-1], axis=1)[:, ::-1].reshape(-1)
    from_the_begin = np.cumsum(pieces, axis=1).reshape(-1)
    last = np.arange(len(to_the_end)) + width - 1
    inside = last < len(to_the_end)
    sums = to_the_end.copy()
    # A window at the start of a piece is that piece; others reach into the next piece.
    reaching = inside & (np.arange(len(sums)) % width != 0)
    sums[reaching] += from_the_begin[last[reaching]]
    return sums


def _gaussian_mean(value: Float64s, deviation: float) -> Float64s:
    reach = min(len(value) - 1, ceil(GAUSSIAN_REACH * deviation))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    within = slice(reach, reach + len(value))
    mean: Float64s = (
        np.convolve(value, weights)[within] / np.convolve(np.ones(len(value)), weights)[within]
    )
    return mean
