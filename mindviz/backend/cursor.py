"""Cursors: the points of each series that a client has; opaque to it, and not stored here.

A cursor contains a checksum of its request. With another request's cursor, clients get everything.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence

import orjson

from mindviz.backend.errors import BadArgument, Reason
from mindviz.datavisual.series.series_view import Seen

_MAX_BYTES = 4_000_000
"""Maximum size after decompression: a few bytes of zlib may expand to gigabytes."""


def request_checksum(*parts: object) -> int:
    """A checksum of everything that distinguishes two requests."""
    return zlib.crc32(repr(parts).encode("utf-8", "surrogatepass"))


def write_cursor(checksum: int, seen: Sequence[Seen | None]) -> str:
    """The cursor for these series; None for a missing one."""
    packed = zlib.compress(orjson.dumps([checksum, seen]), 6)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode("ascii")


def read_cursor(cursor: str, checksum: int, series: int) -> list[Seen | None]:
    """The points of each series that the client has; all None for another request's cursor.

    Raises BadArgument for anything that is not a cursor.
    """
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        packed = base64.b64decode(padded, altchars=b"-_", validate=True)
        unpacked = zlib.decompressobj().decompress(packed, _MAX_BYTES)
        checksum_sent, entries = orjson.loads(unpacked)
        seen = [None if entry is None else _seen(*entry) for entry in entries]
    except (ValueError, TypeError, binascii.Error, zlib.error):
        raise BadArgument(
            Reason.VALUE, "Invalid parameter value. 'since' is not a cursor."
        ) from None
    if checksum_sent != checksum or len(seen) != series:
        return [None] * series
    return seen


def _seen(epoch: object, total: object) -> Seen:
    # Clients may forge cursors.
    if not isinstance(epoch, str) or type(total) is not int or total < 0:
        raise ValueError
    return epoch, total
