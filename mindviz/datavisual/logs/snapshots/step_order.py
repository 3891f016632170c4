"""Which points of a series count: restarts, late points, stray values and repeated steps.

A training that crashed resumes from a checkpoint and writes steps 81..100 again: the rewrite
counts, or the curve would jump back at 100. A single value behind the end is no rewrite. Nothing is
deleted: the result selects from the raw points.

The rule and its cases: docs/decisions/restarts.md.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

import numpy as np

from mindviz.datavisual.series.columns import Int64s

FROM_FIRST_STEP = int(np.iinfo(np.int64).max)
"""A declared restart without a step: it takes effect at the first step written."""


def counting_points(steps: Int64s) -> Int64s:
    """Indices of the points of one segment that count, by strictly increasing step.

    O(n) in numpy plus O(log n) per place where the steps go back.
    """
    n = len(steps)
    # Comparisons, not differences: steps may span all of int64.
    if n < 2 or (steps[1:] > steps[:-1]).all():
        return np.arange(n)
    # Of equal neighbors the later wins; after this every fall is strict.
    raw = np.flatnonzero(np.append(steps[1:] != steps[:-1], True))
    steps = steps[raw]
    falls = np.flatnonzero(steps[1:] < steps[:-1]) + 1
    kept = _Kept(steps)
    begin = 0
    for end in [*falls.tolist(), len(steps)]:
        kept.add_rising(begin, end)
        begin = end
    return raw[kept.indices()]


class _Kept:
    """The points that count so far: pieces of rising steps, and late points between them."""

    def __init__(self, steps: Int64s) -> None:
        self._array = steps
        self._steps = steps.data
        """The same with Python's ints, which are faster one by one."""
        self._pieces: list[tuple[int, int]] = []
        self._firsts: list[int] = []
        """The first step of each piece."""
        self._late: list[tuple[int, int]] = []
        """(step, index), sorted."""
        self._aside: tuple[int, int | None] | None = None
        """Last step and step distance of the points set aside last."""

    def add_rising(self, begin: int, end: int) -> None:
        """Add points begin..end, whose steps rise strictly."""
        if self._pieces:
            highest = self._steps[self._pieces[-1][1] - 1]
            first = self._steps[begin]
            if first == highest:
                self._supersede_from(first)
            elif first < highest:
                begin += self._add_behind(begin, end, highest)
        if begin < end:
            self._append(begin, end)

    def _append(self, begin: int, end: int) -> None:
        self._pieces.append((begin, end))
        self._firsts.append(self._steps[begin])

    def _add_behind(self, begin: int, end: int, highest: int) -> int:
        """Decide on points that begin below the highest step; how many are decided."""
        behind = bisect_right(self._steps, highest, begin, end) - begin
        first = self._steps[begin]
        if behind == 1:
            if self._has_room_for(first) and not self._continues_aside(first):
                insort(self._late, (first, begin))
            else:
                self._set_aside(first, None)
            return 1
        rising = self._array[begin:end]
        ended = behind == len(rising)
        if (ended and self._continues_aside(first)) or (
            not ended and _returns(rising, behind, highest, self._last_distance())
        ):
            widest = int(_distances(rising[:behind]).max())
            self._set_aside(self._steps[begin + behind - 1], widest)
            return behind
        self._supersede_from(first)
        self._aside = None
        return 0

    def _last_distance(self) -> int | None:
        """Distance of the two highest steps without late points; None if there is only one."""
        begin, end = self._pieces[-1]
        if end - begin > 1:
            return self._steps[end - 1] - self._steps[end - 2]
        if len(self._pieces) > 1:
            return self._steps[end - 1] - self._steps[self._pieces[-2][1] - 1]
        return None

    def _has_room_for(self, step: int) -> bool:
        """Whether a step lies between two that count and equals neither."""
        at = bisect_right(self._firsts, step) - 1
        if at < 0:
            return False
        begin, end = self._pieces[at]
        row = bisect_left(self._steps, step, begin, end)
        if row < end and self._steps[row] == step:
            return False
        place = bisect_left(self._late, (step, -1))
        return place == len(self._late) or self._late[place][0] != step

    def _continues_aside(self, step: int) -> bool:
        """Whether a step continues those set aside, such as validation during training."""
        if self._aside is None:
            return False
        last, distance = self._aside
        return distance is not None and 0 < step - last <= 2 * distance

    def _set_aside(self, last: int, distance: int | None) -> None:
        if distance is None and self._aside is not None and last > self._aside[0]:
            distance = last - self._aside[0]
        self._aside = last, distance

    def _supersede_from(self, step: int) -> None:
        while self._pieces:
            begin, end = self._pieces.pop()
            self._firsts.pop()
            cut = bisect_left(self._steps, step, begin, end)
            if cut > begin:
                self._append(begin, cut)
                break
        del self._late[bisect_left(self._late, (step, -1)) :]

    def indices(self) -> Int64s:
        """The points that count, by step."""
        pieces = [np.arange(begin, end) for begin, end in self._pieces]
        late = np.array([index for _, index in self._late], dtype=np.int64)
        indices = np.concatenate([*pieces, late])
        if not self._late:
            return indices
        by_step: Int64s = indices[np.argsort(self._array[indices], kind="stable")]
        return by_step


