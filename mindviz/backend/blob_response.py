"""Responses with blobs: streamed, with an ETag, complete or a byte range (RFC 9110)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain

from flask import Response, request
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from mindviz.datavisual.series.generic_series import Blob

BLOB_TYPES = ("image/*", "audio/*", "application/octet-stream")
"""Content types of blobs."""


class BytesBlob(Blob):
    """A blob in memory."""

    def __init__(self, content: bytes, content_type: str) -> None:
        self._content = content
        self.content_type = content_type
        self.length = len(content)
        self.etag = blake2b(content, digest_size=12).hexdigest()

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """As in `Blob`."""
        yield self._content[start:stop]


def blob_response(blob: Blob) -> Response:
    """The blob, or the range that the request names.

    Raises RequestedRangeNotSatisfiable, DamagedValue.
    """
    if request.if_none_match.contains(blob.etag):
        return _with_etag(Response(status=304), blob)
    start, stop, status = 0, blob.length, 200
    ranges = request.range
    # The client has a range of another version (If-Range), so it needs the whole blob.
    stale = request.if_range.etag is not None and request.if_range.etag != blob.etag
    if ranges is not None and ranges.units == "bytes" and len(ranges.ranges) == 1 and not stale:
        wanted = ranges.range_for_length(blob.length)
        if wanted is None:
            raise RequestedRangeNotSatisfiable(blob.length)
        (start, stop), status = wanted, 206
    chunks = blob.chunks(start, stop)
    first = next(chunks, b"")  # raises for a damaged blob before the status is sent
    response = Response(chain([first], chunks), status, content_type=blob.content_type)
    response.content_length = stop - start
    if status == 206:
        response.headers["Content-Range"] = f"bytes {start}-{stop - 1}/{blob.length}"
    return _with_etag(response, blob)


def _with_etag(response: Response, blob: Blob) -> Response:
    response.set_etag(blob.etag)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = "no-cache"
    return response
