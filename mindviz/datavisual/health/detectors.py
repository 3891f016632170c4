"""Detectors: state machines that look at each point of a series once, in order.

What a detector has found after some points depends on these points alone, not on how they were
split into calls. So live evaluation equals batch evaluation.

`detectors.pxd` gives these classes C types: where there is a compiler, this file is compiled, and
evaluates 20 to 50 million points per second. Code here must mean the same in both: no division by
zero, no integers beyond 64 bits. Constants are declared there, too: others are looked up by name.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from mindviz.datavisual.health.windows import Window

Event = tuple[int, int, float, float, int, float]
"""Step, end step, time, end time, points, size."""
LARGEST = 1e300
"""Sizes are clipped to this, because JSON has no infinity."""


class Detector:
    """One rule on one series."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._open = False
        self._step = 0
        self._time = 0.0
        self._end_step = 0
        self._end_time = 0.0
        self._points = 0
        self._size = 0.0

    def feed(self, steps: Sequence[int], times: Sequence[float], values: Sequence[float]) -> None:
        """Evaluate points: columns of the same length, steps ascending over all calls."""
        for at in range(len(steps)):
            self.push(steps[at], times[at], values[at])

    def push(self, step: int, time: float, value: float) -> None:
        """Evaluate a point."""

    def waiting_bytes(self) -> int:
        """Approximate size of points that are not evaluated yet."""
        return 0

    def found(self) -> list[Event]:
        """All events so far, with that which still lasts."""
        if not self._open:
            return list(self.events)
        return [*self.events, self._event()]

    def _event(self) -> Event:
        size = max(-LARGEST, min(LARGEST, float(self._size)))
        return (self._step, self._end_step, self._time, self._end_time, self._points, size)

    def _begin(self, step: int, time: float, size: float) -> None:
        self._open = True
        self._step = step
        self._time = time
        self._points = 0
        self._size = size
        self._extend(step, time)

    def _extend(self, step: int, time: float) -> None:
        self._end_step = step
        self._end_time = time
        self._points += 1

    def _close(self) -> None:
        if self._open:
            self.events.append(self._event())
            self._open = False


class Streak(Detector):
    """Consecutive points that are NaN, infinite, or beyond thresholds.

    The size is the number of points, or of a threshold the value farthest beyond it.
    """

    def __init__(self, what: int, above: float, below: float, points: int) -> None:
        """`what` is 0 for NaN, 1 for infinity, 2 for values above or below."""
        super().__init__()
        self._what = what
        self._above = above
        self._below = below
        self._least = points
        self._pending = 0
        self._first_step = 0
        self._first_time = 0.0

    def push(self, step: int, time: float, value: float) -> None:  # noqa: C901
        """Evaluate a point."""
        if self._what == 0:
            hit = value != value  # noqa: PLR0124 -- a NaN
        elif self._what == 1:
            hit = value - value != 0.0 and value == value  # noqa: PLR0124
        else:
            hit = value > self._above or value < self._below
        if not hit:
            if self._open:
                self._close()
            self._pending = 0
            return
        if self._open:
            self._extend(step, time)
            if self._what < 2:
                self._size = self._points
            elif (value > self._size) if self._size > self._above else (value < self._size):
                self._size = value
            return
        if self._pending == 0:
            self._first_step = step
            self._first_time = time
        self._pending += 1
        if self._pending >= self._least:
            self._begin(self._first_step, self._first_time, value)
            self._extend(step, time)
            self._points = self._pending
            if self._what < 2:
                self._size = self._points


class Change(Detector):
    """A sudden change of level by a factor, as of a gradient norm that vanishes or explodes.

    The size is the ratio of the levels after and before.
    """

    def __init__(self, factor: float, points: int, window: int) -> None:
        super().__init__()
        self._factor = factor
        self._recent = Window(points)
        self._before = Window(points)
        self._history = Window(window)
        self._steps = array("q", bytes(8 * points))
        self._times = array("d", bytes(8 * points))
        self._next = 0

    def push(self, step: int, time: float, value: float) -> None:
        """Evaluate a point."""
        if value - value != 0.0:
            return
        recent = self._recent
        if recent.count == recent.size:
            leaving = recent.oldest()
            self._before.push(leaving)
            self._history.push(leaving)
        recent.push(value)
        self._steps[self._next] = step
        self._times[self._next] = time
        self._next = (self._next + 1) % recent.size
        history = self._history
        if history.count < recent.size * 2 or recent.count < recent.size:
            return
        if recent.low() <= history.high() and recent.high() >= history.low():
            return
        before = self._before.median()
        after = recent.median()
        if before <= 0.0 or after < 0.0:
            return
        if self._factor * before > after > before / self._factor:
            return
        self._begin(self._steps[self._next], self._times[self._next], after / before)
        self._end_step = step
        self._end_time = time
        self._points = recent.size
        self._close()
        history.clear()
        self._before.clear()
        recent.clear()


class Throughput(Detector):
    """Lasting loss of throughput: steps take longer than before by a factor.

    The size is that factor at the worst.
    """

    def __init__(self, factor: float, points: int, window: int) -> None:
        super().__init__()
        self._factor = factor
        self._recent = Window(points)
        self._history = Window(window)
        self._steps = array("q", bytes(8 * points))
        self._times = array("d", bytes(8 * points))
        self._next = 0
        self._last_step = 0
        self._last_time = math.nan
        self._usual = 0.0

    def twin(self) -> Throughput:
        """A detector of the same points so far: most series of a run have the same steps."""
        size = self._recent.size
        other = Throughput(self._factor, size, self._history.size)
        other.events = list(self.events)
        other._open = self._open
        other._step = self._step
        other._time = self._time
        other._end_step = self._end_step
        other._end_time = self._end_time
        other._points = self._points
        other._size = self._size
        other._recent = self._recent.twin()
        other._history = self._history.twin()
        for at in range(size):
            other._steps[at] = self._steps[at]
            other._times[at] = self._times[at]
        other._next = self._next
        other._last_step = self._last_step
        other._last_time = self._last_time
        other._usual = self._usual
        return other

    def push(self, step: int, time: float, value: float) -> None:  # noqa: C901, PLR0911, ARG002
        """Evaluate a point."""
        if time - time != 0.0:
            return
        passed = time - self._last_time
        if passed != passed or passed < 0.0 or step <= self._last_step:  # noqa: PLR0124
            self._last_step = step
            self._last_time = time
            return
        if passed == 0.0:  # several points were written at once
            return
        pace = max(passed / (step - self._last_step), 1e-300)
        begin_step = self._last_step
        begin_time = self._last_time
        self._last_step = step
        self._last_time = time
        recent = self._recent
        if recent.count == recent.size and not self._open:
            self._history.push(recent.oldest())
        recent.push(pace)
        self._steps[self._next] = begin_step
        self._times[self._next] = begin_time
        self._next = (self._next + 1) % recent.size
        if recent.count < recent.size:
            return
        if self._open:
            slowness = recent.median() / self._usual
            if slowness < 0.5 + 0.5 * self._factor:
                self._close()
                self._history.clear()
                recent.clear()
                return
            self._size = max(self._size, slowness)
            self._extend(step, time)
            return
        history = self._history
        if history.count < history.size // 2:
            return
        # All but two of the recent paces are above nearly all before.
        if recent.at(2) <= history.at(history.count - 1 - history.count // 20):
            return
        usual = history.median()
        slowness = recent.median() / usual
        if slowness < self._factor:
            return
        self._usual = usual
        self._begin(self._steps[self._next], self._times[self._next], slowness)
        self._extend(step, time)
        self._points = recent.size
