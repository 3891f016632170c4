"""Scalars: numbers over steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.generic_name import GenericName
from mindviz.datavisual.series.selection import (
    SelectedScalars,
    Selection,
    select_if_changed,
    select_increment,
    select_scalars,
    smooth_increment,
)
from mindviz.datavisual.series.series_view import NewRows, Seen, SeriesView
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    DataClass,
    ScalarIncrement,
    ScalarTimeSeries,
)
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound


@dataclass(frozen=True, eq=False)
class ScalarView(SeriesView):
    """A view that knows exactly which points a restart changed."""

    total: int = 0
    """Points in the log, superseded ones included."""
    read_since: Callable[[Seen], ScalarIncrement] | None = None

    @property
    def seen(self) -> Seen:
        """As in `View`."""
        return self.epoch, self.total

    def new_since(self, seen: Seen) -> NewRows | None:
        """As in `View`."""
        assert self.read_since is not None
        new = self.read_since(seen)
        # The log may have grown since this view was made.
        if new.reset or (new.points.epoch, new.points.total) != self.seen:
            return None
        # What is new is the end of the series: steps increase, and a rewind takes all behind it.
        return NewRows(len(self.step) - len(new.points.step), new.truncate_from_step)


def read(
    store: Store, train_id: str, tag: str, selection: Selection, seen: Seen | None = None
) -> SelectedScalars:
    """The selected points of a series; with `seen`, the new ones, if the rest still holds.

    Raises as `Store.read_scalars`.
    """
    if seen is not None and not selection.needs_all_points:
        increment = _read_increment(store, train_id, tag, selection, seen)
        if increment is not None:
            return increment
    series = _read_series(store, train_id, tag, selection)
    x_series = _read_axis(store, train_id, selection)
    if seen is not None and selection.needs_all_points:
        return select_if_changed(series, selection, x_series, seen)
    return select_scalars(series, selection, x_series)


def read_formula(
    store: Store, train_id: str, formula: TagFormula, selection: Selection
) -> SelectedScalars:
    """The selected points of a computed series. Raises as `Store.read_scalars`."""
    series = formula.of([store.read_scalars(train_id, tag) for tag in formula.tags])
    return select_scalars(series, selection, _read_axis(store, train_id, selection))


def read_writers(
    store: Store, train_id: str, tag: str, selection: Selection
) -> Iterator[tuple[str, SelectedScalars]]:
    """The selected points of each writer, by its name; the name is empty if there is only one.

    Raises as `Store.read_scalars`.
    """
    first = read(store, train_id, tag, selection)
    writers = first.points.writers
    yield writers[0] if len(writers) > 1 else "", first
    for writer in writers[1:]:
        yield writer, read(store, train_id, tag, replace(selection, writer=writer))


def _read_series(store: Store, train_id: str, tag: str, selection: Selection) -> ScalarTimeSeries:
    return store.read_scalars(train_id, tag, restarts=selection.restarts, writer=selection.writer)


def _read_axis(store: Store, train_id: str, selection: Selection) -> ScalarTimeSeries | None:
    """The series of the x axis; None if there is no such axis or the job lacks the series."""
    if selection.axis is None:
        return None
    try:
        return store.read_scalars(train_id, selection.axis.tag)
    except TagNotFound:
        return None


def _read_increment(
    store: Store, train_id: str, tag: str, selection: Selection, seen: Seen
) -> SelectedScalars | None:
    epoch, total = seen
    new = store.read_scalars_since(train_id, tag, epoch=epoch, total=total, writer=selection.writer)
    increment = select_increment(new, selection)
    if increment is None or selection.smoothing is None:
        return increment
    series = _read_series(store, train_id, tag, selection)
    return smooth_increment(increment, new, series, selection.smoothing)


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """Every point that counts. Raises TrainJobNotFound, TagNotFound."""
    return _view(store, train_id, tag, writer, "value")


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """The same as `data`. Raises as `view`."""
    return _view(store, train_id, tag, writer, "data")


def _view(store: Store, train_id: str, tag: str, writer: str | None, column: str) -> ScalarView:
    series = store.read_scalars(train_id, tag, writer=writer)
    return ScalarView(
        step=series.step,
        wall_time=series.wall_time,
        columns={column: series.value},
        epoch=series.epoch,
        details={"superseded": series.superseded_count, "writers": list(series.writers)},
        total=series.total,
        read_since=lambda seen: store.read_scalars_since(
            train_id, tag, epoch=seen[0], total=seen[1], writer=writer
        ),
    )


PLUGIN = Plugin(
    SCALAR_PLUGIN,
    "/scalar",
    DataClass.SCALAR,
    view,
    values={"": values},
    names=(GenericName("scalars", DataClass.SCALAR, fields=("scalar",)),),
)
