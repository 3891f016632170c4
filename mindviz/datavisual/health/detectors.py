"""Detectors: state machines that look at each point of a series once, in order.

What a detector has found after some points depends on these points alone, not on how they were
split into calls. So live evaluation equals batch evaluation.

`detectors.pxd` gives these classes C types: where there is a compiler, this file is compiled, and
evaluates 20 to 50 million points per second. Code here must mean the same in both: no division by
zero, no integers beyond 64 bits.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from mindviz.datavisual.health.windows import Tail, Window

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


def _spread(window: Window, center: float) -> float:
    """The noise in a window, cautiously."""
    range_ = window.at(window.count - 1) - window.at(0)
    deviation = window.deviation(center)
    # Where most values are equal, as of counts and clipped values, only the range tells.
    return max(deviation, range_ / 6 if deviation > 0.0 else range_ / 2)


class Spike(Detector):
    """Values far from those before, that return within `recovery` points.

    Values that stay are a new level, no spike. The size is the robust z of the farthest value:
    its distance from the median in units of the noise. It must also be farther out than the tails
    of the noise reach.
    """

    def __init__(self, z: float, window: int, recovery: int) -> None:
        super().__init__()
        self._z = z
        self._recovery = recovery
        self._window = Window(window)
        self._changes = Window(window)
        self._tail = Tail(self._window)
        self._change_tail = Tail(self._changes)
        self._last = math.nan
        self._least = max(8, window // 2)
        self._held = array("d", bytes(8 * (recovery + 1)))
        self._pending = 0
        self._center = 0.0
        self._scale = 1.0
        self._sign = 1.0
        self._peak = 0.0
        self._first_step = 0
        self._first_time = 0.0
        self._last_step = 0
        self._last_time = 0.0

    def push(self, step: int, time: float, value: float) -> None:
        """Evaluate a point."""
        if value - value != 0.0:
            # A spike into NaN does not return, and a level that lasted is none.
            if 4 * self._pending <= self._recovery:
                self._confirm()
            return
        if self._pending:
            distance = (value - self._center) * self._sign
            if distance <= 0.5 * self._peak:
                self._confirm()
                self._accept(value)
            elif self._pending > self._recovery:
                self._window.clear()
                self._changes.clear()
                self._last = math.nan
                for at in range(self._recovery + 1):
                    self._accept(self._held[at])
                self._pending = 0
                self.push(step, time, value)
            else:
                self._hold(step, time, value)
        elif self._window.count >= self._least and self._stands_out(value):
            self._first_step = step
            self._first_time = time
            self._peak = 0.0
            self._hold(step, time, value)
        else:
            self._accept(value)

    def _accept(self, value: float) -> None:
        if self._last == self._last:
            self._change_tail.push(value - self._last)
        self._last = value
        self._tail.push(value)

    def _hold(self, step: int, time: float, value: float) -> None:
        self._held[self._pending] = value
        self._pending += 1
        self._peak = max(self._peak, (value - self._center) * self._sign)
        self._last_step = step
        self._last_time = time

    def _confirm(self) -> None:
        if self._pending:
            self._begin(self._first_step, self._first_time, self._peak / self._scale * self._sign)
            self._end_step = self._last_step
            self._end_time = self._last_time
            self._points = self._pending
            self._close()
            self._pending = 0

    def _stands_out(self, value: float) -> bool:
        window = self._window
        low = window.at(0)
        high = window.at(window.count - 1)
        if low <= value <= high:
            return False
        center = window.median()
        # The range bounds the noise from below, and is known without a search.
        changes = self._changes
        usual = changes.median()
        floor = max((high - low) / 40, (changes.at(changes.count - 1) - changes.at(0)) / 6)
        if high > low and not (
            abs(value - center) > self._z * (high - low) / 6
            or abs(value - self._last - usual) > self._z * floor
        ):
            return False
        scale = _spread(window, center)
        if high <= low:
            scale = 0.02 * abs(center)
        if scale <= 0.0:
            return False
        if not abs(value - center) > self._z * scale or self._tail.includes(value):
            # Of a trend or a cycle, the last value tells more than the median.
            center = self._last + usual
            scale = max(_spread(changes, usual), floor)
            is_far = scale > 0.0 and abs(value - center) > self._z * scale
            if not is_far or self._change_tail.includes(value - self._last):
                return False
        if low > 0.0 and value > 0.0 and high > low and center > 0.0:
            # Noise in proportion to the value, as of gradient norms, has long tails.
            spread = scale / center
            if not abs(math.log(value / center)) > 0.75 * self._z * spread:
                return False
        self._center = center
        self._scale = scale
        self._sign = 1.0 if value > center else -1.0
        return True


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
        if recent.at(0) <= history.at(history.count - 1) and (
            recent.at(recent.size - 1) >= history.at(0)
        ):
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
