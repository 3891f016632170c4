"""Detectors of trends: divergence, and a validation that leaves its training behind.

Compiled like `detectors`, which says what code here must keep to.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from mindviz.datavisual.health.detectors import Detector
from mindviz.datavisual.health.windows import Level, Window

_SHARED = 0.25
"""Share of a rise of the validation that the training may share."""


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


class ValidationGap(Detector):
    """A validation metric that gets worse while its training metric does not.

    Compares medians of three lengths: the short ones suffice for few points, the long ones see a
    rise through noise.

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
        self._levels = [Level(points), Level(4 * points), Level(16 * points)]
        self._at_best = array("d", bytes(8 * 3))
        """Medians of the training, by level."""
        self._risen = 0
        """The level that saw the open event."""
        self._training = math.nan
        """Its last value."""
        self._trainings = [Window(points), Window(4 * points), Window(16 * points)]
        """By level, the training at the same points: its median is as late as the level's."""
        self._trained = False
        self._reached = 0
        self._ahead_steps = array("q")
        self._ahead_values = array("d")
        self._used = 0
        """How many of these are evaluated."""
        self._waiting: list[tuple[int, float, float]] = []

    def push_training(self, steps: Sequence[int], values: Sequence[float]) -> None:
        """Add points of the training."""
        if steps:
            self._ahead_steps.extend(steps)
            self._ahead_values.extend(values)
            self._trained = True
            self._reached = steps[len(steps) - 1]
            self._advance()

    def waiting_bytes(self) -> int:
        """Approximate size of points that wait for the other series."""
        return 16 * len(self._ahead_steps) + 150 * len(self._waiting)

    def push(self, step: int, time: float, value: float) -> None:
        """Add a validation point."""
        self._waiting.append((step, time, value))
        self._advance()

    def _advance(self) -> None:
        done = 0
        for step, time, value in self._waiting:
            if not self._trained or step > self._reached:
                break
            while self._used < len(self._ahead_steps) and self._ahead_steps[self._used] <= step:
                point = self._ahead_values[self._used]
                self._training = point * self._sign if point - point == 0.0 else math.nan
                self._used += 1
            done += 1
            if value - value == 0.0:
                self._evaluate(step, time, value * self._sign)
        del self._waiting[:done]
        if 2 * self._used > len(self._ahead_steps):  # seldom: it moves the others
            del self._ahead_steps[: self._used]
            del self._ahead_values[: self._used]
            self._used = 0

    def _evaluate(self, step: int, time: float, value: float) -> None:  # noqa: C901
        training = self._training
        for at in range(3):
            level = self._levels[at]
            beside = self._trainings[at]
            if training == training:  # noqa: PLR0124 -- no NaN
                beside.push(training)
            if level.push(step, time, value) or not level.is_known():
                self._at_best[at] = beside.median() if beside.count else math.nan
                if self._open and at == self._risen:
                    self._close()
        if training != training:  # noqa: PLR0124 -- a NaN
            return
        # The noise of longer medians is correlated noise, which passes through shorter ones.
        noise = 0.0
        for at in range(2, -1, -1):
            level = self._levels[at]
            if not level.is_known() or (at > 0 and level.samples() < 40):
                continue
            noise = max(noise, level.noise)
            gain = level.start - level.best
            rise = level.now - level.best
            least = max(self._share * gain, self._z * noise)
            if self._open:
                if at == self._risen:
                    if rise < 0.5 * least:
                        self._close()
                    else:
                        self._size = max(self._size, rise / gain)
                        self._extend(step, time)
                continue
            beside = self._trainings[at]
            if (
                rise > least
                and gain > self._z * noise
                and beside.median() - self._at_best[at] < _SHARED * rise
            ):
                self._risen = at
                self._begin(level.oldest_step(), level.oldest_time(), rise / gain)
                self._extend(step, time)
                self._points = level.points()
                return
