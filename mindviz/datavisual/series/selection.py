"""Selects points of a series: by range, then by sampling. Pure functions of columns.

Every interface selects here: the REST API, `mindviz.open`, exports and gRPC return the same points
for the same selection. Databases apply them to chunks; one suite checks both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mindviz.datavisual.series import sampling
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.scalar_axis import ScalarAxis, placed
from mindviz.datavisual.series.series_view import Rows, Seen, View
from mindviz.datavisual.series.smoothing import Smoothing
from mindviz.datavisual.series.time_series import ScalarIncrement, ScalarTimeSeries
from mindviz.errors import AnswerTooLarge, InvalidQuery

MAX_ROWS = 2_000_000
"""Steps that `select_rows` reads."""

Restarts = Literal["latest", "all"]
"""Which points of a restarted run: those that count, or also those that a restart replaced."""

Strategy = Literal["uniform", "reservoir", "minmax"]

Chosen = slice | Int64s
"""Points of a series: one stretch, or ascending indices."""

_NO_STEPS, _NO_VALUES = np.empty(0, np.int64), np.empty(0)


@dataclass(frozen=True, slots=True)
class StepRange:
    """Steps from `start` to `end`, limited to the last `most_recent` of them. None: no limit."""

    start: int | None = None
    end: int | None = None
    """Inclusive."""
    most_recent: int | None = None


@dataclass(frozen=True, slots=True)
class Downsample:
    """How many points of each series to keep, and how to choose them."""

    num_points: int
    """At least 0."""
    strategy: Strategy = "uniform"
    """`minmax` needs one number per step."""
    seed: int = 0
    """For `reservoir`."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which points of a series. The default is every point that counts."""

    steps: StepRange = StepRange()
    start_time: float | None = None
    """Unix seconds."""
    end_time: float | None = None
    """Inclusive."""
    downsample: Downsample | None = None
    """None: keep every point in range."""
    restarts: Restarts = "latest"
    writer: str | None = None
    """None: the first of the series' writers."""
    smoothing: Smoothing | None = None
    """Computed over the whole series, before any point is left out."""
    axis: ScalarAxis | None = None
    """Another scalar as the x axis. None: steps."""

    @property
    def needs_all_points(self) -> bool:
        """Whether every new point may change what earlier points look like."""
        return self.axis is not None or (self.smoothing is not None and self.smoothing.looks_ahead)

    def in_range(self, step: Int64s, wall_time: Float64s) -> Chosen:
        """The points within the bounds. A point without a time (NaN) is in no range of times."""
        timed = self.start_time is not None or self.end_time is not None
        if not timed and (self.restarts == "latest" or self.steps == StepRange()):
            return step_slice(step, self.steps)
        inside = np.ones(len(step), dtype=np.bool_)
        if self.steps.start is not None:
            inside &= step >= self.steps.start
        if self.steps.end is not None:
            inside &= step <= self.steps.end
        if self.start_time is not None:
            inside &= wall_time >= self.start_time
        if self.end_time is not None:
            inside &= wall_time <= self.end_time
        rows = np.flatnonzero(inside)
        most_recent = self.steps.most_recent
        return rows if most_recent is None else rows[max(0, len(rows) - most_recent) :]


@dataclass(frozen=True, slots=True, eq=False)
class SelectedScalars:
    """Selected points of a scalar series, and facts about the rest."""

    points: ScalarTimeSeries
    """Selected points only; `total`, `superseded_count` and `writers` describe the whole series."""
    in_range: int
    """Points within the bounds, before sampling."""
    smoothed: Float64s | None = None
    """Smoothed values of the points. None: no smoothing was selected."""
    x: Float64s | None = None
    """Positions on another scalar's axis, ascending. None: the axis is steps."""
    without_x: int = 0
    """Points within the bounds of steps and times that have no position on that axis."""
    truncate_from_step: int | None = None
    """The reader must drop its points from this step on before it appends these."""
    reset: bool = True
    """Whether the reader must drop all its points first."""


@dataclass(frozen=True, slots=True, eq=False)
class SelectedRows:
    """Selected steps of a view."""

    step: Int64s
    wall_time: Float64s
    rows: Rows
    total: int
    """Steps of the whole series."""
    reset: bool
    """Whether the reader must drop all its rows first."""
    truncate_from_step: int | None
    """The reader must drop its rows from this step on before it appends these."""
    seen: Seen
    """What a reader of these rows has seen."""


