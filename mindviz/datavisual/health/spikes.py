"""The detector of spikes, which also learns jumps that follow a schedule.

Compiled like `detectors`, which says what code here must keep to.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from mindviz.datavisual.health.detectors import Detector
from mindviz.datavisual.health.windows import Extremes, Tail, Window

_JUMP = 6.0
"""A change that deviates from those before by this many times their deviation is a jump."""
_KEPT_JUMPS = 16
_LIKE = 2.0
"""Ratio of sizes up to which jumps are alike."""
_JITTER = 0.05
"""Share by which the intervals of a schedule may differ."""
_CLOSEST = 8
"""Points from a jump within which further changes belong to it."""


class Jumps:
    """The last jumps of a series, and whether they follow a schedule.

    Three jumps of like size at regular intervals do, as when targets are refreshed every so many
    steps, or data are seen again. So do four whose intervals grow or shrink steadily.
    """

    def __init__(self) -> None:
        self._at = array("q", bytes(8 * _KEPT_JUMPS))
        self._steps = array("q", bytes(8 * _KEPT_JUMPS))
        self._sizes = array("d", bytes(8 * _KEPT_JUMPS))
        self._count = 0
        self._found = array("q", bytes(8 * 3))
        self.before = 0
        """Jumps before the last one on its schedule."""

    def step(self, back: int) -> int:
        """The step of one of the jumps before, from 0 on, the last one first."""
        return self._steps[self._found[back]]

    def push(self, at: int, step: int, size: float) -> bool:
        """Append a jump at the point `at`; returns whether it follows a schedule."""
        last = (self._count - 1) % _KEPT_JUMPS
        if self._count > 0 and at - self._at[last] < _CLOSEST:
            return False
        self.before = 0
        next_size = size
        follows = False
        for back in range(1, min(self._count, _KEPT_JUMPS) + 1):
            other = (self._count - back) % _KEPT_JUMPS
            ratio = self._sizes[other] / next_size
            if not 1.0 / _LIKE <= ratio <= _LIKE:
                continue
            next_size = self._sizes[other]
            self._found[self.before] = other
            self.before += 1
            follows = self._is_schedule(at)
            if follows or self.before == 3:
                break
        here = self._count % _KEPT_JUMPS
        self._at[here] = at
        self._steps[here] = step
        self._sizes[here] = size
        self._count += 1
        return follows

    def _is_schedule(self, at: int) -> bool:
        """Whether the intervals between the jumps found, and to the one at `at`, are regular."""
        if self.before < 2:
            return False
        last = self._at[self._found[0]]
        middle = self._at[self._found[1]]
        tolerance = max(1.0, _JITTER * (at - last))
        apart = (at - last) - (last - middle)
        if self.before == 2:
            return abs(apart) <= tolerance
        first = self._at[self._found[2]]
        return abs(apart - (last - middle) + (middle - first)) <= tolerance


def _spread(window: Window, center: float) -> float:
    """The noise in a window, cautiously."""
    range_ = window.high() - window.low()
    deviation = window.deviation(center)
    # Where most values are equal, as of counts and clipped values, only the range tells.
    return max(deviation, range_ / 6 if deviation > 0.0 else range_ / 2)


def _is_near(  # noqa: PLR0917
    value: float,
    change: float,
    low: float,
    high: float,
    low_change: float,
    high_change: float,
    reach: float,
) -> bool:
    """Whether a value cannot stand out from a window with this range, and that of its changes.

    The ranges bound the noise from below, and are known without putting values in order.
    """
    if low <= value <= high:
        return True
    if high <= low:
        return False
    beyond = max(low - value, value - high)
    beyond_changes = max(low_change - change, change - high_change)
    return not (
        beyond > reach * (high - low) or beyond_changes > reach * (high_change - low_change)
    )


def may_spike(values: Sequence[float], z: float, window: int) -> bool:
    """Whether `Spike` may find any in these values, which are finite; takes a tenth of its time."""
    changes = array("d", bytes(8 * len(values)))
    for at in range(1, len(values)):
        changes[at - 1] = values[at] - values[at - 1]
    levels = Extremes(values, window)
    steps = Extremes(changes, window)
    for at in range(1, len(values)):
        levels.advance(at)
        if at > 1:
            steps.advance(at - 1)
        if at >= _least(window) and not _is_near(
            values[at], changes[at - 1], levels.low, levels.high, steps.low, steps.high, _reach(z)
        ):
            return True
    return False


def _least(window: int) -> int:
    """How many values tell what is usual."""
    return max(8, window // 2)


def _reach(z: float) -> float:
    """How far beyond the range a value is at least, in units of it, if it stands out."""
    return z / 6 - 1


class Spike(Detector):
    """Values far from those before, that return within `recovery` points.

    Values that stay are a new level, no spike. The size is the robust z of the farthest value:
    its distance from the median in units of the noise. It must also be farther out than the tails
    of the noise reach.

    Jumps that follow a schedule are no spikes; when one shows that they do, those before are
    withdrawn.
    """

    def __init__(self, z: float, window: int, recovery: int) -> None:
        super().__init__()
        self._z = z
        self._recovery = recovery
        self._window = Window(window)
        self._changes = Window(window)
        self._tail = Tail(self._window)
        self._change_tail = Tail(self._changes)
        self._jumps = Jumps()
        self._seen = 0
        self._is_scheduled = False
        self._last = math.nan
        self._least = _least(window)
        self._usual = 0.0
        """The median of the changes, some points ago."""
        self._deviation = 0.0
        """Of the changes from it."""
        self._known_for = 0
        """Points until both are computed again."""
        self._held = array("d", bytes(8 * (recovery + 1)))
        self._pending = 0
        self._center = 0.0
        self._trend = 0.0
        """Of the center, per point."""
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
        self._seen += 1
        if self._pending:
            # Whether the trend goes on is not known: a trend alone is no return.
            distance = (value - self._center) * self._sign
            distance = max(distance, distance - self._trend * self._pending * self._sign)
            if distance <= 0.5 * self._peak:
                self._confirm()
                self._accept(value)
            elif self._pending > self._recovery:
                self._window.clear()
                self._changes.clear()
                self._last = math.nan
                self._known_for = 0
                for at in range(self._recovery + 1):
                    self._accept(self._held[at])
                self._pending = 0
                self.push(step, time, value)
            else:
                self._hold(step, time, value)
        elif self._window.count < self._least:
            self._accept(value)
        else:
            self._is_scheduled = self._jumps_again(step, value)
            if self._stands_out(value):
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
        if self._known_for > 0:
            self._known_for -= 1

    def _hold(self, step: int, time: float, value: float) -> None:
        self._held[self._pending] = value
        self._pending += 1
        self._peak = max(self._peak, (value - self._center) * self._sign)
        self._last_step = step
        self._last_time = time

    def _jumps_again(self, step: int, value: float) -> bool:
        """Whether this is a jump that follows a schedule."""
        changes = self._changes
        if self._known_for == 0:
            self._usual = changes.median()
            self._deviation = changes.deviation(self._usual)
            self._known_for = changes.size
        change = value - self._last - self._usual
        # Where there is no noise, changes deviate by what is rounded.
        deviation = max(self._deviation, (self._window.high() - self._window.low()) / 40)
        if not abs(change) > max(_JUMP * deviation, (changes.high() - changes.low()) / 3):
            return False
        if not self._jumps.push(self._seen, step, change):
            return False
        for back in range(self._jumps.before):
            self._withdraw(self._jumps.step(back))
        return True

    def _withdraw(self, step: int) -> None:
        for at in range(len(self.events) - 1, -1, -1):
            if self.events[at][0] <= step:
                if self.events[at][0] == step:
                    del self.events[at]
                return

    def _confirm(self) -> None:
        if self._pending and self._is_scheduled:
            self._pending = 0
        if self._pending:
            self._begin(self._first_step, self._first_time, self._peak / self._scale * self._sign)
            self._end_step = self._last_step
            self._end_time = self._last_time
            self._points = self._pending
            self._close()
            self._pending = 0

    def _stands_out(self, value: float) -> bool:
        window = self._window
        low = window.low()
        high = window.high()
        if low <= value <= high:
            return False
        changes = self._changes
        change = value - self._last
        if _is_near(value, change, low, high, changes.low(), changes.high(), _reach(self._z)):
            return False
        center = window.median()
        usual = changes.median()
        floor = max((high - low) / 40, (changes.high() - changes.low()) / 6)
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
            if not is_far or self._change_tail.includes(change):
                return False
        if low > 0.0 and value > 0.0 and high > low and center > 0.0:
            # Noise in proportion to the value, as of gradient norms, has long tails.
            spread = scale / center
            if not abs(math.log(value / center)) > 0.75 * self._z * spread:
                return False
        mean = (
            (self._last - window.oldest()) / (window.size - 1)
            if window.count == window.size
            else 0.0
        )
        self._trend = max(-abs(usual), min(mean, abs(usual))) if mean * usual > 0.0 else 0.0
        self._center = center
        self._scale = scale
        self._sign = 1.0 if value > center else -1.0
        return True
