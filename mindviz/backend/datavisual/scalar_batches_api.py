"""The route for many queries of scalars in one request, each with its own range."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from mindviz.backend.datavisual.scalars_api import scalars_json, with_extras
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import ScalarsArguments, ScalarsQuery, StrictQuery
from mindviz.backend.services import Services
from mindviz.errors import AnswerTooLarge

own = Routes()

MAX_REQUESTS = 200
MAX_BYTES = 64 * 1024 * 1024
"""Per response."""


class ScalarBatchBody(StrictQuery):
    """Queries as in `scalars`, in JSON."""

    questions = ma.fields.List(
        ma.fields.Nested(ScalarsQuery), required=True, validate=ma.validate.Length(max=MAX_REQUESTS)
    )


@own.post("/datavisual/scalars/batch", ScalarBatchBody)
def read_scalar_batch(services: Services, body: dict[str, Any]) -> bytes:
    """The responses of `scalars` to several queries, in order, as columns."""
    questions: list[ScalarsArguments] = body["questions"]
    parts, size = [], 0
    for question in questions:
        shape = "rows" if question.format == "rows" else "columns"
        part = scalars_json(services, with_extras(question), shape)
        assert isinstance(part, bytes)  # only Arrow responses are Pieces
        size += len(part)
        if size > MAX_BYTES:
            raise AnswerTooLarge(
                f"The response would exceed {MAX_BYTES} bytes. Use fewer questions or a smaller "
                "max_points."
            )
        parts.append(part)
    return b'{"answers":[' + b",".join(parts) + b"]}"
