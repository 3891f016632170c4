"""Meshes: points in space, their colours, and the triangles between them.

A log has up to three series for one mesh, `<name>_VERTEX`, `<name>_FACE` and `<name>_COLOR`. Here
they are one, under the mesh's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, Tensor, ValueTimeSeries
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series_view import ValuesView, check_elements, read_as
from mindviz.errors import DamagedValue, TagNotFound

VERTEX, FACE, COLOR = "_VERTEX", "_FACE", "_COLOR"
SUFFIXES = (VERTEX, FACE, COLOR)


def tags(experiment: Experiment, train_id: str) -> Sequence[str]:
    """The names of a job's meshes. Raises TrainJobNotFound."""
    logged = experiment.list_tags(train_id).get("mesh", ())
    return [tag.removesuffix(VERTEX) for tag in logged if tag.endswith(VERTEX)]


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's mesh: as many as its batch has, of the shape (batch, number, 3) each.

    `tag` is the mesh's name, or that of one of its series. Faces and colours are those of the same
    step or, where there are none, the last ones before; None if there never were any. How the log
    wants it shown, its camera and material, is in the details as `config`.
    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    name = _name(tag)
    vertices = experiment.read_values(train_id, "mesh", f"{name}{VERTEX}", writer=writer)
    faces = _perhaps(experiment, train_id, f"{name}{FACE}", writer)
    colors = _perhaps(experiment, train_id, f"{name}{COLOR}", writer)

    def look(row: int) -> Mapping[str, object]:
        step = int(vertices.step[row])
        points = _read(vertices, row)
        return {
            "vertices": points,
            "faces": _latest(faces, step),
            "colors": _latest(colors, step),
            "dims": list(points.shape),
        }

    details = {"config": dict(vertices.config)}
    return ValuesView.of(vertices, ("vertices", "faces", "colors", "dims"), look, details)


def values(
    experiment: Experiment, train_id: str, tag: str, writer: str | None = None
) -> ValuesView:
    """Every step's tensor of one of the three series; by the mesh's name its vertices.

    Raises as `view`.
    """
    logged = tag if tag.endswith(SUFFIXES) else f"{tag}{VERTEX}"
    series = experiment.read_values(train_id, "mesh", logged, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        data = _read(series, row)
        return {"data": data.ravel(), "size": list(data.shape)}

    return ValuesView.of(series, ("data", "size"), look)


def _name(tag: str) -> str:
    suffix = next((suffix for suffix in SUFFIXES if tag.endswith(suffix)), "")
    return tag.removesuffix(suffix)


def _perhaps(
    experiment: Experiment, train_id: str, tag: str, writer: str | None
) -> ValueTimeSeries | None:
    try:
        return experiment.read_values(train_id, "mesh", tag, writer=writer)
    except TagNotFound:
        return None


def _latest(series: ValueTimeSeries | None, step: int) -> NDArray[np.generic] | None:
    if series is None:
        return None
    row = int(np.searchsorted(series.step, step, side="right")) - 1
    return _read(series, row) if row >= 0 else None


def _read(series: ValueTimeSeries, row: int) -> NDArray[np.generic]:
    data = read_as(series, row, Tensor, "a part of a mesh").data
    if data.ndim != 3 or data.shape[2] != 3 or data.dtype.kind not in "fiu":
        raise DamagedValue(f"A mesh cannot have the shape {list(data.shape)}, {data.dtype}.")
    check_elements(data.size)
    return data


PLUGIN = Plugin("mesh", "/mesh", DataClass.TENSOR, view, values={"": values}, tags=tags)
