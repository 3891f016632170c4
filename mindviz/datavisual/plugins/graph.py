"""Graphs: of which form there is one at each step. Their scopes have routes of their own."""

from __future__ import annotations

from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, LoggedGraph
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series_view import ValuesView, read_as


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The form of every step's graph. Raises TrainJobNotFound, TagNotFound."""
    series = experiment.read_values(train_id, "graph", tag, writer=writer)
    return ValuesView.of(
        series,
        ("form",),
        lambda row: {"form": read_as(series, row, LoggedGraph, "a graph").form},
        {"kind": series.variety or "run"},
    )


PLUGIN = Plugin("graph", "", DataClass.BLOB_SEQUENCE, view)
