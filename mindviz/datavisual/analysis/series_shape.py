"""The shape of a series in words and numbers: its trend, noise and phases. Deterministic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s

BLOCKS = 16
"""Blocks of equally many points whose medians are compared."""
_SHARE = 0.02
"""Of the range of the medians: less is no change."""
_DEVIATIONS = 4.5
"""Standard errors of a median: a smaller difference of two is no change."""


class Trend(StrEnum):
    """Where a series goes from its first to its last block."""

    NONE = "no finite values"
    SHORT = "too few points"
    CONSTANT = "constant"
    LEVEL = "level"
    FALLING = "falling"
    RISING = "rising"
    MOSTLY_FALLING = "mostly falling"
    MOSTLY_RISING = "mostly rising"
    FLUCTUATING = "fluctuating, without a trend"


@dataclass(frozen=True, slots=True)
class Phase:
    """Consecutive blocks that change in the same direction."""

    direction: str
    """`falls`, `rises` or `level`."""
    row: int
    """The last point."""
    begins: float
    """Median of the block before the phase."""
    ends: float
    """Median of its last block."""


@dataclass(frozen=True, slots=True)
class SeriesShape:
    """The shape of a series."""

    trend: Trend
    noise: float
    """Robust standard deviation of the finite values around their course; NaN if unknown."""
    phases: tuple[Phase, ...]


def series_shape(value: Float64s) -> SeriesShape:
    """The shape of values in the order of their steps; NaN and infinities are left out."""
    rows = np.flatnonzero(np.isfinite(value))
    finite = value[rows]
    if len(finite) == 0:
        return SeriesShape(Trend.NONE, np.nan, ())
    if finite.min() == finite.max():
        return SeriesShape(Trend.CONSTANT, 0.0, ())
    if len(finite) < 4:
        return SeriesShape(Trend.SHORT, np.nan, ())
    # Halves: differences of huge values stay finite.
    halves = np.diff(finite / 2)
    noise = float(np.median(np.abs(halves - np.median(halves)))) * 2 * 1.4826 / np.sqrt(2)
    ends = np.cumsum([len(part) for part in np.array_split(rows, min(BLOCKS, len(rows) // 2))])
    medians = np.array([np.median(part) for part in np.split(finite, ends[:-1])])
    points = len(finite) / len(medians)
    error = _DEVIATIONS * 1.2533 * noise / np.sqrt(points)
    spread = float(medians.max() / 2 - medians.min() / 2) * 2
    least = max(error, _SHARE * spread)
    phases = tuple(_phases(medians, rows[ends - 1], least))
    return SeriesShape(_trend(medians, phases, error, spread), noise, phases)


def _phases(medians: Float64s, last_rows: Int64s, least: float) -> Iterator[Phase]:
    """Merge blocks whose medians change in the same direction."""
    words = []
    for before, after in pairwise(medians.tolist()):
        change = after - before
        words.append("level" if abs(change) <= least else "falls" if change < 0 else "rises")
    begin = 0
    for at, word in enumerate(words):
        if at + 1 < len(words) and words[at + 1] == word:
            continue
        yield Phase(word, int(last_rows[at + 1]), float(medians[begin]), float(medians[at + 1]))
        begin = at + 1


def _trend(medians: Float64s, phases: tuple[Phase, ...], error: float, spread: float) -> Trend:
    net = float(medians[-1] / 2 - medians[0] / 2) * 2
    if spread <= error:
        return Trend.LEVEL
    moved = sum(abs(phase.ends / 2 - phase.begins / 2) * 2 for phase in phases)
    share = abs(net) / moved if moved else 1.0
    if abs(net) <= error or share < 0.3:
        return Trend.FLUCTUATING
    if share >= 0.8:
        return Trend.FALLING if net < 0 else Trend.RISING
    return Trend.MOSTLY_FALLING if net < 0 else Trend.MOSTLY_RISING
