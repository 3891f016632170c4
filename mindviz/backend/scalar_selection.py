"""Which points of a scalar series an answer holds: ranges first, then the reduction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.data_transform.columns import Int64s
from mindviz.datavisual.data_transform.data_provider import DataProvider, Restarts
from mindviz.datavisual.data_transform.sampling import minmax
from mindviz.datavisual.data_transform.time_series import ScalarTimeSeries

DEFAULT_MAX_POINTS = 1000


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

    def applied_to(self, series: ScalarTimeSeries) -> Int64s | None:
        """Indices of the points to serve; None if it is all of them."""
        chosen = self.in_range(series)
        if self.max_points is None:
            return chosen
        if chosen is None:
            if len(series.value) <= self.max_points:
                return None
            return minmax(series.value, self.max_points)
        if len(chosen) <= self.max_points:
            return chosen
        return chosen[minmax(series.value[chosen], self.max_points)]

    def in_range(self, series: ScalarTimeSeries) -> Int64s | None:
        """Indices of the points within the bounds; None if there are none to apply."""
        bounds = (self.start_step, self.end_step, self.start_time, self.end_time)
        if all(bound is None for bound in bounds):
            return None
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


def read_selection(
    provider: DataProvider, train_id: str, tag: str, selection: ScalarSelection
) -> SelectedScalars:
    """The points of one series that the selection asks for. Raises as `read_scalars`."""
    series = provider.read_scalars(
        train_id, tag, restarts=selection.restarts, writer=selection.writer
    )
    return SelectedScalars(train_id, tag, _chosen(series, selection.applied_to(series)))


def read_selection_since(
    provider: DataProvider,
    train_id: str,
    tag: str,
    selection: ScalarSelection,
    seen: tuple[str, int],
) -> SelectedScalars:
    """What is new since `seen` (epoch, total), raw; all anew if that is more than `max_points`.

    Raises as `read_scalars`.
    """
    epoch, total = seen
    new = provider.read_scalars_since(
        train_id, tag, epoch=epoch, total=total, writer=selection.writer
    )
    if new.reset:
        return read_selection(provider, train_id, tag, selection)
    chosen = selection.in_range(new.points)
    fresh = len(new.points.step) if chosen is None else len(chosen)
    if selection.max_points is not None and fresh > selection.max_points:
        # The reader is better off with a fresh reduction of everything.
        return read_selection(provider, train_id, tag, selection)
    points = _chosen(new.points, chosen)
    return SelectedScalars(train_id, tag, points, new.truncate_from_step, reset=False)


def _chosen(series: ScalarTimeSeries, indices: Int64s | None) -> ScalarTimeSeries:
    if indices is None:
        return series
    return ScalarTimeSeries(
        step=series.step[indices],
        wall_time=series.wall_time[indices],
        value=series.value[indices],
        superseded=series.superseded[indices],
        total=series.total,
        superseded_count=series.superseded_count,
        epoch=series.epoch,
        writers=series.writers,
    )