def step_slice(step: Int64s, steps: StepRange) -> slice:
    """The points in the range; `step` increases strictly."""
    # numpy cannot compare int64 with bounds outside of int64.
    first = 0 if steps.start is None else _position(step, steps.start, "left")
    end = len(step) if steps.end is None else _position(step, steps.end, "right")
    if steps.most_recent is not None:
        first = max(first, end - steps.most_recent)
    return slice(first, max(first, end))


def _position(step: Int64s, bound: int, side: Literal["left", "right"]) -> int:
    if not -(1 << 63) <= bound < 1 << 63:
        return 0 if bound < 0 else len(step)
    return int(np.searchsorted(step, bound, side=side))


def kept_ranks(
    total: int, downsample: Downsample | None, value: Float64s | None = None
) -> Int64s | None:
    """Indices, ascending, of the points kept of `total`; None for all. `minmax` needs `value`."""
    if downsample is None or downsample.num_points >= total:
        return None
    count = downsample.num_points
    if downsample.strategy == "reservoir":
        return sampling.reservoir(total, count, downsample.seed)
    if downsample.strategy == "minmax" and value is not None and count:
        return sampling.minmax(value, count)
    return sampling.uniform(total, count)


# Scalars ------------------------------------------------------------------------------------------


def select_scalars(
    series: ScalarTimeSeries, selection: Selection, x_series: ScalarTimeSeries | None = None
) -> SelectedScalars:
    """The selected points. `x_series` belongs to the selection's axis; None if there is none.

    `series` was read with the selection's `restarts` and `writer`.
    """
    inside = selection.in_range(series.step, series.wall_time)
    if selection.axis is not None:
        return _select_along(selection.axis, series, selection, inside, x_series)
    chosen = inside
    if selection.downsample is not None:
        kept = kept_ranks(_count(inside), selection.downsample, series.value[inside])
        if kept is not None:
            chosen = kept + inside.start if isinstance(inside, slice) else inside[kept]
    return SelectedScalars(
        _points(series, chosen),
        in_range=_count(inside),
        smoothed=_smoothed(series, selection, chosen),
    )


def _select_along(
    axis: ScalarAxis,
    series: ScalarTimeSeries,
    selection: Selection,
    inside: Chosen,
    x_series: ScalarTimeSeries | None,
) -> SelectedScalars:
    """From left to right, sampled in this order: `minmax` keeps what is extreme on this axis."""
    every = np.arange(len(series.step))[inside]
    x_step, x_value = _NO_STEPS, _NO_VALUES
    if x_series is not None:
        x_step, x_value = x_series.step, x_series.value
    points = placed(series.step[every], x_step, x_value)
    visible = points.within(axis)
    rows, x = every[visible.rows], visible.x
    count = len(rows)
    kept = kept_ranks(count, selection.downsample, series.value[rows])
    if kept is not None:
        rows, x = rows[kept], x[kept]
    return SelectedScalars(
        replace(_points(series, rows), epoch=_epoch(series, x_series)),
        in_range=count,
        smoothed=_smoothed(series, selection, rows),
        x=x,
        without_x=len(every) - len(points.rows),
    )


def select_if_changed(
    series: ScalarTimeSeries, selection: Selection, x_series: ScalarTimeSeries | None, seen: Seen
) -> SelectedScalars:
    """All selected points if any is new since `seen`, else an increment without points."""
    if (_epoch(series, x_series), series.total) != seen:
        return select_scalars(series, selection, x_series)
    # Smoothing all of a long series would take longer than everything else.
    counted = select_scalars(series, replace(selection, smoothing=None), x_series)
    none = _points(counted.points, slice(0, 0))
    return replace(
        counted,
        points=none,
        reset=False,
        smoothed=None if selection.smoothing is None else none.value,
        x=None if counted.x is None else none.value,
    )


def select_increment(new: ScalarIncrement, selection: Selection) -> SelectedScalars | None:
    """The new points in range, not sampled and not yet smoothed.

    None if the reader must start over, or if there are more points than a sample holds.
    """
    if new.reset:
        return None
    points = _points(new.points, selection.in_range(new.points.step, new.points.wall_time))
    count = len(points.step)
    if selection.downsample is not None and count > selection.downsample.num_points:
        return None
    return SelectedScalars(
        points, in_range=count, truncate_from_step=new.truncate_from_step, reset=False
    )


