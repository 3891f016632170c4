"""Routes about images: what there is at each step, and each image as logged."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.datavisual.contract_tags import log_tag
from mindviz.backend.encoding import problems_by_step, rows_of_view, to_json
from mindviz.backend.errors import ImageNotFound
from mindviz.backend.routes import Routes
from mindviz.backend.services import Dialect, Services
from mindviz.datavisual.plugins import image
from mindviz.errors import StepNotFound

PLUGIN = image.PLUGIN.name
CONTENT_TYPES = ("image/*", "application/octet-stream")


class SingleImageQuery(schemas.TagQuery):
    """One image."""

    step = schemas.StepField(
        required=True,
        error_messages={"required": schemas.REQUIRED, "null": schemas.REQUIRED},
        metadata={"description": "-1: the newest."},
    )
    sample = schemas.IntegerField(
        minimum=0, load_default=0, metadata={"description": "Which, where a step has several."}
    )


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/datavisual/image/metadata", schemas.TagQuery)
    def read_image_metadata(query: dict[str, str]) -> Response:
        """Step, time and size of every image of a series; damaged ones are left out."""
        train_id = query["train_id"]
        version = responses.versions([train_id])
        tag = log_tag(store, train_id, PLUGIN, query["tag"])

        def make() -> bytes:
            view = image.view(store, train_id, tag).whole()
            answer: dict[str, Any] = {"metadatas": rows_of_view(view, ("width", "height"))}
            if dialect.extras:
                answer |= {"total": len(view.step), "problems": problems_by_step(view)}
            return to_json(answer)

        return responses.cached(version, make)

    @routes.get(
        "/datavisual/image/single-image",
        SingleImageQuery,
        content_types=CONTENT_TYPES,
    )
    def read_single_image(query: dict[str, Any]) -> Response:
        """The bytes of one image."""
        train_id = query["train_id"]
        version = responses.versions([train_id])
        tag = log_tag(store, train_id, PLUGIN, query["tag"])
        sample = query["sample"] if dialect.extras else 0
        try:
            found = image.read_image(store, train_id, tag, query["step"], sample)
        except StepNotFound as error:
            raise ImageNotFound(error.tag, error.step) from None
        return responses.cached(
            version, lambda: found.content, content_type=found.mimetype, keep=False
        )
