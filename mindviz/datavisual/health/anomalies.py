"""Anomalies in a scalar series, and those in how it was logged: restarts, gaps, clock jumps.

They occur in undamaged logs, too; each names a range of steps to look at. The ones in the values
are found by `rules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from mindviz.datavisual.health.leads import Moved
from mindviz.datavisual.series.columns import Bools, Float64s, Int64s
from mindviz.datavisual.series.time_series import ScalarTimeSeries

FEWEST = 10
"""Minimum number of points to estimate the usual interval."""
LARGE_GAP = 10
"""Multiple of the median interval of steps that counts as a gap."""
LONG_PAUSE = 20
"""Multiple of the median interval of times that counts as a pause."""
SHORTEST_PAUSE = 60.0
"""Seconds."""
CLOCK_TOLERANCE = 1.0
"""Seconds by which times may go back."""
AROUND = 50
"""Points shown on either side of an anomaly; fewer in series of less than 500 points."""
LONGEST_SHOWN = 500
"""Points of a long anomaly that are shown, from its beginning."""
NAMED = 20
"""Anomalies listed per kind and series, largest first."""


class AnomalyKind(StrEnum):
    """Kinds of anomalies."""

    NAN = "nan"
    """Values are NaN."""
    INFINITY = "infinity"
    """Values are infinite."""
    RESTART = "restart"
    """A restarted training rewrote these steps."""
    STRAY = "stray"
    """Late values of a writer that did not continue the series; they do not count."""
    DUPLICATE_STEPS = "duplicate_steps"
    """Steps written several times in a row; the last value counts."""
    GAP = "gap"
    """Unusually many steps without a point."""
    PAUSE = "pause"
    """Unusually long time without a point."""
    CLOCK_BACK = "clock_back"
    """A later step has an earlier time."""
    SPIKE = "spike"
    """Values jump away from those before, and return."""
    DIVERGENCE = "divergence"
    """A loss rises and stays up."""
    PLATEAU = "plateau"
    """Progress stops abruptly, or values freeze."""
    THROUGHPUT = "throughput"
    """Steps take longer than before."""
    VALIDATION_GAP = "validation_gap"
    """A validation metric gets worse while its training metric improves."""
    GRADIENT_CHANGE = "gradient_change"
    """The level of a gradient norm changes at once."""
    THRESHOLD = "threshold"
    """Values are above or below the limit of a rule."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """An anomaly, from `step` to `end_step`."""

    kind: AnomalyKind
    step: int
    end_step: int
    """Equal to `step` for a single point."""
    wall_time: float
    """Unix seconds of the point at `step`; NaN if not logged."""
    end_wall_time: float
    """Likewise at `end_step`."""
    count: int
    """Points affected; 1 for a gap or pause."""
    size: float
    """Steps for a gap, seconds for a pause or clock jump, else `count`."""
    window: tuple[int, int] = (0, 0)
    """First and last step of a chart that shows it in context."""
    rule: str = ""
    """The rule that found it; empty for anomalies in how the series was logged."""
    moved: tuple[Moved, ...] = ()
    """Series that moved with it, the first to move first."""


def find_log_anomalies(written: ScalarTimeSeries) -> list[Anomaly]:
    """Anomalies in how a series was logged, by step.

    `written` has all points (`restarts="all"`).
    """
    points = counting(written)
    step, time = points.step, points.wall_time
    anomalies = [*_rewritten(written), *_gaps(step, time), *_clock(step, time)]
    placed = (
        replace(anomaly, window=window_of(step, anomaly.step, anomaly.end_step))
        for anomaly in anomalies
    )
    return sorted(placed, key=lambda anomaly: (anomaly.step, anomaly.kind))


def counting(written: ScalarTimeSeries) -> ScalarTimeSeries:
    """The points that count, by step. `written` has all points (`restarts="all"`)."""
    step = written.step
    if not written.superseded.any() and bool((step[1:] >= step[:-1]).all()):
        return written
    rows = np.flatnonzero(~written.superseded)
    rows = rows[np.argsort(step[rows], kind="stable")]
    return replace(
        written,
        step=step[rows],
        wall_time=written.wall_time[rows],
        value=written.value[rows],
        superseded=written.superseded[rows],
    )


def strays(written: ScalarTimeSeries) -> Bools:
    """Mask of stray points in a series with all points (`restarts="all"`).

    The other superseded points were replaced by a restart.
    """
    if not written.superseded.any():
        return written.superseded
    counting = np.where(written.superseded, np.iinfo(np.int64).min, written.step)
    stray: Bools = written.superseded & (np.maximum.accumulate(counting) >= written.step)
    return stray


def restart_steps(written: ScalarTimeSeries) -> list[int]:
    """Steps at which the training was restarted, ascending.

    `written` has all points (`restarts="all"`) in the order of writing. A step that goes back after
    a superseded point is a restart. It is merely a late point if the next one continues beyond, and
    a later restart did the replacing.
    """
    usual = ~strays(written)
    step, superseded = written.step[usual], written.superseded[usual]
    at = np.flatnonzero((step[1:] < step[:-1]) & superseded[:-1]) + 1
    before = step[at - 1]
    behind = np.minimum(at + 1, len(step) - 1)
    least_behind = np.minimum.accumulate(step[::-1])[::-1][behind]
    late = (step[behind] > before) & (least_behind <= before)
    steps: list[int] = np.unique(step[at[~late]]).tolist()
    return steps


def window_of(step: Int64s, first_step: int, end_step: int) -> tuple[int, int]:
    """First and last step of a chart that shows these steps in context."""
    around = max(3, min(AROUND, len(step) // 10))
    first = int(np.searchsorted(step, first_step))
    last = int(np.searchsorted(step, end_step, side="right")) - 1
    last = min(last, first + LONGEST_SHOWN) + around
    return int(step[max(0, first - around)]), int(step[min(len(step) - 1, last)])


def _anomaly(
    kind: AnomalyKind, step: Int64s, time: Float64s, ends: tuple[int, int], count: int
) -> Anomaly:
    """The anomaly of `count` points; `ends` are its first and last row."""
    first, last = ends
    return Anomaly(
        kind,
        int(step[first]),
        int(step[last]),
        float(time[first]),
        float(time[last]),
        count,
        float(count),
    )


def _rewritten(written: ScalarTimeSeries) -> Iterator[Anomaly]:
    """Superseded points: repeated, stray, or replaced by a restart."""
    gone = np.flatnonzero(written.superseded)
    if not len(gone):
        return
    following = np.minimum(gone + 1, len(written.step) - 1)
    stray = strays(written)[gone]
    repeated = ~stray & (written.step[following] == written.step[gone])
    kinds = (
        (AnomalyKind.DUPLICATE_STEPS, gone[repeated]),
        (AnomalyKind.STRAY, gone[stray]),
        (AnomalyKind.RESTART, gone[~repeated & ~stray]),
    )
    for kind, rows in kinds:
        for part in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)[:NAMED]:
            if len(part):
                steps = written.step[part]
                ends = part[steps.argmin()], part[steps.argmax()]
                yield _anomaly(kind, written.step, written.wall_time, ends, len(part))


def _gaps(step: Int64s, time: Float64s) -> list[Anomaly]:
    if len(step) < FEWEST:
        return []
    apart = np.diff(step.astype(np.float64))
    if apart.max() <= LARGE_GAP * apart.min():  # the usual case, without a median
        return []
    large = np.flatnonzero(apart > LARGE_GAP * float(np.median(apart)))
    return _between(AnomalyKind.GAP, large, apart, step, time)


def _clock(step: Int64s, time: Float64s) -> list[Anomaly]:
    known = np.isfinite(time)
    if not known.all():
        step, time = step[known], time[known]
    with np.errstate(over="ignore"):  # times may differ by more than the float range
        passed = np.diff(time)
    if not len(passed) or (passed.min() >= -CLOCK_TOLERANCE and passed.max() <= SHORTEST_PAUSE):
        return []
    back = np.flatnonzero(passed < -CLOCK_TOLERANCE)
    anomalies = _between(AnomalyKind.CLOCK_BACK, back, -passed, step, time)
    if len(step) >= FEWEST:
        with np.errstate(over="ignore", invalid="ignore"):
            usual = float(np.median(passed))
        long = np.flatnonzero(passed > max(SHORTEST_PAUSE, LONG_PAUSE * usual))
        anomalies += _between(AnomalyKind.PAUSE, long, passed, step, time)
    return anomalies


def _between(
    kind: AnomalyKind, rows: Int64s, sizes: Float64s, step: Int64s, time: Float64s
) -> list[Anomaly]:
    return [
        replace(_anomaly(kind, step, time, (row, row + 1), 1), size=float(sizes[row]))
        for row in rows[_largest(sizes[rows])].tolist()
    ]


def _largest(sizes: Float64s | Int64s) -> list[int]:
    largest: list[int] = np.argsort(-sizes, kind="stable")[:NAMED].tolist()
    return largest
