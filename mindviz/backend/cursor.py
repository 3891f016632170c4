"""Cursors: how far a client has seen, opaque to it and remembered by nobody else.

One cursor covers all series of a request, in the order of the request. It names the request it
belongs to by a checksum, so that a cursor of another question is answered with everything anew
instead of with nonsense.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence

import orjson

from mindviz.backend.errors import BadArgument, Reason

Seen = tuple[str, int]
"""Epoch and raw number of points of one series, as they were when served."""

_MAX_BYTES = 4_000_000
"""Of an unpacked cursor: a few bytes of zlib may claim to be gigabytes."""


def question_of(*parts: object) -> int:
    """A checksum of what makes two requests the same question."""
    return zlib.crc32(repr(parts).encode("utf-8", "surrogatepass"))


def write_cursor(question: int, seen: Sequence[Seen | None]) -> str:
    """The cursor for these series; None for one that was not there."""
    packed = zlib.compress(orjson.dumps([question, seen]), 6)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode("ascii")


def read_cursor(cursor: str, question: int, series: int) -> list[Seen | None]:
    """What was seen of each of the `series` of this question; all None for another question's.

    Raises BadArgument if it is no cursor at all.
    """
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        packed = base64.b64decode(padded, altchars=b"-_", validate=True)
        unpacked = zlib.decompressobj().decompress(packed, _MAX_BYTES)
        asked, entries = orjson.loads(unpacked)
        seen = [None if entry is None else _seen(*entry) for entry in entries]
    except (ValueError, TypeError, binascii.Error, zlib.error):
        raise BadArgument(
            Reason.VALUE, "Invalid parameter value. 'since' is not a cursor."
        ) from None
    if asked != question or len(seen) != series:
        return [None] * series
    return seen


def _seen(epoch: object, total: object) -> Seen:
    # A cursor is the client's to forge: whatever is in it has to be of the right type.
    if not isinstance(epoch, str) or type(total) is not int or total < 0:
        raise ValueError
    return epoch, total
