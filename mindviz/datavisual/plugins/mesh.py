"""Meshes: points in space, their colors, and the triangles between them.

A log has up to three series for one mesh, `<name>_VERTEX`, `<name>_FACE` and `<name>_COLOR`. Here
they are one, under the mesh's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.payloads.mesh_message import mesh_config
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.generic_name import ANY, GenericName
from mindviz.datavisual.series.series_view import ValuesView, check_elements, read_as
from mindviz.datavisual.series.time_series import DataClass, Tensor, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, TagNotFound

VERTEX, FACE, COLOR = "_VERTEX", "_FACE", "_COLOR"
SUFFIXES = (VERTEX, FACE, COLOR)


def tags(store: Store, train_id: str) -> Sequence[str]:
    """The names of a job's meshes. Raises TrainJobNotFound."""
    logged = store.list_tags(train_id).get("mesh", ())
    return [tag.removesuffix(VERTEX) for tag in logged if tag.endswith(VERTEX)]


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The shape (batch, number, 3) of each step's mesh, and the steps and shapes of its parts.

    `tag` is the mesh's name, or that of one of its series. Faces and colors are those of the same
    step or else the last ones before; None without any. The details contain the camera and material
    from the log as `config`.
    Raises TrainJobNotFound, TagNotFound.
    """
    name = _name(tag)
    vertices = store.read_values(train_id, "mesh", f"{name}{VERTEX}", writer=writer)
    faces = _perhaps(store, train_id, f"{name}{FACE}", writer)
    colors = _perhaps(store, train_id, f"{name}{COLOR}", writer)

    def show(row: int) -> Mapping[str, object]:
        step = int(vertices.step[row])
        return {
            "dims": list(_read(vertices, row).shape),
            "faces": _latest(faces, step),
            "colors": _latest(colors, step),
        }

    details = {"config": dict(vertices.config)}
    return ValuesView.of(vertices, ("dims", "faces", "colors"), show, details)


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's tensor of one of the three series; by the mesh's name its vertices.

    Raises as `view`, and AnswerTooLarge.
    """
    logged = tag if tag.endswith(SUFFIXES) else f"{tag}{VERTEX}"
    series = store.read_values(train_id, "mesh", logged, writer=writer)

    def show(row: int) -> Mapping[str, object]:
        data = _read(series, row)
        check_elements(data.size)
        return {"data": data.ravel(), "size": list(data.shape)}

    return ValuesView.of(series, ("data", "size"), show)


def _name(tag: str) -> str:
    suffix = next((suffix for suffix in SUFFIXES if tag.endswith(suffix)), "")
    return tag.removesuffix(suffix)


def _perhaps(store: Store, train_id: str, tag: str, writer: str | None) -> ValueTimeSeries | None:
    try:
        return store.read_values(train_id, "mesh", tag, writer=writer)
    except TagNotFound:
        return None


def _latest(series: ValueTimeSeries | None, step: int) -> Mapping[str, object] | None:
    if series is None:
        return None
    row = int(np.searchsorted(series.step, step, side="right")) - 1
    if row < 0:
        return None
    return {"step": int(series.step[row]), "dims": list(_read(series, row).shape)}


def _read(series: ValueTimeSeries, row: int) -> NDArray[np.generic]:
    data = read_as(series, row, Tensor, "a part of a mesh").data
    if data.ndim != 3 or data.shape[2] != 3 or data.dtype.kind not in "fiu":
        raise DamagedValue(f"A mesh cannot have the shape {list(data.shape)}, {data.dtype}.")
    return data


PLUGIN = Plugin(
    "mesh",
    "/mesh",
    DataClass.TENSOR,
    view,
    values={"": values},
    tags=tags,
    names=(GenericName("mesh", DataClass.TENSOR, shape=(ANY, ANY, 3), dtype_kinds="iuf"),),
    config=mesh_config,
)
