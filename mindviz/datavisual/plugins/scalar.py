"""Scalars: numbers over steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.series_view import NewRows, Seen, SeriesView
from mindviz.datavisual.series.time_series import DataClass, ScalarIncrement
from mindviz.datavisual.store import Store


@dataclass(frozen=True, eq=False)
class ScalarView(SeriesView):
    """A view that can say exactly what a restart changed."""

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


def view(experiment: Store, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """Every point that counts. Raises TrainJobNotFound, TagNotFound."""
    return _view(experiment, train_id, tag, writer, "value")


def values(experiment: Store, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """The same as `data`. Raises as `view`."""
    return _view(experiment, train_id, tag, writer, "data")


def _view(
    experiment: Store, train_id: str, tag: str, writer: str | None, column: str
) -> ScalarView:
    series = experiment.read_scalars(train_id, tag, writer=writer)
    return ScalarView(
        step=series.step,
        wall_time=series.wall_time,
        columns={column: series.value},
        epoch=series.epoch,
        details={"superseded": series.superseded_count, "writers": list(series.writers)},
        total=series.total,
        read_since=lambda seen: experiment.read_scalars_since(
            train_id, tag, epoch=seen[0], total=seen[1], writer=writer
        ),
    )


PLUGIN = Plugin("scalar", "/scalar", DataClass.SCALAR, view, values={"": values})
