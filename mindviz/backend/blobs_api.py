"""Routes of our own about single blobs, by the keys that other answers and generic clients have."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.blob_response import blob_response
from mindviz.backend.routes import Routes
from mindviz.backend.services import Services
from mindviz.datavisual.generic.data_provider import RequestContext

CONTENT_TYPES = ("image/*", "audio/*", "application/octet-stream")


def add_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""

    @routes.get(
        "/data/blob/<blob_key>", schemas.NoQuery, content_types=CONTENT_TYPES, statuses=(416,)
    )
    def read_blob_by_key(_query: dict[str, Any], blob_key: str) -> Response:
        """The bytes of a blob, streamed from where they lie in the log; or a range of them."""
        return blob_response(services.provider.read_blob(RequestContext(), blob_key=blob_key))
