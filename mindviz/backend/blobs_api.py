"""The route for single blobs, by the keys in responses of the generic interface."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend.blob_response import BLOB_TYPES, blob_response
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import NoQuery
from mindviz.backend.services import Services
from mindviz.datavisual.generic.data_provider import RequestContext

own = Routes()


@own.get("/data/blob/<blob_key>", NoQuery, content_types=BLOB_TYPES, statuses=(416,))
def read_blob_by_key(services: Services, _query: dict[str, Any], blob_key: str) -> Response:
    """The bytes of a blob, or a range of them, streamed from the log."""
    return blob_response(services.provider.read_blob(RequestContext(), blob_key=blob_key))
