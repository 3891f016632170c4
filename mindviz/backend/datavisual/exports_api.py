"""Our own route of exports: all data of many train jobs as one file, streamed."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from flask import Response

from mindviz.backend.responses import gzipped, may_compress
from mindviz.backend.routes import AnswerBound, Routes
from mindviz.backend.schemas import StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.errors import TooManyExports
from mindviz.export.exports import (
    FORMATS,
    LINEAGE,
    NO_ANNOTATIONS,
    WHAT,
    export_query,
    open_export,
)

MAX_EXPORTS = 16
"""At the same time: each holds the columns that it is made of until its client has all of it."""
BOUND = AnswerBound(per_log_byte=128.0, most_bytes=1 << 62)
"""An npz has a kilobyte of names and headers per series; a log may hold one in 10 bytes."""
CONTENT_TYPES = (
    "application/json",
    "text/csv",
    "application/vnd.apache.parquet",
    "application/octet-stream",
)


class ExportQuery(StrictQuery):
    """What to export, and as what."""

    format = text(required=True, choices=FORMATS)
    what = text(required=True, choices=WHAT)
    tag = text(
        about="A regular expression found anywhere in a tag, as logged; up to 1,000 characters."
    )
    train_id = text(
        about="A regular expression found anywhere in a job's id; up to 1,000 characters."
    )
    job = texts(about="Exact ids of jobs; all by default.")
    formula = texts(
        about="Formulas over tags as logged, instead of `tag`; each is the tag of its series."
    )
    restarts = text(choices=("latest", "all"), default="latest", about="`all`: of scalars only.")


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""
    running = threading.BoundedSemaphore(MAX_EXPORTS)

    @routes.get(
        "/datavisual/export",
        ExportQuery,
        content_types=CONTENT_TYPES,
        statuses=(429,),
        long=True,
        bound=BOUND,
    )
    def export(query: dict[str, Any]) -> Response:
        """Every point of all series that are wanted, at full resolution, as one file."""
        wanted = export_query(
            query["what"],
            query["format"],
            tag=query["tag"],
            train_id=query["train_id"],
            restarts=query["restarts"],
            jobs=query["job"],
            formulas=query["formula"],
        )
        noted = services.annotations.all() if wanted.what == LINEAGE else NO_ANNOTATIONS
        found = open_export(services.store, services.lineages, wanted, noted)
        if not running.acquire(blocking=False):
            raise TooManyExports(f"There are {MAX_EXPORTS} exports running; ask again later.")
        packed = wanted.format.is_text and may_compress(wanted.format.content_type)
        pieces = gzipped(found.pieces()) if packed else found.pieces()
        response = Response(pieces, content_type=wanted.format.content_type)
        # Not in the generator: one that nobody begins is not ended either.
        # And only once, however often the response is closed.
        ending = ExitStack()
        ending.callback(running.release)
        response.call_on_close(ending.close)
        response.headers["Content-Disposition"] = f'attachment; filename="{found.file_name}"'
        response.headers["Cache-Control"] = "no-store"
        response.headers["Vary"] = "Accept-Encoding"
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        return response
