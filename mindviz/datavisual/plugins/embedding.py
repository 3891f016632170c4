"""Embeddings: points of many dimensions, projected to three."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.nearest_points import NearestPoints, nearest_points
from mindviz.datavisual.analysis.principal_components import (
    EXACT_DIMENSIONS,
    Projection,
    principal_components,
)
from mindviz.datavisual.payloads.tensor_message import tensorflow_strings
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.plugins.tensor import read_embedding, read_tensor
from mindviz.datavisual.series.generic_name import ANY, Companion, Companions, GenericName, strings
from mindviz.datavisual.series.series_view import check_elements, read_as
from mindviz.datavisual.series.time_series import DataClass, Embedding, Tensor, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, InvalidQuery, TensorTooLarge

MAX_COORDINATES = 256_000_000
"""Points times dimensions of a projection, such as two million points of 128 dimensions."""
MAX_ITERATED = 50_000_000
"""The same above `EXACT_DIMENSIONS`, which takes more memory."""


@logged_view("dims", "header", "sprite_size")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """The shape, label names and sprite size of a step."""
    embedding = read_as(series, row, Embedding, "an embedding")
    return {
        "dims": list(embedding.vectors.shape),
        "header": list(embedding.header),
        "sprite_size": list(embedding.sprite_size) if embedding.sprite else None,
    }


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedPoints:
    """Projected points of one step, and their labels."""

    projection: Projection
    labels: tuple[tuple[str, tuple[str, ...]], ...]
    """The name of each kind of label, and one text per point."""


def find_points(store: Store, train_id: str, tag: str, step: int) -> ProjectedPoints:
    """The points at `step` in the three dimensions with the largest variance.

    Raises TrainJobNotFound, TagNotFound, StepNotFound, DamagedValue, TensorTooLarge.
    """
    value = read_embedding(store, train_id, tag, step)
    limit = MAX_COORDINATES if value.vectors.shape[1] <= EXACT_DIMENSIONS else MAX_ITERATED
    if value.vectors.size > limit:
        raise TensorTooLarge(
            f"The embedding has {value.vectors.size} coordinates, more than the {limit} of so many "
            "dimensions that are projected."
        )
    columns = list(zip(*value.labels, strict=True))
    names = [value.header[i] if i < len(value.header) else str(i + 1) for i in range(len(columns))]
    return ProjectedPoints(
        principal_components(value.vectors), tuple(zip(names, columns, strict=True))
    )


@logged_view("data", "size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's coordinates, point by point. Raises AnswerTooLarge."""
    vectors = read_as(series, row, Embedding, "an embedding").vectors
    check_elements(vectors.size)
    return {"data": vectors.ravel(), "size": list(vectors.shape)}


def find_neighbors(
    store: Store,
    train_id: str,
    tag: str,
    step: int,
    point: int,
    *,
    distance: str,
    limit: int,
) -> NearestPoints:
    """The points nearest to number `point` at `step`, as `nearest_points` finds them.

    Raises TrainJobNotFound, TagNotFound, StepNotFound, InvalidQuery, DamagedValue.
    """
    vectors = read_tensor(store, "embedding", train_id, tag, step)
    if not 0 <= point < len(vectors):
        raise InvalidQuery(f"There is no point {point}: the embedding has {len(vectors)}.")
    return nearest_points(vectors, point, distance, limit)


_LABELS, _SPRITES = "embedding_labels", "embedding_sprites"


def _from_proto(value: bytes) -> Embedding:
    """The kind that mindviz writes: JSON (dims, header), coordinates as float32, labels."""
    parts = tensorflow_strings(value)
    try:
        facts = json.loads(parts[0])
        header = tuple(str(name) for name in facts["header"])
        vectors = np.frombuffer(parts[1], "<f4").reshape(facts["dims"])
        texts = [str(text, "utf-8", "replace") for text in parts[2:]]
        width = len(texts) // len(vectors) if len(vectors) else 0
        empty = len(vectors) > 0 and not vectors.size
        if vectors.ndim != 2 or empty or width * len(vectors) != len(texts):
            raise ValueError("its parts don't fit together")  # noqa: TRY301 - as the others
    except (IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DamagedValue(f"An embedding cannot be decoded: {error}.") from error
    rows = range(0, len(texts), width) if width else ()
    return Embedding(vectors, tuple(tuple(texts[at : at + width]) for at in rows), header)


def _from_tensor(tensor: Tensor, companions: Companions) -> Embedding:
    header, *labels = _texts(companions.get(_LABELS)) or [()]
    value = Embedding(tensor.data.astype(np.float32), tuple(labels), header)
    sprite = companions.get(_SPRITES)
    if sprite is None or sprite.shape != (3,):
        return value
    width, height, picture = sprite.tolist()
    return replace(value, sprite=picture, sprite_size=(int(width), int(height)))


def _texts(table: NDArray[np.generic] | None) -> list[tuple[str, ...]]:
    rows = [] if table is None or table.ndim != 2 else table.tolist()
    return [tuple(str(text, "utf-8", "replace") for text in row) for row in rows]


def _label_table(value: Embedding) -> NDArray[np.object_]:
    """The header, then a row per point; empty if there are no labels."""
    width = len(value.labels[0]) if value.labels else 0
    header = (*value.header, *("" for _ in range(width)))[:width]
    rows = [header, *value.labels] if width else []
    return strings([text.encode() for row in rows for text in row]).reshape(len(rows), width)


def _sprite(value: Embedding) -> NDArray[np.object_]:
    """As images: width, height and the picture."""
    width, height = value.sprite_size
    return strings([b"%d" % width, b"%d" % height, value.sprite])


PLUGIN = Plugin(
    "embedding",
    "/embedding",
    DataClass.TENSOR,
    view,
    values={"": values},
    names=(
        GenericName(
            "embedding",
            DataClass.TENSOR,
            fields=("embeddings",),
            shape=(ANY, ANY),
            dtype_kinds="f",
            value_class=Embedding,
            to_tensor=lambda embedding: embedding.vectors,
            to_blobs=lambda embedding: (embedding.sprite,) if embedding.sprite else (),
            from_tensor=_from_tensor,
            from_proto=_from_proto,
            asset="vectors",
            companions=(
                Companion(
                    _LABELS,
                    DataClass.TENSOR,
                    dtype_kinds="O",
                    value_class=Embedding,
                    make=_label_table,
                    asset="metadata",
                ),
                Companion(
                    _SPRITES,
                    DataClass.TENSOR,
                    dtype_kinds="O",
                    value_class=Embedding,
                    make=_sprite,
                    logged_in=(),
                    asset="sprite",
                ),
            ),
        ),
    ),
)
