"""Route of our own about embeddings: what lies near a point."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.nearest_points import DISTANCES
from mindviz.datavisual.plugins.embedding import find_neighbours

MAX_NEIGHBOURS = 1000
"""Of one answer."""
_REQUIRED = {"required": schemas.REQUIRED, "null": schemas.REQUIRED}


class NeighboursQuery(StrictQuery):
    """A point of an embedding, and how many others are wanted."""

    train_id = text(required=True)
    tag = text(required=True, empty=True, about="As the log has it, without a suffix.")
    step = IntegerField(required=True, error_messages=_REQUIRED)
    point = IntegerField(required=True, minimum=0, error_messages=_REQUIRED)
    distance = text(choices=DISTANCES, default=DISTANCES[0])
    most = IntegerField(minimum=1, maximum=MAX_NEIGHBOURS, load_default=10)


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""
    experiment, answers = services.experiment, services.answers

    @routes.get("/datavisual/embeddings/neighbours", NeighboursQuery)
    def read_neighbours(query: dict[str, Any]) -> Response:
        """The points nearest to one of an embedding, by their distance in all dimensions."""

        def make() -> bytes:
            found = find_neighbours(
                experiment,
                query["train_id"],
                query["tag"],
                query["step"],
                query["point"],
                distance=query["distance"],
                most=query["most"],
            )
            return to_json({"index": found.index, "distance": found.distance})

        return answers.answer(answers.versions([query["train_id"]]), make)
