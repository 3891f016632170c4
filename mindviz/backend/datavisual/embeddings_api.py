"""Routes of our own about embeddings: where points lie, and what lies near one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from flask import Response

from mindviz.backend import schemas
from mindviz.backend.arrow_stream import ARROW_STREAM, columns_arrow
from mindviz.backend.encoding import to_json
from mindviz.backend.packed_columns import coded
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.nearest_points import DISTANCES
from mindviz.datavisual.plugins.embedding import (
    ProjectedPoints,
    find_neighbours,
    find_points,
)
from mindviz.deadline import begin_long_work

MAX_NEIGHBOURS = 1000
"""Of one answer."""
_REQUIRED = {"required": schemas.REQUIRED, "null": schemas.REQUIRED}


class EmbeddingQuery(StrictQuery):
    """The embedding of one step."""

    train_id = text(required=True)
    tag = text(required=True, empty=True, about="As the log has it, without a suffix.")
    step = IntegerField(required=True, error_messages=_REQUIRED)


class PointsQuery(EmbeddingQuery):
    """An embedding, and how many of its points are wanted."""

    sample = IntegerField(
        minimum=1,
        load_default=None,
        metadata={"description": "The most points; all by default."},
    )


class NeighboursQuery(EmbeddingQuery):
    """A point of an embedding, and how many others are wanted."""

    point = IntegerField(required=True, minimum=0, error_messages=_REQUIRED)
    distance = text(choices=DISTANCES, default=DISTANCES[0])
    most = IntegerField(minimum=1, maximum=MAX_NEIGHBOURS, load_default=10)


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/datavisual/embeddings/points", PointsQuery, content_types=(ARROW_STREAM,))
    def read_points(query: dict[str, Any]) -> Response:
        """The points of an embedding on its three principal components, and their labels."""

        def make() -> bytes:
            begin_long_work()
            found = find_points(store, query["train_id"], query["tag"], query["step"])
            return _points_arrow(found, query["sample"])

        version = responses.versions([query["train_id"]])
        return responses.cached(version, make, content_type=ARROW_STREAM)

    @routes.get("/datavisual/embeddings/neighbours", NeighboursQuery)
    def read_neighbours(query: dict[str, Any]) -> Response:
        """The points nearest to one of an embedding, by their distance in all dimensions."""

        def make() -> bytes:
            begin_long_work()
            found = find_neighbours(
                store,
                query["train_id"],
                query["tag"],
                query["step"],
                query["point"],
                distance=query["distance"],
                most=query["most"],
            )
            return to_json({"index": found.index, "distance": found.distance})

        return responses.cached(responses.versions([query["train_id"]]), make)


def _points_arrow(found: ProjectedPoints, sample: int | None = None) -> bytes:
    """Columns `x`, `y`, `z`, and of each kind of label which of its texts a point has."""
    points = found.projection.points
    every = 1 if sample is None else max(1, -(-len(points) // sample))
    columns = dict(zip("xyz", points[::every].T, strict=True))
    labels = []
    for i, (name, texts) in enumerate(found.labels):
        column = coded(texts[::every], shown=str)
        columns[f"label{i}"] = np.array(column["codes"], np.int32)
        labels.append({"name": name, "values": column["values"]})
    about = {"every": every, "explained": found.projection.explained, "labels": labels}
    return columns_arrow(columns, to_json(about))
