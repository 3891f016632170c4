"""The contract's routes for images: a listing per series, and each image as logged."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend.datavisual.contract_tags import log_tag
from mindviz.backend.encoding import problems_by_step, rows_of_view
from mindviz.backend.errors import ImageNotFound
from mindviz.backend.routes import Routes, job_version
from mindviz.backend.schemas import IntegerField, StepField, TagQuery
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import image
from mindviz.errors import StepNotFound

contract = Routes()

PLUGIN = image.PLUGIN.name
CONTENT_TYPES = ("image/*", "application/octet-stream")


class SingleImageQuery(TagQuery):
    """One image."""

    step = StepField(required=True, about="-1 for the last one.")
    sample = IntegerField(minimum=0, load_default=0, about="Index in the step.")


@contract.get("/datavisual/image/metadata", TagQuery, version=job_version)
def read_image_metadata(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """Step, time and size of each image of a series; omits damaged images."""
    tag = log_tag(services.store, query["train_id"], PLUGIN, query["tag"])
    view = image.PLUGIN.view(services.store, query["train_id"], tag).whole()
    metadata = {"metadatas": rows_of_view(view, ("width", "height"))}
    if not services.dialect.extras:
        return metadata
    return metadata | {
        "total": len(view.step),
        "problems": problems_by_step(view.step, view.problems),
    }


@contract.get("/datavisual/image/single-image", SingleImageQuery, content_types=CONTENT_TYPES)
def read_single_image(services: Services, query: dict[str, Any]) -> Response:
    """The bytes of one image."""
    store, train_id = services.store, query["train_id"]
    version = job_version(services, query)
    tag = log_tag(store, train_id, PLUGIN, query["tag"])
    sample = query["sample"] if services.dialect.extras else 0
    try:
        found = image.read_image(store, train_id, tag, query["step"], sample)
    except StepNotFound as error:
        raise ImageNotFound(error.tag, error.step) from None
    return services.responses.cached(
        version, lambda: found.content, content_type=found.mimetype, keep=False
    )