def _distances(steps: Int64s) -> Int64s:
    """Distances of strictly rising steps; those beyond int64 as its largest value."""
    distances = steps[1:].astype(np.uint64) - steps[:-1].astype(np.uint64)
    largest = np.uint64(np.iinfo(np.int64).max)
    return np.minimum(distances, largest).astype(np.int64)


def _returns(rising: Int64s, behind: int, highest: int, usual: int | None) -> bool:
    """Whether the earlier points continue after an excursion of the first `behind` points.

    They do if the next step follows the highest one at the usual distance, but does not fit the
    excursion: 1..100, 1..10, 101..200 are two counters, not a restart.
    """
    if usual is None or behind == len(rising):
        return False
    following = int(rising[behind])
    if following - highest > usual:
        return False
    jump = following - int(rising[behind - 1])
    if behind == 1:
        return jump > 2 * usual
    distances = _distances(rising[:behind])
    return jump > 2 * int(distances.max()) or (behind > 2 and 2 * jump < int(distances.min()))


def counting_points_of_segments(
    segments: Sequence[Int64s], declared: Sequence[int | None] = ()
) -> Int64s:
    """Like `counting_points`, over segments that follow each other in time.

    A later segment that goes back is a restart if it has a second step; then it replaces the
    earlier points with step >= its smallest. If `declared` has a step for a segment, it is a
    restart from there on without further evidence. Indices count through all segments in order.
    """
    if len(segments) == 1:
        return counting_points(segments[0])
    kept = np.empty(sum(map(len, segments)), dtype=np.int64)
    kept_steps = np.empty_like(kept)
    count = base = 0
    for number, steps in enumerate(segments):
        if len(steps):
            points = counting_points(steps)
            restart = declared[number] if declared else None
            cut, skipped = _joint(kept_steps[:count], steps[points], restart)
            points = points[skipped:]
            count = cut + len(points)
            kept[cut:count] = points + base
            kept_steps[cut:count] = steps[points]
        base += len(steps)
    return kept[:count]


def _joint(kept: Int64s, new: Int64s, restart: int | None) -> tuple[int, int]:
    """How many steps precede a later segment, and how many of its steps are set aside."""
    first = int(new[0])
    if restart is not None:
        return int(np.searchsorted(kept, min(first, restart))), 0
    if not len(kept) or first > kept[-1]:
        return len(kept), 0
    highest = int(kept[-1])
    if len(new) == 1 and first < highest:
        return len(kept), 1
    usual = highest - int(kept[-2]) if len(kept) > 1 else None
    behind = int(np.searchsorted(new, highest, side="right"))
    if first < highest and _returns(new, behind, highest, usual):
        return len(kept), behind
    return int(np.searchsorted(kept, first)), 0
