"""Anomalies in a scalar series: NaN, restarts, gaps, clock jumps.

They occur in undamaged logs, too; each names a range of steps to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

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


def find_anomalies(written: ScalarTimeSeries) -> list[Anomaly]:
    """Anomalies by step. `written` has all points (`restarts="all"`)."""
    counts = ~written.superseded
    order = np.argsort(written.step[counts], kind="stable")
    step = written.step[counts][order]
    time = written.wall_time[counts][order]
    value = written.value[counts][order]
    anomalies = [
        *_runs(AnomalyKind.NAN, np.isnan(value), step, time),
        *_runs(AnomalyKind.INFINITY, np.isinf(value), step, time),
        *_rewritten(written),
        *_gaps(step, time),
        *_clock(step, time),
    ]
    placed = (replace(anomaly, window=_window(step, anomaly)) for anomaly in anomalies)
    return sorted(placed, key=lambda anomaly: (anomaly.step, anomaly.kind))


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


def _window(step: Int64s, anomaly: Anomaly) -> tuple[int, int]:
    around = max(3, min(AROUND, len(step) // 10))
    first = int(np.searchsorted(step, anomaly.step))
    last = int(np.searchsorted(step, anomaly.end_step, side="right")) - 1
    last = min(last, first + LONGEST_SHOWN) + around
    return int(step[max(0, first - around)]), int(step[min(len(step) - 1, last)])


def _runs(kind: AnomalyKind, marked: Bools, step: Int64s, time: Float64s) -> list[Anomaly]:
    if not marked.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    return [
        _anomaly(kind, step, time, (begins[at], ends[at] - 1), int(ends[at] - begins[at]))
        for at in _largest(ends - begins)
    ]


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
    large = np.flatnonzero(apart > LARGE_GAP * float(np.median(apart)))
    return _between(AnomalyKind.GAP, large, apart, step, time)


def _clock(step: Int64s, time: Float64s) -> list[Anomaly]:
    known = np.isfinite(time)
    step, time = step[known], time[known]
    with np.errstate(over="ignore"):  # times may differ by more than the float range
        passed = np.diff(time)
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
