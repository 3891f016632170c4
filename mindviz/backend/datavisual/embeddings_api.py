"""Routes for embeddings: projected points, and neighbors of a point."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindviz.backend.arrow_stream import ARROW_STREAM, columns_arrow
from mindviz.backend.encoding import to_json
from mindviz.backend.packed_columns import coded
from mindviz.backend.routes import Routes, job_version
from mindviz.backend.schemas import IntegerField, StepQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.nearest_points import DISTANCES
from mindviz.datavisual.plugins.embedding import find_neighbors, find_points
from mindviz.deadline import begin_long_work

own = Routes()

MAX_NEIGHBORS = 1000
"""Per response."""


class PointsQuery(StepQuery):
    """The points of an embedding."""

    sample = IntegerField(
        minimum=1,
        load_default=None,
        about="Maximum number of points: every second, third ... point; default all.",
    )


class NeighborsQuery(StepQuery):
    """The neighbors of a point."""

    point = IntegerField(required=True, minimum=0, about="Index of the point.")
    distance = text(choices=DISTANCES, default=DISTANCES[0])
    most = IntegerField(minimum=1, maximum=MAX_NEIGHBORS, load_default=10)


@own.get(
    "/datavisual/embeddings/points", PointsQuery, version=job_version, content_types=(ARROW_STREAM,)
)
def read_points(services: Services, query: dict[str, Any]) -> bytes:
    """The points of an embedding on its three principal components, with their labels.

    Columns `x`, `y`, `z`, and per kind of label a column of codes.
    """
    begin_long_work()
    found = find_points(services.store, query["train_id"], query["tag"], query["step"])
    points, sample = found.projection.points, query["sample"]
    every = 1 if sample is None else max(1, -(-len(points) // sample))
    columns = dict(zip("xyz", points[::every].T, strict=True))
    labels = []
    for i, (name, texts) in enumerate(found.labels):
        column = coded(texts[::every], shown=str)
        columns[f"label{i}"] = np.array(column["codes"], np.int32)
        labels.append({"name": name, "values": column["values"]})
    about = {"every": every, "explained": found.projection.explained, "labels": labels}
    return columns_arrow(columns, to_json(about))


@own.get("/datavisual/embeddings/neighbours", NeighborsQuery, version=job_version)
def read_neighbors(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The nearest neighbors of a point, by distance in all dimensions."""
    begin_long_work()
    nearest = find_neighbors(
        services.store,
        query["train_id"],
        query["tag"],
        query["step"],
        query["point"],
        distance=query["distance"],
        limit=query["most"],
    )
    return {"index": nearest.index, "distance": nearest.distance}
