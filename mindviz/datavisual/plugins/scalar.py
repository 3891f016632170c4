"""Scalars: numbers over steps."""

from __future__ import annotations

from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.datavisual.plugins import Plugin, SeriesView


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """Every point that counts. Raises TrainJobNotFound, TagNotFound."""
    series = experiment.read_scalars(train_id, tag, writer=writer)
    return SeriesView(
        step=series.step,
        wall_time=series.wall_time,
        columns={"value": series.value},
        epoch=series.epoch,
        details={
            "total": series.total,
            "superseded_count": series.superseded_count,
            "writers": list(series.writers),
        },
    )


PLUGIN = Plugin("scalar", "/scalar", DataClass.SCALAR, view)
