"""Graphs: of which form there is one at each step. Their scopes have routes of their own."""

from __future__ import annotations

from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, LoggedGraph
from mindviz.datavisual.plugins import Plugin, SeriesView
from mindviz.errors import DamagedValue


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """The form of every step's graph. Raises TrainJobNotFound, TagNotFound."""
    series = experiment.read_values(train_id, "graph", tag, writer=writer)
    forms: list[str | None] = []
    problems: dict[int, str] = {}
    for i in range(len(series.step)):
        try:
            value = series.read(i)
            if not isinstance(value, LoggedGraph):
                raise DamagedValue("The value is not a graph.")  # noqa: TRY301 -- as if unreadable
            forms.append(value.form)
        except DamagedValue as error:
            forms.append(None)
            problems[i] = str(error)
    return SeriesView(
        step=series.step,
        wall_time=series.wall_time,
        columns={"form": forms},
        epoch=series.epoch,
        problems=problems,
        details={"kind": series.variety or "run"},
    )


PLUGIN = Plugin("graph", "", DataClass.BLOB_SEQUENCE, view)
