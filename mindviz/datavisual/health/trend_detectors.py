"""Detectors of trends: divergence, plateaus, and a validation that leaves its training behind.

Compiled like `detectors`, which says what code here must keep to.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from mindviz.datavisual.health.detectors import Detector
from mindviz.datavisual.health.windows import Level, Window

_LEVELS = 40
"""Plateaus are looked for at block lengths of `points` times powers of two up to this."""
_BLOCKS = 8


class Divergence(Detector):
    """A loss that rises for good, and loses a share of what it had gained.

    The size is the rise in units of that gain, at the worst.
    """

    def __init__(self, share: float, z: float, points: int) -> None:
        super().__init__()
        self._share = share
        self._z = z
        self._least_points = points
        self._level = Level(points)

    def push(self, step: int, time: float, value: float) -> None:
        """Evaluate a point."""
        if value - value != 0.0:
            return
        level = self._level
        if level.push(step, time, value) or not level.is_known():
            if self._open:
                self._close()
            return
        gain = max(level.start - level.best, abs(level.best))
        if gain <= 0.0:
            return
        least = max(self._share * gain, self._z * level.noise)
        rise = level.now - level.best
        if self._open:
            if rise < 0.5 * least:
                self._close()
                return
            self._size = max(self._size, rise / gain)
            self._extend(step, time)
        elif rise > least:
            self._begin(level.oldest_step(), level.oldest_time(), rise / gain)
            self._extend(step, time)
            self._points = self._least_points


class Plateau(Detector):
    """Progress that stops abruptly, or values that freeze.

    Compares means of consecutive blocks, at all block lengths. The progress of four blocks, and how
    it slows down, predict that of later ones; smooth convergence is as predicted. The size is the
    share of the predicted progress that is missing.
    """

    def __init__(self, share: float, z: float, points: int, frozen: int, sign: float) -> None:
        """`sign` is -1 for a metric such as accuracy, where more is better."""
        super().__init__()
        self._sign = sign
        self._share = share
        self._z = z
        self._block = points
        self._frozen = frozen
        self._means = array("d", bytes(8 * _LEVELS * _BLOCKS))
        self._squares = array("d", bytes(8 * _LEVELS * _BLOCKS))
        self._block_steps = array("q", bytes(8 * _LEVELS * _BLOCKS))
        self._block_times = array("d", bytes(8 * _LEVELS * _BLOCKS))
        self._counts = array("q", bytes(8 * _LEVELS))
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

    def _complete(self, step: int, time: float) -> None:
        """Add the block to level 0, and pairs of blocks to the levels above."""
        level = 0
        mean = self._mean
        square = self._square
        first_step = self._first_step
        first_time = self._first_time
        length = self._block
        while level < _LEVELS:
            base = level * _BLOCKS
            for at in range(_BLOCKS - 1):
                self._means[base + at] = self._means[base + at + 1]
                self._squares[base + at] = self._squares[base + at + 1]
                self._block_steps[base + at] = self._block_steps[base + at + 1]
                self._block_times[base + at] = self._block_times[base + at + 1]
            last = base + _BLOCKS - 1
            self._means[last] = mean
            self._squares[last] = square
            self._block_steps[last] = first_step
            self._block_times[last] = first_time
            self._counts[level] += 1
            if self._counts[level] >= _BLOCKS and self._seen >= self._quiet_until:
                self._compare(base, length, step, time)
            if self._counts[level] % 2:
                return
            apart = self._means[last] - self._means[last - 1]
            mean = 0.5 * self._means[last] + 0.5 * self._means[last - 1]
            square = self._squares[last] + self._squares[last - 1] + 0.5 * length * apart * apart
            first_step = self._block_steps[last - 1]
            first_time = self._block_times[last - 1]
            length *= 2
            level += 1

    def _compare(self, base: int, length: int, step: int, time: float) -> None:
        """Blocks 0 to 3 predict blocks 5 to 7; progress stops in block 4 or at its ends."""
        first = (self._means[base] - self._means[base + 1]) * self._sign
        second = (self._means[base + 1] - self._means[base + 2]) * self._sign
        third = (self._means[base + 2] - self._means[base + 3]) * self._sign
        if min(first, second, third) <= 0.0:
            return
        noise = math.sqrt(self._variance(base, length) * 2 / length)
        if self._open or not min(first, second, third) > self._z * noise:
            return
        if third > 1.5 * second or second > 1.5 * first:
            return  # a drop, as of a loss when the learning rate is divided
        ratio = min(third / second, 1.0)
        # At least as slow as noise may hide, so that a turn is no stop.
        doubt = 1.5 * noise
        slowing = (third - doubt) * (first - doubt) / ((second + doubt) * (second + doubt))
        slowing = min(slowing, 1.0)
        # From block 5 to block 7: the fifth and sixth of these differences.
        ratio *= slowing
        expected = third * ratio
        ratio *= slowing
        expected *= ratio
        ratio *= slowing
        expected *= ratio
        expected += expected * ratio * slowing
        if expected < self._z * noise:
            return
        actual = (self._means[base + 5] - self._means[base + 7]) * self._sign
        if abs(actual) > self._share * expected:
            return
        if abs(self._means[base + 5] - self._means[base + 6]) > self._share * expected:
            return
        size = 1.0 - actual / expected
        self._begin(self._block_steps[base + 4], self._block_times[base + 4], size)
        self._end_step = step
        self._end_time = time
        self._points = 4 * length
        self._close()
        self._quiet_until = self._seen + 8 * length

    def _variance(self, base: int, length: int) -> float:
        """Variance within the blocks before and after, without that of their trend."""
        total = 0.0
        for at in range(_BLOCKS):
            if at == _BLOCKS // 2:
                continue
            low = max(at - 1, 0 if at < _BLOCKS // 2 else _BLOCKS // 2 + 1)
            high = min(at + 1, _BLOCKS // 2 - 1 if at < _BLOCKS // 2 else _BLOCKS - 1)
            slope = (self._means[base + high] - self._means[base + low]) / (high - low)
            trend = slope * slope / 12.0
            total += max(self._squares[base + at] / (length - 1) - 0.9 * trend, 0.1 * trend)
        return total / (_BLOCKS - 1)


class ValidationGap(Detector):
    """A validation metric that gets worse while its training metric still improves.

    `push` takes a validation point, `push_training` the training's. A validation point waits until
    the training has reached its step, so the result depends on no order between the two. The size
    is the loss in units of what the metric had gained.
    """

    def __init__(self, share: float, z: float, points: int, sign: float) -> None:
        """`sign` is -1 for a metric such as accuracy, where more is better."""
        super().__init__()
        self._share = share
        self._z = z
        self._sign = sign
        self._least_points = points
        self._level = Level(points)
        self._training = Window(points)
        self._best_training = math.nan
        self._trained = False
        self._reached = 0
        self._ahead: list[tuple[int, float]] = []
        self._waiting: list[tuple[int, float, float]] = []

    def push_training(self, steps: Sequence[int], values: Sequence[float]) -> None:
        """Add points of the training."""
        if steps:
            self._ahead.extend(zip(steps, values, strict=True))
            self._trained = True
            self._reached = steps[len(steps) - 1]
            self._advance()

    def push(self, step: int, time: float, value: float) -> None:
        """Add a validation point."""
        self._waiting.append((step, time, value))
        self._advance()

    def _advance(self) -> None:
        used = 0
        done = 0
        for step, time, value in self._waiting:
            if not self._trained or step > self._reached:
                break
            while used < len(self._ahead) and self._ahead[used][0] <= step:
                point = self._ahead[used][1]
                if point - point == 0.0:
                    self._training.push(point * self._sign)
                else:
                    self._training.clear()
                used += 1
            done += 1
            if value - value == 0.0:
                self._evaluate(step, time, value * self._sign)
        if done:
            del self._waiting[:done]
            del self._ahead[:used]

    def _evaluate(self, step: int, time: float, value: float) -> None:
        level = self._level
        is_best = level.push(step, time, value)
        if self._training.count == 0:
            return
        training = self._training.median()
        if is_best or not level.is_known():
            self._best_training = training
            if self._open:
                self._close()
            return
        gain = level.start - level.best
        if gain <= self._z * level.noise:
            return  # it never improved
        least = max(self._share * gain, self._z * level.noise)
        rise = level.now - level.best
        if self._open:
            if rise < 0.5 * least:
                self._close()
                return
            self._size = max(self._size, rise / gain)
            self._extend(step, time)
        elif rise > least and training <= self._best_training:
            self._begin(level.oldest_step(), level.oldest_time(), rise / gain)
            self._extend(step, time)
            self._points = self._least_points