def smooth_increment(
    increment: SelectedScalars, new: ScalarIncrement, series: ScalarTimeSeries, smoothing: Smoothing
) -> SelectedScalars | None:
    """The increment with smoothed values, which depend on the points before it in `series`.

    None if `new` changes the smoothed values of those points.
    """
    # The range of the points that the reader had before a restart is not known.
    if new.truncate_from_step is not None and smoothing.kind == "twema":
        return None
    # Smoothing all of a long series would take longer than everything else.
    if not len(new.points.step) or not len(series.step):
        return replace(increment, smoothed=increment.points.value)
    # The log may have grown since the increment was read, so points are found by their step.
    first_new = int(np.searchsorted(series.step, new.points.step[0]))
    if not smoothing.keeps_first(first_new, series.step, series.value):
        return None
    smoothed = smoothing.of(series.step, series.value)
    rows = np.searchsorted(series.step, increment.points.step).clip(max=len(smoothed) - 1)
    return replace(increment, smoothed=smoothed[rows])


def _smoothed(series: ScalarTimeSeries, selection: Selection, chosen: Chosen) -> Float64s | None:
    if selection.smoothing is None:
        return None
    smoothed: Float64s = selection.smoothing.of(series.step, series.value)[chosen]
    return smoothed


def _epoch(series: ScalarTimeSeries, x_series: ScalarTimeSeries | None) -> str:
    """On another axis, a new point of that scalar also makes readers start over."""
    return series.epoch if x_series is None else f"{series.epoch}|{x_series.epoch}:{x_series.total}"


def _count(chosen: Chosen) -> int:
    return chosen.stop - chosen.start if isinstance(chosen, slice) else len(chosen)


def _points(series: ScalarTimeSeries, chosen: Chosen) -> ScalarTimeSeries:
    if isinstance(chosen, slice) and _count(chosen) == len(series.step):
        return series
    return replace(
        series,
        step=series.step[chosen],
        wall_time=series.wall_time[chosen],
        value=series.value[chosen],
        superseded=series.superseded[chosen],
    )


# Views --------------------------------------------------------------------------------------------


def select_rows(view: View, selection: Selection, seen: Seen | None) -> SelectedRows:
    """The selected steps, or those that are new since `seen`.

    All steps if `seen` is not a state of this view, or if more are new than a sample holds. Of the
    selection, only the range of steps and the sample apply to views.
    Raises AnswerTooLarge, InvalidQuery.
    """
    inside = step_slice(view.step, selection.steps)
    if seen is not None:
        token, _, frame = seen[0].partition("|")
        new = view.new_since((token, seen[1]))
        if new is not None:
            rows = np.arange(max(new.first, inside.start), inside.stop)
            sample = selection.downsample
            if sample is None or len(rows) <= sample.num_points:
                shown = _read(view, rows, frame)
                if shown.frame == frame:
                    return _selected_rows(view, rows, shown, new.truncate_from_step, reset=False)
    rows = _sampled(view, np.arange(inside.start, inside.stop), selection.downsample)
    return _selected_rows(view, rows, _read(view, rows, ""), None, reset=True)


def _sampled(view: View, rows: Int64s, downsample: Downsample | None) -> Int64s:
    value = None
    if downsample is not None and downsample.strategy == "minmax":
        value = _numbers(view, rows)
    kept = kept_ranks(len(rows), downsample, value)
    return rows if kept is None else rows[kept]


def _numbers(view: View, rows: Int64s) -> Float64s:
    columns = list(view.read(rows).columns.values()) if view.is_cheap else []
    if len(columns) != 1 or not isinstance(columns[0], np.ndarray) or columns[0].dtype.kind != "f":
        raise InvalidQuery("sampling=minmax needs a series of numbers.")
    return columns[0].astype(np.float64, copy=False)


def _read(view: View, rows: Int64s, frame: str) -> Rows:
    if len(rows) > MAX_ROWS:
        raise AnswerTooLarge(
            f"The series has {len(rows)} steps; an answer has at most {MAX_ROWS}. Ask for fewer "
            "with most_recent, sample, or start_step and end_step."
        )
    return view.read(rows, frame)


def _selected_rows(
    view: View, rows: Int64s, shown: Rows, truncate_from_step: int | None, *, reset: bool
) -> SelectedRows:
    token, total = view.seen
    return SelectedRows(
        step=view.step[rows],
        wall_time=view.wall_time[rows],
        rows=shown,
        total=len(view.step),
        reset=reset,
        truncate_from_step=truncate_from_step,
        seen=(f"{token}|{shown.frame}", total),
    )
