"""Which points of a series count: restarts, late points and repeated steps.

A training that crashed resumes from a checkpoint and writes steps 81..100 a second time. Keep the
rewrite, or the curve jumps back at 100. A point that merely arrives late must not do that to its
successors. Nothing is thrown away here: the answer is a selection of the raw points.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np

from mindviz.datavisual.data_transform.columns import Int64s


def counting_points(steps: Int64s) -> Int64s:
    """Indices of the points of one segment that count, in order of strictly increasing step.

    Source: docs/decisions/restarts.md. A step beyond the highest is appended. An equal one
    replaces. One that goes back is a late point if its successor is beyond the highest again, or if
    it has none yet (it is sorted in), else a restart (it supersedes every step >= its own).

    Cost: O(n) in numpy plus O(log n) per place where the steps go back.
    """
    n = len(steps)
    # Comparisons, not differences: steps may span all of int64.
    if (steps[1:] > steps[:-1]).all():
        return np.arange(n)
    # Of equal neighbours the later wins; after this every fall is strict.
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
    """The points that count so far: pieces of rising steps, and late points beside them."""

    def __init__(self, steps: Int64s) -> None:
        self._steps = steps
        self._pieces: list[tuple[int, int]] = []
        self._late: list[tuple[int, int]] = []
        """(step, index), sorted."""

    def add_rising(self, begin: int, end: int) -> None:
        """Take in points begin..end, whose steps rise strictly."""
        if self._pieces:
            highest = int(self._steps[self._pieces[-1][1] - 1])
            first = int(self._steps[begin])
            if first < highest:
                follower = begin + 1
                if follower >= len(self._steps) or self._steps[follower] > highest:
                    insort(self._late, (first, begin))
                    begin = follower
                else:
                    self._supersede_from(first)
            elif first == highest:
                self._supersede_from(first)
        if begin < end:
            self._pieces.append((begin, end))

    def _supersede_from(self, step: int) -> None:
        while self._pieces:
            begin, end = self._pieces.pop()
            cut = begin + int(np.searchsorted(self._steps[begin:end], step))
            if cut > begin:
                self._pieces.append((begin, cut))
                break
        del self._late[bisect_left(self._late, (step, -1)) :]

    def indices(self) -> Int64s:
        """The points that count, by step; of equal steps the one written last."""
        pieces = [np.arange(begin, end) for begin, end in self._pieces]
        late = np.array([index for _, index in self._late], dtype=np.int64)
        indices = np.concatenate([*pieces, late])
        if not self._late:
            return indices
        steps = self._steps[indices]
        order = np.lexsort((indices, steps))
        ordered = steps[order]
        last_of_step = np.append(ordered[1:] != ordered[:-1], True)
        latest: Int64s = indices[order[last_of_step]]
        return latest


def counting_points_of_segments(segments: Sequence[Int64s]) -> Int64s:
    """As `counting_points`, over segments that follow each other in time.

    A later segment is a restart: it supersedes the earlier points with step >= its smallest.
    Indices count through all segments in their order.
    """
    if len(segments) == 1:
        return counting_points(segments[0])
    kept = np.empty(0, dtype=np.int64)
    kept_steps = np.empty(0, dtype=np.int64)
    base = 0
    for steps in segments:
        if len(steps):
            points = counting_points(steps)
            cut = int(np.searchsorted(kept_steps, steps[points[0]]))
            kept = np.concatenate([kept[:cut], points + base])
            kept_steps = np.concatenate([kept_steps[:cut], steps[points]])
        base += len(steps)
    return kept
