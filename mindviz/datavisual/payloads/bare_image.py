"""Encoded images without their metadata, and without what makes their decoder slow.

Pillow parses metadata in Python as soon as it opens an image, and gathers it: 20 MB of empty PNG
chunks take 4 s, of GIF comments 900 MB, of fill bytes in a JPEG minutes. Pixels need none of it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from mindviz.datavisual.payloads.encoded_image import (
    MAX_PARTS,
    PNG,
    TOO_MANY_PARTS,
    gif_colors_end,
    gif_extensions,
    jpeg_segments,
    mimetype,
)
from mindviz.errors import DamagedValue

_PNG_CHUNKS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
_APP0, _APP14, _APP15, _COM = 0xE0, 0xEE, 0xEF, 0xFE
_GRAPHIC_CONTROL = 0xF9
"""The GIF extension that names the transparent color."""


def bare_image(encoded: bytes) -> bytes:
    """The image with all that its pixels depend on, and nothing else. Raises DamagedValue."""
    bare: Callable[[bytes], bytes] | None = {
        "image/png": lambda data: b"".join(_png_parts(data)),
        "image/jpeg": lambda data: b"".join(_jpeg_parts(data)),
        "image/gif": _bare_gif,
    }.get(mimetype(encoded))
    if bare is None:
        return encoded
    try:
        return bare(encoded)
    except (struct.error, IndexError):
        raise DamagedValue("The image is cut off.") from None


def _png_parts(data: bytes) -> Iterator[bytes]:
    yield PNG
    at = len(PNG)
    for _ in range(MAX_PARTS):
        if at + 8 > len(data):
            return
        (length,) = struct.unpack_from(">I", data, at)
        name = data[at + 4 : at + 8]
        if name in _PNG_CHUNKS:
            yield data[at : at + 12 + length]
        if name == b"IEND":
            return
        at += 12 + length
    raise DamagedValue(TOO_MANY_PARTS)


def _jpeg_parts(data: bytes) -> Iterator[bytes]:
    """Of applications' segments only those that tell how colors are stored."""
    yield data[:2]
    seen = set()
    for marker, start, end in jpeg_segments(data):
        if marker in (_APP0, _APP14) and marker not in seen:
            seen.add(marker)
            yield data[start:end]
        elif not (_APP0 <= marker <= _APP15 or marker == _COM):
            yield data[start:end]


def _bare_gif(data: bytes) -> bytes:
    """Everything from the first frame on, and before it only what says how it is shown."""
    start = frame = gif_colors_end(data)
    control = b""
    for label, begin, end in gif_extensions(data):
        if label == _GRAPHIC_CONTROL:
            control = data[begin:end]
        frame = end
    return data[:start] + control + data[frame:]
