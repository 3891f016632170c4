"""The route for exports: data of many train jobs in one streamed file."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from flask import Response
from marshmallow.validate import Validator

from mindviz.backend.responses import gzipped, may_compress
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.errors import TooManyExports
from mindviz.export import exports

own = Routes()

MAX_EXPORTS = 16
"""Concurrent exports; each keeps its columns in memory until the client has read everything."""
CONTENT_TYPES = (
    "application/json",
    "text/csv",
    "application/vnd.apache.parquet",
    "application/octet-stream",
)


class _DataKind(Validator):
    """Lists the choices in the description; `export_query` checks them."""

    choices = property(lambda _: exports.data_kinds())  # known once the plugins are loaded

    def __call__(self, value: str) -> str:
        """Accept any."""
        return value


class ExportQuery(StrictQuery):
    """The data to export, and the file format."""

    format = text(required=True, choices=exports.FORMATS)
    what = text(required=True, about="The data to export.")
    what.validators.append(_DataKind())
    tag = text(
        about="Regular expression found anywhere in a tag, as logged; up to 1,000 characters."
    )
    train_id = text(
        about="Regular expression found anywhere in a train_id; up to 1,000 characters."
    )
    job = texts(about="Only these train_ids; default all.")
    formula = texts(
        about="Formulas of tags as logged, instead of `tag`; each is the tag of its series."
    )
    restarts = text(choices=("latest", "all"), default="latest", about="`all`: only for scalars.")


@own.get("/datavisual/export", ExportQuery, content_types=CONTENT_TYPES, statuses=(429,), long=True)
def export(services: Services, query: dict[str, Any]) -> Response:
    """All points of the selected series in one file, at full resolution."""
    parsed = exports.export_query(
        query["what"],
        query["format"],
        tag=query["tag"],
        train_id=query["train_id"],
        restarts=query["restarts"],
        jobs=query["job"],
        formulas=query["formula"],
    )
    notes = services.annotations.all() if parsed.what == exports.LINEAGE else exports.NO_ANNOTATIONS
    data = exports.open_export(services.store, services.lineages, parsed, notes)
    if not services.exports.acquire(blocking=False):
        raise TooManyExports(f"{MAX_EXPORTS} exports are already running. Retry later.")
    packed = parsed.format.is_text and may_compress(parsed.format.content_type)
    pieces = gzipped(data.pieces()) if packed else data.pieces()
    response = Response(pieces, content_type=parsed.format.content_type)
    # Not in the generator, which may never start. ExitStack calls it once, even if the response is
    # closed repeatedly.
    ending = ExitStack()
    ending.callback(services.exports.release)
    response.call_on_close(ending.close)
    response.headers["Content-Disposition"] = f'attachment; filename="{data.file_name}"'
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept-Encoding"
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return response
