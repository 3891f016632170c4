"""The detector of plateaus.

Compiled like `detectors`, which says what code here must keep to.
"""

from __future__ import annotations

import math
from array import array

from mindviz.datavisual.health.courses import Course
from mindviz.datavisual.health.detectors import Detector

_BLOCKS = 16
"""Blocks that are compared: 8 with progress, one in which it stops, and 7 without."""
_CURVING = 0.5
"""How much a smooth curve may bend within a window, relative to all points so far."""
_STEADY = 0.5
"""Progress that is steady was at least this share of itself before."""
_WAIT = 8
"""Blocks that a stop must last on; progress that resumes within them was an oscillation."""
_LONG_WAIT = 24
"""Likewise where progress was not steady before."""
_USUAL = 0.2
"""Such progress was at least this share of itself on average."""
_LASTING = 0.5
"""Share of the points before that a stop must last: progress is not steady to the last block."""
_RESUMED = 0.5
"""Blocks of progress below the level of the stop that count as resumed."""


_STOP = 0.6
"""Share of `z` squared by which a stop must explain a course better than a smooth curve does."""


class Plateau(Detector):
    """Progress that stops abruptly, or values that freeze.

    Compares means of consecutive blocks, at all block lengths: a parabola through the blocks before
    predicts the progress in those after, which smooth convergence makes. A stop is reported when it
    has lasted for more blocks. The size is the share of the predicted progress that is missing.
    """

    def __init__(self, share: float, z: float, points: int, frozen: int, sign: float) -> None:
        """`sign` is -1 for a metric such as accuracy, where more is better."""
        super().__init__()
        self._sign = sign
        self._share = share
        self._z = z
        self._block = points
        self._frozen = frozen
        self._levels = 0
        self._means = array("d")
        self._squares = array("d")
        self._block_steps = array("q")
        self._block_times = array("d")
        self._counts = array("q")
        self._waiting = array("q")
        self._floors = array("d")
        self._sizes = array("d")
        self._stops = array("q")
        self._stop_steps = array("q")
        self._stop_times = array("d")
        self._grow()
        self._course = Course()
        self._filled = 0
        self._mean = 0.0
        self._square = 0.0
        self._first_step = 0
        self._first_time = 0.0
        self._last = math.nan
        self._same = 0
        self._varied = 0
        self._same_step = 0
        self._same_time = 0.0
        self._quiet_until = 0
        self._seen = 0

    def push(self, step: int, time: float, value: float) -> None:
        """Evaluate a point."""
        if value - value != 0.0 or abs(value) > 1e150:
            return
        self._seen += 1
        self._freeze(step, time, value)
        if self._filled == 0:
            self._first_step = step
            self._first_time = time
            self._mean = 0.0
            self._square = 0.0
        self._filled += 1
        apart = value - self._mean
        self._mean += apart / self._filled
        self._square += apart * (value - self._mean)
        if self._filled == self._block:
            self._filled = 0
            self._complete(step, time)
            self._follow(step, time)

    def _freeze(self, step: int, time: float, value: float) -> None:
        if value != self._last:
            if self._open:
                self._close()
            self._last = value
            self._varied += 1
            self._same = 0
            self._same_step = step
            self._same_time = time
            return
        self._same += 1
        if self._same < self._frozen - 1:
            return
        if self._open:
            self._extend(step, time)
        elif self._varied > 2 * self._frozen and self._seen <= self._varied + self._same + (
            self._varied // 10
        ):
            self._begin(self._same_step, self._same_time, 1.0)
            self._extend(step, time)
            self._points = self._frozen

    def _grow(self) -> None:
        """Make room for four more block lengths."""
        self._levels += 4
        more = bytes(8 * 4 * _BLOCKS)
        self._means = array("d", bytes(self._means) + more)
        self._squares = array("d", bytes(self._squares) + more)
        self._block_steps = array("q", bytes(self._block_steps) + more)
        self._block_times = array("d", bytes(self._block_times) + more)
        few = bytes(8 * 4)
        self._counts = array("q", bytes(self._counts) + few)
        self._waiting = array("q", bytes(self._waiting) + few)
        self._floors = array("d", bytes(self._floors) + few)
        self._sizes = array("d", bytes(self._sizes) + few)
        self._stops = array("q", bytes(self._stops) + few)
        self._stop_steps = array("q", bytes(self._stop_steps) + few)
        self._stop_times = array("d", bytes(self._stop_times) + few)

    def _complete(self, step: int, time: float) -> None:
        """Add the block to level 0, and pairs of blocks to the levels above."""
        level = 0
        mean = self._mean
        square = self._square
        first_step = self._first_step
        first_time = self._first_time
        length = self._block
        while True:
            if level == self._levels:
                self._grow()
            base = level * _BLOCKS
            for at in range(base, base + _BLOCKS - 1):
                self._means[at] = self._means[at + 1]
                self._squares[at] = self._squares[at + 1]
                self._block_steps[at] = self._block_steps[at + 1]
                self._block_times[at] = self._block_times[at + 1]
            last = base + _BLOCKS - 1
            self._means[last] = mean
            self._squares[last] = square
            self._block_steps[last] = first_step
            self._block_times[last] = first_time
            self._counts[level] += 1
            if self._waiting[level] > 0:
                self._wait(level, mean, length, step, time)
            elif self._counts[level] >= _BLOCKS and self._seen >= self._quiet_until:
                self._compare(base, length)
            if self._counts[level] % 2:
                return
            apart = self._means[last] - self._means[last - 1]
            mean = 0.5 * self._means[last] + 0.5 * self._means[last - 1]
            square = self._squares[last] + self._squares[last - 1] + 0.5 * length * apart * apart
            first_step = self._block_steps[last - 1]
            first_time = self._block_times[last - 1]
            length *= 2
            level += 1

    def _follow(self, step: int, time: float) -> None:
        """Add the block to the course of the series, and report a stop there."""
        course = self._course
        is_due = course.push(
            self._mean, self._square, self._block, self._first_step, self._first_time
        )
        if not is_due or self._open:
            return
        threshold = _STOP * self._z * self._z
        if course.stops(self._sign, threshold, 2 * self._share, self._block):
            self._begin(course.stop_step, course.stop_time, course.missing)
            self._points = course.stop_points
            self._report(step, time, course.length * self._block)

    def _report(self, step: int, time: float, length: int) -> None:
        """Close the event, and begin again: a stop is reported once."""
        self._end_step = step
        self._end_time = time
        self._close()
        self._quiet_until = self._seen + 16 * length
        for level in range(self._levels):
            self._waiting[level] = 0
        self._course.clear()

    def _wait(self, level: int, mean: float, length: int, step: int, time: float) -> None:
        """Report a stop that has lasted; progress that resumes was an oscillation."""
        stalled = self._seen - self._stops[level]
        self._waiting[level] -= 1
        if mean * self._sign < self._floors[level]:
            self._waiting[level] = 0
        elif self._waiting[level] == 0 and stalled < _LASTING * self._stops[level]:
            self._waiting[level] = 1
        elif self._waiting[level] == 0 and not self._open:
            self._begin(self._stop_steps[level], self._stop_times[level], self._sizes[level])
            self._points = stalled
            self._report(step, time, length)

    def _compare(self, base: int, length: int) -> None:
        """Whether progress stops in block 8 or at its ends."""
        # A parabola through the blocks before, and a line through those after, by least squares.
        slope = 0.0
        curve = 0.0
        middle = 0.0
        for at in range(8):
            mean = self._means[base + at] * self._sign
            middle += mean / 8
            slope += (2 * at - 7) * mean / 84
            curve += (at * (at - 7) + 7) * mean / 168
        progress = -(slope + 8 * curve)  # at the end of the blocks before, per block
        if self._open or progress <= 0.0:
            return
        left = 0.0
        level = 0.0
        for at in range(7):
            mean = self._means[base + 9 + at] * self._sign
            left -= (at - 3) * mean / 28
            level += mean / 7
        if abs(left) > 0.5 * progress:
            return
        # How the means deviate from both, and how they would if the noise were independent.
        apart = 0.0
        for at in range(8):
            mean = self._means[base + at] * self._sign
            mean -= middle + (at - 3.5) * slope + (at * (at - 7) + 7) * curve
            apart += mean * mean
        for at in range(7):
            mean = self._means[base + 9 + at] * self._sign
            mean -= level - (at - 3) * left
            apart += mean * mean
        apart /= 10
        white = self._variance(base, length, slope) / length
        # Noise that block means share is correlated, and imitates trends.
        variance = max(white, apart * max(1.0, apart / white)) if white > 0.0 else apart
        noise = math.sqrt(variance)
        # Progress decays at the rate that it had, and faster within a long window.
        distance = 4.5
        decay = max(2 * curve / progress * distance, 0.0)
        span = 1.0 * _BLOCKS * length / self._seen  # compiled, integers would be truncated
        kept = math.exp(-decay - _CURVING * span * span)
        expected = progress * kept
        doubt = 0.405 * (1 + decay) * (1 + decay) + 0.857 * (1 + decay) + 0.482
        doubt = noise * math.sqrt(kept * kept * doubt + 0.036)
        if expected - left <= self._z * doubt:
            return
        if abs(left) > max(self._share * expected, 2 * 0.19 * noise):
            return
        at = base // _BLOCKS
        self._waiting[at] = self._blocks_to_wait(base, progress)
        self._floors[at] = level - _RESUMED * progress
        self._sizes[at] = 1.0 - left / expected
        self._stops[at] = self._seen - 8 * length
        self._stop_steps[at] = self._block_steps[base + 8]
        self._stop_times[at] = self._block_times[base + 8]

    def _blocks_to_wait(self, base: int, progress: float) -> int:
        """How long a stop must last on; 0 if there was hardly any progress before."""
        if self._was_steady(base, progress):
            return _WAIT
        # A loss that oscillates stalls in each period.
        return _LONG_WAIT if self._usual(base) >= _USUAL * progress else 0

    def _usual(self, base: int) -> float:
        """Average progress per block from the oldest block to those compared, at most 48 before."""
        level = base // _BLOCKS
        oldest = base
        blocks = 0.0
        for above in range(1, 3):
            if level + above < self._levels and self._counts[level + above] > 8 // above:
                begin = max(_BLOCKS - self._counts[level + above], 0)
                oldest = (level + above) * _BLOCKS + begin
                blocks = (_BLOCKS - begin) * 2.0 * above - 16
        if blocks <= 0.0:
            return 0.0
        return (self._means[oldest] - self._means[base]) * self._sign / blocks

    def _was_steady(self, base: int, progress: float) -> bool:
        """Whether all stretches of 4 blocks before these made progress, as far back as 48 blocks.

        A drop after none, as when the learning rate is divided, ends as abruptly as it began.
        """
        level = base // _BLOCKS
        for above in range(1, 3):
            level += 1
            if level >= self._levels:
                break
            # Blocks here are 2 or 4 times as long; the last 8 or 4 are those that are compared.
            base += _BLOCKS
            lag = 2 // above
            begin = max(_BLOCKS - self._counts[level], 0)
            for at in range(begin, _BLOCKS - (_BLOCKS >> above) - lag):
                gain = (self._means[base + at] - self._means[base + at + lag]) * self._sign
                if gain < 4 * _STEADY * progress:
                    return False
        return True

    def _variance(self, base: int, length: int, slope: float) -> float:
        """Variance within the blocks before and after, without that of their trend."""
        total = 0.0
        trend = slope * slope / 12.0
        for at in range(_BLOCKS):
            if at == 8:
                continue
            within = self._squares[base + at] / (length - 1)
            total += max(within - 0.9 * trend, 0.1 * trend) if at < 8 else within
        return total / (_BLOCKS - 1)
