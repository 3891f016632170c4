"""A route of our own: many queries of scalars in one request, each with its own window."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Response

from mindviz.backend.datavisual.scalars_api import scalars_json, with_extras
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import ScalarsArguments, ScalarsQuery, StrictQuery
from mindviz.backend.services import MINDVIZ, Services
from mindviz.errors import AnswerTooLarge

MAX_QUESTIONS = 200
MAX_BYTES = 64 * 1024 * 1024
"""Of one answer."""


class ScalarBatchBody(StrictQuery):
    """Queries as in `scalars`, in JSON."""

    questions = ma.fields.List(
        ma.fields.Nested(ScalarsQuery),
        required=True,
        validate=ma.validate.Length(max=MAX_QUESTIONS),
    )


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""

    @routes.post("/datavisual/scalars/batch", ScalarBatchBody)
    def read_scalar_batch(body: dict[str, Any]) -> Response:
        """The answers that `scalars` gives to each question, as columns, in their order."""
        questions: list[ScalarsArguments] = body["questions"]
        parts, size = [], 0
        for question in questions:
            shape = "rows" if question.format == "rows" else "columns"
            query = with_extras(question)
            part = scalars_json(services.store, query, shape, MINDVIZ)
            assert isinstance(part, bytes)  # only Arrow answers are Pieces
            size += len(part)
            if size > MAX_BYTES:
                raise AnswerTooLarge(
                    f"The answers would have more than {MAX_BYTES} bytes; ask fewer questions, or"
                    " for a smaller max_points."
                )
            parts.append(part)
        return services.responses.uncached(b'{"answers":[' + b",".join(parts) + b"]}")
