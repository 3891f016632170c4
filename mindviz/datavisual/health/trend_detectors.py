"""Detectors of trends: divergence, and a validation that leaves its training behind.

Compiled like `detectors`, which says what code here must keep to.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from mindviz.datavisual.health.detectors import Detector
from mindviz.datavisual.health.windows import Level, Window
from mindviz.datavisual.series.columns import Float64s, Int64s

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

    `feed` takes points of the validation, `push_training` those of the training. A validation point
    waits until the training has reached its step, so the result depends on no order between the
    two. The size is the loss in units of what the metric had gained.
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
        self._waiting_steps = array("q")
        self._waiting_times = array("d")
        self._waiting_values = array("d")

    def push_training(self, steps: Int64s, values: Float64s) -> None:
        """Add points of the training."""
        if len(steps):
            self._ahead_steps.frombytes(steps.tobytes())
            self._ahead_values.frombytes(values.tobytes())
            self._trained = True
            self._reached = int(steps[len(steps) - 1])
            self._forget(self._advance())

    def waiting_bytes(self) -> int:
        """Approximate size of points that wait for the other series."""
        return 16 * len(self._ahead_steps) + 24 * len(self._waiting_steps)

    def feed(self, steps: Sequence[int], times: Sequence[float], values: Sequence[float]) -> None:
        """Add validation points."""
        self._waiting_steps.extend(steps)
        self._waiting_times.extend(times)
        self._waiting_values.extend(values)
        self._forget(self._advance())

    def _advance(self) -> int:
        """Evaluate the points that the training has reached; returns how many."""
        waiting_steps = self._waiting_steps
        waiting_times = self._waiting_times
        waiting_values = self._waiting_values
        ahead_steps = self._ahead_steps
        ahead_values = self._ahead_values
        done = 0
        for at in range(len(waiting_steps)):
            step = waiting_steps[at]
            if not self._trained or step > self._reached:
                break
            while self._used < len(ahead_steps) and ahead_steps[self._used] <= step:
                point = ahead_values[self._used]
                self._training = point * self._sign if point - point == 0.0 else math.nan
                self._used += 1
            done += 1
            value = waiting_values[at]
            if value - value == 0.0:
                self._evaluate(step, waiting_times[at], value * self._sign)
        return done

    def _forget(self, done: int) -> None:
        """Drop points that are evaluated; no view of them may be in use."""
        del self._waiting_steps[:done]
        del self._waiting_times[:done]
        del self._waiting_values[:done]
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
