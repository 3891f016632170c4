"""Embeddings: points of many dimensions, projected so that they can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mindviz.datavisual.analysis.nearest_points import NearestPoints, nearest_points
from mindviz.datavisual.analysis.principal_components import (
    EXACT_DIMENSIONS,
    Projection,
    principal_components,
)
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.plugins.tensor import read_embedding, read_tensor
from mindviz.datavisual.series.series_view import ValuesView, check_elements, read_as
from mindviz.datavisual.series.time_series import DataClass, Embedding
from mindviz.datavisual.store import Store
from mindviz.errors import InvalidQuery, TensorTooLarge

MAX_COORDINATES = 256_000_000
"""Points times dimensions of what is projected: two million points of 128 dimensions."""
MAX_ITERATED = 50_000_000
"""The same of points of more dimensions than are decomposed exactly: it takes more memory."""


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Of every step how many points it has, and what is known of each of them.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = store.read_values(train_id, "embedding", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        found = read_as(series, row, Embedding, "an embedding")
        return {
            "dims": list(found.vectors.shape),
            "header": list(found.header),
            "sprite_size": list(found.sprite_size) if found.sprite else None,
        }

    return ValuesView.of(series, _COLUMNS, look)


_COLUMNS = ("dims", "header", "sprite_size")


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedPoints:
    """The points of one step where they can be seen, and what they are called."""

    projection: Projection
    labels: tuple[tuple[str, tuple[str, ...]], ...]
    """The name of each kind of label, and one text per point."""


def find_points(store: Store, train_id: str, tag: str, step: int) -> ProjectedPoints:
    """The points at `step` in the three dimensions that they spread most in.

    Raises TrainJobNotFound, TagNotFound, StepNotFound, DamagedValue, TensorTooLarge.
    """
    found = read_embedding(store, train_id, tag, step)
    most = MAX_COORDINATES if found.vectors.shape[1] <= EXACT_DIMENSIONS else MAX_ITERATED
    if found.vectors.size > most:
        raise TensorTooLarge(
            f"The embedding has {found.vectors.size} coordinates, more than the {most} of so many "
            "dimensions that are projected."
        )
    columns = list(zip(*found.labels, strict=True))
    names = [found.header[i] if i < len(found.header) else str(i + 1) for i in range(len(columns))]
    return ProjectedPoints(
        principal_components(found.vectors), tuple(zip(names, columns, strict=True))
    )


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's coordinates, point by point. Raises as `view`."""
    series = store.read_values(train_id, "embedding", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        vectors = read_as(series, row, Embedding, "an embedding").vectors
        check_elements(vectors.size)
        return {"data": vectors.ravel(), "size": list(vectors.shape)}

    return ValuesView.of(series, ("data", "size"), look)


def find_neighbours(
    store: Store,
    train_id: str,
    tag: str,
    step: int,
    point: int,
    *,
    distance: str,
    most: int,
) -> NearestPoints:
    """The points nearest to number `point` at `step`, as `nearest_points` finds them.

    Raises TrainJobNotFound, TagNotFound, StepNotFound, InvalidQuery, DamagedValue.
    """
    vectors = read_tensor(store, "embedding", train_id, tag, step)
    if not 0 <= point < len(vectors):
        raise InvalidQuery(f"There is no point {point}: the embedding has {len(vectors)}.")
    return nearest_points(vectors, point, distance, most)


PLUGIN = Plugin("embedding", "/embedding", DataClass.TENSOR, view, values={"": values})
