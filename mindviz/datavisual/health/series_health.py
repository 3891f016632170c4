"""Series health: what is odd about the points of a scalar series, and where to look.

A log may be sound and still tell of trouble: numbers that ceased to be numbers, training that was
interrupted, clocks that jumped. Nothing here is an error; each sign leads to a place in a chart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from mindviz.datavisual.series.columns import Bools, Float64s, Int64s
from mindviz.datavisual.series.time_series import ScalarTimeSeries

FEWEST = 10
"""Points below which nothing can be said of how far apart they usually are."""
LARGE_GAP = 10
"""A gap is so many times what is usual."""
LONG_PAUSE = 20
SHORTEST_PAUSE = 60.0
"""Seconds."""
CLOCK_TOLERANCE = 1.0
"""Seconds that writers may be out of order."""
AROUND = 50
"""Points on either side of a place that belong to its picture."""
NAMED = 20
"""So many of a kind are named in one series, the largest first."""


class SignKind(StrEnum):
    """What is odd."""

    NAN = "nan"
    """Values are not numbers from here on, until `end_step`."""
    INFINITY = "infinity"
    """Values are infinite."""
    RESTART = "restart"
    """Training went back to here and wrote all up to `end_step` anew."""
    STRAY = "stray"
    """Values behind the end of the series, by a writer that did not go on; they do not count."""
    DUPLICATE_STEPS = "duplicate_steps"
    """Steps that were written more than once in a row; the last value counts."""
    GAP = "gap"
    """No point between these steps, far more of them than is usual."""
    PAUSE = "pause"
    """No point for far longer than is usual."""
    CLOCK_BACK = "clock_back"
    """A later step has an earlier time."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something odd in a series."""

    kind: SignKind
    step: int
    end_step: int
    """The same as `step` if it is one point."""
    wall_time: float
    """Unix seconds, of the point at `step`; NaN if the log has none."""
    end_wall_time: float
    """Of the point at `end_step`, in the same way."""
    count: int
    """Points concerned; of a gap or a pause 1."""
    size: float
    """Of a gap in steps, of pauses and clocks in seconds; else as `count`."""
    window: tuple[int, int] = (0, 0)
    """First and last step of a chart that shows it with `AROUND` points on either side."""


def signs(written: ScalarTimeSeries) -> list[Sign]:
    """Of a series with all of its points (`restarts="all"`), by step."""
    counts = ~written.superseded
    order = np.argsort(written.step[counts], kind="stable")
    step = written.step[counts][order]
    time = written.wall_time[counts][order]
    value = written.value[counts][order]
    found = [
        *_runs(SignKind.NAN, np.isnan(value), step, time),
        *_runs(SignKind.INFINITY, np.isinf(value), step, time),
        *_rewritten(written),
        *_gaps(step, time),
        *_clock(step, time),
    ]
    placed = (replace(sign, window=_window(step, sign)) for sign in found)
    return sorted(placed, key=lambda sign: (sign.step, sign.kind))


def strays(written: ScalarTimeSeries) -> Bools:
    """Which points of a series with all of its points (`restarts="all"`) are set aside as stray.

    The others that do not count were replaced: of the points before them, those as high are
    replaced, too.
    """
    if not written.superseded.any():
        return written.superseded
    counting = np.where(written.superseded, np.iinfo(np.int64).min, written.step)
    stray: Bools = written.superseded & (np.maximum.accumulate(counting) >= written.step)
    return stray


def restart_steps(written: ScalarTimeSeries) -> list[int]:
    """Where a series with all of its points (`restarts="all"`) was taken up again, ascending.

    Points come as they were written, strays apart. Where a step goes back behind a point that was
    replaced, the job was restarted; where it goes back behind one that stands, a point was merely
    late. Late, too, is one whose follower goes on beyond, where a restart that came later did the
    replacing.
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


def _window(step: Int64s, sign: Sign) -> tuple[int, int]:
    first = int(np.searchsorted(step, sign.step)) - AROUND
    last = int(np.searchsorted(step, sign.end_step, side="right")) - 1 + AROUND
    return int(step[max(0, first)]), int(step[min(len(step) - 1, last)])


def _runs(kind: SignKind, marked: Bools, step: Int64s, time: Float64s) -> list[Sign]:
    """Each run of marked points."""
    if not marked.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    lengths = ends - begins
    return [
        Sign(
            kind,
            int(step[begins[at]]),
            int(step[ends[at] - 1]),
            float(time[begins[at]]),
            float(time[ends[at] - 1]),
            int(lengths[at]),
            float(lengths[at]),
        )
        for at in _largest(lengths)
    ]


def _rewritten(written: ScalarTimeSeries) -> Iterator[Sign]:
    """Points that do not count: repeated at once, stray, or replaced by a later run."""
    gone = np.flatnonzero(written.superseded)
    if not len(gone):
        return
    following = np.minimum(gone + 1, len(written.step) - 1)
    stray = strays(written)[gone]
    repeated = ~stray & (written.step[following] == written.step[gone])
    kinds = (
        (SignKind.DUPLICATE_STEPS, gone[repeated]),
        (SignKind.STRAY, gone[stray]),
        (SignKind.RESTART, gone[~repeated & ~stray]),
    )
    for kind, rows in kinds:
        for part in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)[:NAMED]:
            if len(part):
                steps = written.step[part]
                first, last = int(part[steps.argmin()]), int(part[steps.argmax()])
                count = len(part)
                yield Sign(
                    kind,
                    int(steps.min()),
                    int(steps.max()),
                    float(written.wall_time[first]),
                    float(written.wall_time[last]),
                    count,
                    float(count),
                )


def _gaps(step: Int64s, time: Float64s) -> list[Sign]:
    if len(step) < FEWEST:
        return []
    apart = np.diff(step.astype(np.float64))
    large = np.flatnonzero(apart > LARGE_GAP * float(np.median(apart)))
    return _between(SignKind.GAP, large, apart, step, time)


def _clock(step: Int64s, time: Float64s) -> list[Sign]:
    known = np.isfinite(time)
    step, time = step[known], time[known]
    with np.errstate(over="ignore"):  # times may be as far apart as floats are
        passed = np.diff(time)
    back = np.flatnonzero(passed < -CLOCK_TOLERANCE)
    found = _between(SignKind.CLOCK_BACK, back, -passed, step, time)
    if len(step) >= FEWEST:
        with np.errstate(over="ignore", invalid="ignore"):
            usual = float(np.median(passed))
        long = np.flatnonzero(passed > max(SHORTEST_PAUSE, LONG_PAUSE * usual))
        found += _between(SignKind.PAUSE, long, passed, step, time)
    return found


def _between(
    kind: SignKind, rows: Int64s, sizes: Float64s, step: Int64s, time: Float64s
) -> list[Sign]:
    """Signs between each of these points and the next."""
    return [
        Sign(
            kind,
            int(step[row]),
            int(step[row + 1]),
            float(time[row]),
            float(time[row + 1]),
            1,
            float(sizes[row]),
        )
        for row in rows[_largest(sizes[rows])].tolist()
    ]


def _largest(sizes: Float64s | Int64s) -> list[int]:
    """Indices of the largest ones."""
    found: list[int] = np.argsort(-sizes, kind="stable")[:NAMED].tolist()
    return found
