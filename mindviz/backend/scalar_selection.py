"""Which points of a scalar series an answer holds: ranges first, then the reduction."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.sampling import minmax
from mindviz.datavisual.series.scalar_axis import ScalarAxis, placed
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.series.smoothing import Smoothing
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound

DEFAULT_MAX_POINTS = 1000

_NO_STEPS, _NO_VALUES = np.empty(0, np.int64), np.empty(0)

Chosen = slice | Int64s
"""Points of a series: one stretch of it, or indices, ascending."""


@dataclass(frozen=True, slots=True)
class ScalarSelection:
    """What a client wants of each series."""

    max_points: int | None = DEFAULT_MAX_POINTS
    """None: every point."""
    start_step: int | None = None
    end_step: int | None = None
    """Included, as all bounds."""
    start_time: float | None = None
    end_time: float | None = None
    restarts: Restarts = "latest"
    writer: str | None = None
    smoothing: Smoothing | None = None
    """Over all points of the series, whatever is chosen of them."""
    axis: ScalarAxis | None = None
    """None: points stand in the order of their steps."""

    def _reduced(self, chosen: Chosen, series: ScalarTimeSeries) -> Chosen:
        value = series.value[chosen]
        if self.max_points is None or len(value) <= self.max_points:
            return chosen
        kept = minmax(value, self.max_points)
        return kept + chosen.start if isinstance(chosen, slice) else chosen[kept]

    def selected(
        self,
        train_id: str,
        tag: str,
        series: ScalarTimeSeries,
        x_series: ScalarTimeSeries | None = None,
    ) -> SelectedScalars:
        """The points of this series to serve, smoothed if so asked.

        `x_series` is that of the `axis`; without one no point has a place on it.
        """
        if self.axis is not None:
            return self._along_axis(self.axis, train_id, tag, series, x_series)
        inside = self.in_range(series)
        chosen = self._reduced(inside, series)
        smoothed = None
        if self.smoothing is not None:
            smoothed = self.smoothing.of(series.step, series.value)[chosen]
        count = inside.stop - inside.start if isinstance(inside, slice) else len(inside)
        return SelectedScalars(
            train_id, tag, _chosen(series, chosen), in_range=count, smoothed=smoothed
        )

    def _along_axis(
        self,
        axis: ScalarAxis,
        train_id: str,
        tag: str,
        series: ScalarTimeSeries,
        x_series: ScalarTimeSeries | None,
    ) -> SelectedScalars:
        """From left to right, reduced in this order: what is highest and lowest there is served."""
        inside = np.arange(len(series.step))[self.in_range(series)]
        x_step, x_value = (_NO_STEPS, _NO_VALUES)
        if x_series is not None:
            x_step, x_value = x_series.step, x_series.value
        points = placed(series.step[inside], x_step, x_value)
        seen = points.within(axis)
        rows = inside[seen.rows]
        kept: Chosen = slice(0, len(rows))
        if self.max_points is not None and len(rows) > self.max_points:
            kept = minmax(series.value[rows], self.max_points)
        smoothed = None
        if self.smoothing is not None:
            smoothed = self.smoothing.of(series.step, series.value)[rows[kept]]
        return SelectedScalars(
            train_id,
            tag,
            replace(_chosen(series, rows[kept]), epoch=_epoch(series, x_series)),
            in_range=len(rows),
            smoothed=smoothed,
            x=seen.x[kept],
            without_x=len(inside) - len(points.rows),
        )

    def in_range(self, series: ScalarTimeSeries) -> Chosen:
        """The points within the bounds."""
        if self.start_time is not None or self.end_time is not None or self.restarts == "all":
            return self._in_range_one_by_one(series)
        # Steps increase strictly: what is within bounds is one stretch, and needs no copy.
        begin, end = 0, len(series.step)
        if self.start_step is not None:
            begin = int(np.searchsorted(series.step, self.start_step, side="left"))
        if self.end_step is not None:
            end = int(np.searchsorted(series.step, self.end_step, side="right"))
        return slice(begin, max(begin, end))

    def _in_range_one_by_one(self, series: ScalarTimeSeries) -> Int64s:
        inside = np.ones(len(series.step), dtype=np.bool_)
        if self.start_step is not None:
            inside &= series.step >= self.start_step
        if self.end_step is not None:
            inside &= series.step <= self.end_step
        # A point without a time (NaN) is in no range of times.
        if self.start_time is not None:
            inside &= series.wall_time >= self.start_time
        if self.end_time is not None:
            inside &= series.wall_time <= self.end_time
        return np.flatnonzero(inside)


@dataclass(frozen=True, slots=True, eq=False)
class SelectedScalars:
    """The answer for one series: its points as they are served, and what is known of the rest."""

    train_id: str
    tag: str
    """As the log has it."""
    points: ScalarTimeSeries
    """Only those chosen; `total`, `superseded_count` and `writers` speak of the whole series."""
    truncate_from_step: int | None = None
    """With a cursor: drop the points from this step on before appending."""
    reset: bool = True
    """Whether this replaces what was served before; False only where a cursor could be followed."""
    in_range: int | None = None
    """How many points are within the bounds; None: those that are served."""
    smoothed: Float64s | None = None
    """What became of the points; None if nothing was to be smoothed."""
    x: Float64s | None = None
    """Where the points are on an axis that is another scalar, ascending; None on any other."""
    without_x: int = 0
    """Points within the bounds of steps and times that have no place on that axis."""


def read_selection(
    experiment: Store, train_id: str, tag: str, selection: ScalarSelection
) -> SelectedScalars:
    """The points of one series that the selection asks for. Raises as `read_scalars`."""
    series = experiment.read_scalars(
        train_id, tag, restarts=selection.restarts, writer=selection.writer
    )
    return selection.selected(train_id, tag, series, read_axis(experiment, train_id, selection))


def read_axis(
    experiment: Store, train_id: str, selection: ScalarSelection
) -> ScalarTimeSeries | None:
    """The series that is the x axis; None if there is no such axis, or the job has no such series.

    Raises TrainJobNotFound.
    """
    if selection.axis is None:
        return None
    try:
        return experiment.read_scalars(train_id, selection.axis.tag)
    except TagNotFound:
        return None


def read_selection_since(
    experiment: Store,
    train_id: str,
    tag: str,
    selection: ScalarSelection,
    seen: tuple[str, int],
) -> SelectedScalars:
    """What is new since `seen` (epoch, total), raw; all anew if that is more than `max_points`.

    Raises as `read_scalars`.
    """
    epoch, total = seen
    looks_ahead = selection.smoothing is not None and selection.smoothing.looks_ahead
    if looks_ahead or selection.axis is not None:
        return _unless_nothing_is_new(experiment, train_id, tag, selection, seen)
    new = experiment.read_scalars_since(
        train_id, tag, epoch=epoch, total=total, writer=selection.writer
    )
    if new.reset:
        return read_selection(experiment, train_id, tag, selection)
    points = _chosen(new.points, selection.in_range(new.points))
    if selection.max_points is not None and len(points.step) > selection.max_points:
        # The reader is better off with a fresh reduction of everything.
        return read_selection(experiment, train_id, tag, selection)
    smoothed = None
    if selection.smoothing is not None:
        smoothed = _smoothed_end(experiment, train_id, tag, selection, points)
    return SelectedScalars(
        train_id, tag, points, new.truncate_from_step, reset=False, smoothed=smoothed
    )


def _unless_nothing_is_new(
    experiment: Store,
    train_id: str,
    tag: str,
    selection: ScalarSelection,
    seen: tuple[str, int],
) -> SelectedScalars:
    """All anew, as a new point changes what became of others; nothing if there is none."""
    series = experiment.read_scalars(
        train_id, tag, restarts=selection.restarts, writer=selection.writer
    )
    x_series = read_axis(experiment, train_id, selection)
    if (_epoch(series, x_series), series.total) != seen:
        return selection.selected(train_id, tag, series, x_series)
    # Smoothing all of a long series takes longer than everything else, and none of it is served.
    counted = replace(selection, smoothing=None).selected(train_id, tag, series, x_series)
    none = _chosen(counted.points, slice(0, 0))
    return replace(
        counted,
        points=none,
        reset=False,
        smoothed=None if selection.smoothing is None else none.value,
        x=None if counted.x is None else none.value,
    )


def _smoothed_end(
    experiment: Store,
    train_id: str,
    tag: str,
    selection: ScalarSelection,
    points: ScalarTimeSeries,
) -> Float64s:
    """What became of these new points: the points before them count, too."""
    assert selection.smoothing is not None
    series = experiment.read_scalars(
        train_id, tag, restarts=selection.restarts, writer=selection.writer
    )
    smoothed = selection.smoothing.of(series.step, series.value)
    # The log may have grown meanwhile; steps increase, so each point is found by its step.
    places = np.searchsorted(series.step, points.step).clip(max=max(0, len(smoothed) - 1))
    ends: Float64s = smoothed[places] if len(smoothed) else points.value
    return ends


def _epoch(series: ScalarTimeSeries, x_series: ScalarTimeSeries | None) -> str:
    """What stays the same until all has to be served anew: on an axis, while that doesn't grow."""
    return series.epoch if x_series is None else f"{series.epoch}|{x_series.epoch}:{x_series.total}"


def _chosen(series: ScalarTimeSeries, chosen: Chosen) -> ScalarTimeSeries:
    if isinstance(chosen, slice) and chosen.stop - chosen.start == len(series.step):
        return series
    return replace(
        series,
        step=series.step[chosen],
        wall_time=series.wall_time[chosen],
        value=series.value[chosen],
        superseded=series.superseded[chosen],
    )
