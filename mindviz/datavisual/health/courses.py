"""The course of a whole series, and whether its progress has stopped.

Compiled like `detectors`, which says what code here must keep to.
"""

from __future__ import annotations

import math
from array import array

from mindviz.datavisual.health.smooth_curves import curves

_MOST = 32
"""Blocks of a course; then pairs of them become one."""
_FIRST = 5
"""As `smooth_curves.FIRST_STOP`."""
_RECENT = 4
"""Blocks before a stop whose progress counts, at least."""
_CORRELATED = 2.0
"""Variance of the blocks after a stop, relative to that of independent noise, up to which they are
level: a cycle or a drift has more."""
_CLEAR = 9.0
"""How many times the deviation of a block the progress before a stop is; oscillations have less."""
_PARAMETERS = 5
"""Of a curve that stops."""


class Course:
    """The means of up to 32 blocks that cover all points so far.

    At 20, 24, 28 and 32 blocks, compares the best of many curves that converge smoothly with the
    best one that stops, in the first 4/9. In noise, this tells more than the blocks around a stop.
    """

    def __init__(self) -> None:
        self.count = 0
        self.length = 1
        """Of a block, in units of what is pushed."""
        self._filled = 0
        """Of the block that is not complete."""
        self._means = array("d", bytes(8 * (_MOST + 1)))
        self._squares = array("d", bytes(8 * (_MOST + 1)))
        self._steps = array("q", bytes(8 * (_MOST + 1)))
        self._times = array("d", bytes(8 * (_MOST + 1)))
        self.stop_step = 0
        """The first step after the stop that was found last."""
        self.stop_time = 0.0
        """Its time."""
        self.stop_points = 0
        """Points from there on."""
        self.missing = 0.0
        """The share of the progress before that is missing after it."""

    def clear(self) -> None:
        """Begin again with the next block."""
        self.count = 0
        self.length = 1
        self._filled = 0

    def push(self, mean: float, square: float, points: int, step: int, time: float) -> bool:
        """Add a block of `points`; returns whether it completes 20, 24, 28 or 32 of them.

        `square` is the sum of the squared distances from `mean`.
        """
        if self.count == _MOST:
            self._pair(points)
        at = self.count
        if self._filled == 0:
            self._means[at] = mean
            self._squares[at] = square
            self._steps[at] = step
            self._times[at] = time
        else:
            apart = mean - self._means[at]
            share = 1.0 / (self._filled + 1)
            self._means[at] += apart * share
            self._squares[at] += square + apart * apart * points * self._filled * share
        self._filled += 1
        if self._filled < self.length:
            return False
        self._filled = 0
        self.count += 1
        return self.count >= 20 and self.count % 4 == 0

    def _pair(self, points: int) -> None:
        length = self.length * points
        self.count = _MOST // 2
        self.length *= 2
        for at in range(self.count):
            apart = self._means[2 * at + 1] - self._means[2 * at]
            self._squares[at] = (
                self._squares[2 * at] + self._squares[2 * at + 1] + 0.5 * length * apart * apart
            )
            self._means[at] = 0.5 * self._means[2 * at] + 0.5 * self._means[2 * at + 1]
            self._steps[at] = self._steps[2 * at]
            self._times[at] = self._times[2 * at]

    def stops(  # noqa: C901, PLR0912
        self, sign: float, threshold: float, share: float, points: int
    ) -> bool:
        """Whether progress stopped in the first 4/9; as many blocks as `push` reports.

        `points` is the number that each pushed block has, `sign` -1 where more is better, and
        `share` that of the progress that may be left. The stop must reduce the squared deviations
        from a smooth curve by `threshold` times the variance of a block.
        """
        count = self.count
        of = curves(count)
        hinges = of.hinges
        means = array("d", bytes(8 * count))
        center = 0.0
        for at in range(count):
            center += self._means[at] * sign / count
        whole = 0.0
        for at in range(count):
            means[at] = self._means[at] * sign - center
            whole += means[at] * means[at]
        best = 0.0
        found = 0
        smooth = -1.0
        for stop in range(_FIRST, 4 * count // 9 + 1):
            level = self._level(means, stop)
            slope = self._slope(means, stop)
            near = max(_RECENT, stop // 3)
            progress = -level
            for at in range(stop - near, stop):
                progress += means[at] / near
            progress /= 0.5 * near
            if progress <= 0.0 or abs(slope) > share * progress:
                continue
            white = self._white(stop, self.length * points)
            after = 0.0
            for at in range(stop, count):
                after += (means[at] - level) * (means[at] - level)
            after /= count - stop - 1
            if after > _CORRELATED * white:
                continue
            deviations = self._deviations(means, hinges, (stop - _FIRST) * 4 * count)
            variance = max(white, deviations / (count - _PARAMETERS))
            if after > white:
                variance *= after / white
            if whole - deviations <= threshold * variance:
                continue
            early = stop // 2 + 1
            gain = -level
            for at in range(early):
                gain += means[at] / early
            if gain <= _CLEAR * math.sqrt(variance):
                continue
            if smooth < 0.0:
                smooth = max(0.0, whole - self._explained(means, of.smooth, of.smooth_count))
            if smooth - deviations > max(threshold, best) * variance:
                best = (smooth - deviations) / max(variance, 1e-300)
                found = stop
                self.missing = 1.0 + slope / progress
        self.stop_step = self._steps[found]
        self.stop_time = self._times[found]
        self.stop_points = (count - found) * self.length * points
        return found > 0

    def _level(self, means: array[float], stop: int) -> float:
        """The mean from the stop on."""
        total = 0.0
        for at in range(stop, self.count):
            total += means[at]
        return total / (self.count - stop)

    def _slope(self, means: array[float], stop: int) -> float:
        """How much the means rise per block from the stop on, by least squares."""
        blocks = self.count - stop
        total = 0.0
        for at in range(blocks):
            total += (at - 0.5 * (blocks - 1)) * means[stop + at]
        return total * 12.0 / (blocks * (blocks * blocks - 1.0))

    def _white(self, stop: int, length: int) -> float:
        """The variance of a mean from the stop on, if noise were independent."""
        total = 0.0
        for at in range(stop, self.count):
            total += self._squares[at]
        return total / (self.count - stop) / ((length - 1.0) * length)

    def _deviations(self, means: array[float], hinges: array[float], begin: int) -> float:
        """Squared deviations from the curve that stops."""
        count = self.count
        rest = array("d", bytes(8 * count))
        for at in range(count):
            rest[at] = means[at]
        for vector in range(4):
            first = begin + vector * count
            part = 0.0
            for at in range(count):
                part += hinges[first + at] * means[at]
            for at in range(count):
                rest[at] -= part * hinges[first + at]
        total = 0.0
        for at in range(count):
            total += rest[at] * rest[at]
        return total

    def _explained(self, means: array[float], smooth: array[float], curves_: int) -> float:
        """Squares of the means that the best smooth curve explains."""
        products = array("d", bytes(8 * curves_))
        for at in range(self.count):
            first = at * curves_
            mean = means[at]
            for curve in range(curves_):
                products[curve] += mean * smooth[first + curve]
        most = 0.0
        for curve in range(curves_):
            most = max(most, products[curve])
        return most * most
