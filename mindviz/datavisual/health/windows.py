"""Sliding windows over the values of a series, for the detectors.

`windows.pxd` gives these classes C types, as `detectors` explains.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

_INFINITY = math.inf
_LEAST_FARTHEST = 0.6
_FADING = 0.998
_TAIL_FACTOR = 4.0


class Window:
    """The last `size` values. They are put in order only where their order is needed."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0
        self._low = 0.0
        self._high = 0.0
        self._has_range = False
        """Whether these are the smallest and the largest value."""
        self._next = 0
        self._ring = array("d", bytes(16 * size))
        """The last values, and as many before them."""
        self._sorted = array("d", bytes(8 * size))
        self._ordered = 0
        """Values in order."""
        self._pending = 0
        """Values that came after these."""

    def twin(self) -> Window:
        """A window with the same values."""
        other = Window(self.size)
        other.count = self.count
        other._low = self._low
        other._high = self._high
        other._has_range = self._has_range
        other._next = self._next
        other._ordered = self._ordered
        other._pending = self._pending
        for at in range(2 * self.size):
            other._ring[at] = self._ring[at]
        for at in range(self._ordered):
            other._sorted[at] = self._sorted[at]
        return other

    def clear(self) -> None:
        """Forget all values."""
        self.count = 0
        self._has_range = False
        self._ordered = 0
        self._pending = 0

    def push(self, value: float) -> None:
        """Append a number; drops the oldest one if the window is full."""
        if self.count == self.size:
            leaving = self._before(self.size)
            self._has_range = self._has_range and self._low < leaving < self._high
        else:
            self.count += 1
        self._ring[self._next] = value
        self._next += 1
        if self._next == 2 * self.size:
            self._next = 0
        self._pending += 1
        if self._has_range:
            self._low = min(self._low, value)
            self._high = max(self._high, value)

    def low(self) -> float:
        """The smallest value; there is at least one."""
        if not self._has_range:
            self._find_range()
        return self._low

    def high(self) -> float:
        """The largest value; there is at least one."""
        if not self._has_range:
            self._find_range()
        return self._high

    def _before(self, back: int) -> float:
        """The value that was pushed `back` values ago; the last one is 1."""
        at = self._next - back
        return self._ring[at if at >= 0 else at + 2 * self.size]

    def _find_range(self) -> None:
        self._has_range = True
        self._low = self._before(1)
        self._high = self._low
        for back in range(2, self.count + 1):
            value = self._before(back)
            self._low = min(self._low, value)
            self._high = max(self._high, value)

    def _order(self) -> None:
        pending = self._pending
        self._pending = 0
        if pending > 1 and 8 * pending > self.size:
            self._sort()
            return
        for back in range(pending, 0, -1):
            value = self._before(back)
            to = self._rank(value)
            if self._ordered < self.size:
                gap = self._ordered
                self._ordered += 1
            else:
                gap = self._rank(self._before(back + self.size))
                if to > gap:
                    to -= 1
            for at in range(gap, to):
                self._sorted[at] = self._sorted[at + 1]
            for at in range(gap, to, -1):
                self._sorted[at] = self._sorted[at - 1]
            self._sorted[to] = value

    def _sort(self) -> None:
        """Put all values in order, with Shell's method."""
        self._ordered = self.count
        for at in range(self.count):
            self._sorted[at] = self._before(at + 1)
        gap = self.count // 2
        while gap > 0:
            for at in range(gap, self.count):
                value = self._sorted[at]
                to = at
                while to >= gap and self._sorted[to - gap] > value:
                    self._sorted[to] = self._sorted[to - gap]
                    to -= gap
                self._sorted[to] = value
            gap //= 2

    def _rank(self, value: float) -> int:
        """How many of the values in order are smaller."""
        low = 0
        high = self._ordered
        while low < high:
            middle = (low + high) // 2
            if self._sorted[middle] < value:
                low = middle + 1
            else:
                high = middle
        return low

    def at(self, rank: int) -> float:
        """The value of this rank, from 0."""
        if self._pending:
            self._order()
        return self._sorted[rank]

    def oldest(self) -> float:
        """The value that the next `push` drops; the window is full."""
        return self._before(self.size)

    def median(self) -> float:
        """The median; there is at least one value."""
        half = self.count // 2
        if self.count % 2:
            return self.at(half)
        return 0.5 * self.at(half - 1) + 0.5 * self.at(half)

    def deviation(self, center: float) -> float:
        """Median distance from `center`, scaled to the standard deviation of normal noise."""
        if self._pending:
            self._order()
        above = self._rank(center)
        below = above - 1
        distance = 0.0
        for _ in range(self.count // 2 + 1):
            up = _INFINITY
            down = _INFINITY
            if above < self.count:
                up = self._sorted[above] - center
            if below >= 0:
                down = center - self._sorted[below]
            if up <= down:
                distance = up
                above += 1
            else:
                distance = down
                below -= 1
        return 1.4826 * distance


class Extremes:
    """The smallest and the largest of up to `size` values before a place in a series."""

    def __init__(self, values: Sequence[float], size: int) -> None:
        self._values = values
        self._size = size
        self._low_at = -1
        self._high_at = -1
        self.low = 0.0
        self.high = 0.0

    def advance(self, end: int) -> None:
        """Move the place by one, to `end`; the first one is 1."""
        begin = max(0, end - self._size)
        last = self._values[end - 1]
        if self._low_at < begin or self._high_at < begin:
            self._find(begin, end)
        if last <= self.low:
            self._low_at = end - 1
            self.low = last
        if last >= self.high:
            self._high_at = end - 1
            self.high = last

    def _find(self, begin: int, end: int) -> None:
        low_at = begin
        high_at = begin
        low = self._values[begin]
        high = low
        for at in range(begin + 1, end):
            value = self._values[at]
            if value <= low:
                low = value
                low_at = at
            if value >= high:
                high = value
                high_at = at
        self._low_at = low_at
        self._high_at = high_at
        self.low = low
        self.high = high


class Tail:
    """How far the values of a series leave the range of its window, in units of that range.

    This tells noise with heavy tails from normal noise, which leaves the range of 48 values by a
    tenth, and hardly ever by half. A window alone is too short to tell.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._farthest = _LEAST_FARTHEST

    def excess(self, value: float) -> float:
        """How far a value leaves the range; 0 within it, infinity if all values are equal."""
        window = self._window
        low = window.low()
        high = window.high()
        beyond = max(low - value, value - high)
        if beyond <= 0.0:
            return 0.0
        range_ = high - low
        return beyond / range_ if range_ > 0.0 else _INFINITY

    def push(self, value: float) -> None:
        """Append a number to the window, and learn from it."""
        window = self._window
        if window.count == window.size:
            excess = self.excess(value)
            if 0.0 < excess < _INFINITY:
                self._farthest = max(excess, _FADING * self._farthest)
        window.push(value)

    def includes(self, value: float) -> bool:
        """Whether a value may be part of the noise."""
        return self.excess(value) <= _TAIL_FACTOR * self._farthest


class Level:
    """The median of the last values, the best such median, and the noise at that time."""

    def __init__(self, points: int) -> None:
        self._recent = Window(points)
        self._stride = max(1, points // 5)
        self._changes = Window(120)
        self._before = array("d", bytes(16 * points))
        self._steps = array("q", bytes(8 * points))
        self._times = array("d", bytes(8 * points))
        self._next = 0
        self._lag = 0
        self._count = 0
        self.start = math.nan
        self.best = _INFINITY
        self.now = math.nan
        self.noise = 0.0

    def push(self, step: int, time: float, value: float) -> bool:
        """Append a number; returns whether it makes a new best."""
        recent = self._recent
        recent.push(value)
        self._steps[self._next] = step
        self._times[self._next] = time
        self._next = (self._next + 1) % recent.size
        if recent.count < recent.size:
            return False
        self.now = recent.median()
        self._measure(recent.size)
        if self.start != self.start:
            self.start = self.now
        if not self.now < self.best and self.is_known():
            return False
        self.best = min(self.best, self.now)
        if self._changes.count > 0:
            # The median distance from 0, as standard deviations of one of the three medians.
            self.noise = 0.605 * self._changes.median()
        return True

    def _measure(self, size: int) -> None:
        """Compare the median with those of the two windows before; a steady trend cancels out."""
        self._count += 1
        last = self._lag + size
        if last >= 2 * size:
            last -= 2 * size
        if self._count > 2 * size and self._count % self._stride == 0:
            self._changes.push(abs(self.now - 2.0 * self._before[last] + self._before[self._lag]))
        self._before[self._lag] = self.now
        self._lag += 1
        if self._lag == 2 * size:
            self._lag = 0

    def is_known(self) -> bool:
        """Whether there are enough points to tell a rise from noise."""
        return self._changes.count > 10

    def samples(self) -> int:
        """Values that the noise is computed from."""
        return self._changes.count

    def points(self) -> int:
        """Values of a median."""
        return self._recent.size

    def oldest_step(self) -> int:
        """The step of the first of the last values."""
        return self._steps[self._next]

    def oldest_time(self) -> float:
        """Its time."""
        return self._times[self._next]
