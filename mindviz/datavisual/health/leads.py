"""Which series moved with an anomaly, and how long before: a gradient norm before the loss."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s

LOOK_BACK = 24
"""Points before an anomaly in which another series may have moved."""
LOOK_AHEAD = 2
"""Points from the anomaly on."""
BASELINE = 64
"""Points before these, which say how the series usually changes."""
_LEAST = 16
_Z = 12.0
"""A change this many times the usual ones counts as a move."""
LARGEST = 1e6
"""Sizes are clipped to this; also the size of a change to NaN or infinity."""
MOST = 10
"""Series listed per anomaly."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A series that changed at or shortly before an anomaly of another one."""

    tag: str
    step: int
    """Where it changed first."""
    lead: int
    """Steps before the anomaly; negative if after it."""
    size: float
    """The change in units of the usual changes; negative if it fell."""


def move(tag: str, step: Int64s, value: Float64s, at_step: int) -> Moved | None:
    """How this series moved at `at_step`; None if it did not, or has too few points.

    `step` is ascending.
    """
    at = int(np.searchsorted(step, at_step))
    begin = max(at - LOOK_BACK, 0)
    part = value[max(begin - BASELINE - 1, 0) : at + LOOK_AHEAD]
    with np.errstate(invalid="ignore", over="ignore"):
        changes = np.diff(part)
    before = len(changes) - (min(at + LOOK_AHEAD, len(value)) - begin)
    usual = changes[: max(before, 0)]
    usual = usual[np.isfinite(usual)]
    if len(usual) < _LEAST:
        return None
    recent = changes[before:]
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        center = _median(usual)
        spread = 1.4826 * _median(np.abs(usual - center))
        scale = max(spread, float(usual.max() - usual.min()) / 6)
        sizes = np.where(np.isfinite(recent), (recent - center) / scale, LARGEST)
    hits = np.flatnonzero(np.abs(sizes) > _Z)
    if not len(hits):
        return None
    first = int(step[begin + int(hits[0])])
    size = float(np.clip(sizes[hits[0]], -LARGEST, LARGEST))
    return Moved(tag, first, at_step - first, size)


def _median(values: Float64s) -> float:
    """Of values without NaN; `np.median` takes six times as long for so few."""
    middle = len(values) // 2
    if len(values) % 2:
        return float(np.partition(values, middle)[middle])
    below, above = np.partition(values, (middle - 1, middle))[middle - 1 : middle + 1].tolist()
    return float((below + above) / 2)


def ranked(moved: Iterable[Moved]) -> tuple[Moved, ...]:
    """The first to move first, ties by size; at most `MOST`."""
    order = sorted(moved, key=lambda one: (-one.lead, -abs(one.size), one.tag))
    return tuple(order[:MOST])
