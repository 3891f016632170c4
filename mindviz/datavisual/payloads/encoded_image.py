"""The type of an encoded image and its size in pixels, from its first bytes.

Sources: the PNG specification; ITU T.81 (JPEG markers); GIF89a; BITMAPINFOHEADER; RFC 9649 (WebP).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

from mindviz.errors import DamagedValue

PNG = b"\x89PNG\r\n\x1a\n"

_CORE_HEADER = (12).to_bytes(4, "little")
"""The size of BITMAPCOREHEADER, which has 16 bits each for width and height."""

_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length: TEM, RST0 to RST7 and SOI."""
_END_OF_IMAGE, _START_OF_SCAN = 0xD9, 0xDA
_FILL = re.compile(rb"\xff*")
"""A marker's 0xFF, and those that may fill the space in front of it."""

MAX_PARTS = 20_000
"""Chunks, segments or blocks before the pixels. Each takes up to 5 us to parse."""
TOO_MANY_PARTS = f"The image has more than {MAX_PARTS} parts."


def mimetype(encoded: bytes) -> str:
    """The media type if browsers can show the image, else `application/octet-stream`."""
    if encoded.startswith(PNG):
        return "image/png"
    if encoded.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if encoded.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if encoded.startswith(b"BM"):
        return "image/bmp"
    if encoded.startswith(b"RIFF") and encoded[8:12] == b"WEBP":
        return "image/webp"
    return "application/octet-stream"


def pixel_size(encoded: bytes) -> tuple[int, int]:
    """Width and height, from the header; the rest of the image may be missing.

    Raises DamagedValue for an unknown type or a header that is cut off.
    """
    read = {
        "image/png": _png,
        "image/jpeg": _jpeg,
        "image/gif": lambda data: struct.unpack_from("<HH", data, 6),
        "image/bmp": _bmp,
        "image/webp": _webp,
    }.get(mimetype(encoded))
    if read is None:
        raise DamagedValue("The image is neither PNG, JPEG, GIF, BMP nor WebP.")
    try:
        width, height = read(encoded)
    except (struct.error, IndexError):
        raise DamagedValue("The image's header is cut off.") from None
    return width, height


def decoded_size(encoded: bytes) -> tuple[int, int]:
    """Width and height that a decoder allocates: the first frame of a GIF may exceed `pixel_size`.

    Raises DamagedValue as `pixel_size` does.
    """
    width, height = pixel_size(encoded)
    if mimetype(encoded) == "image/gif":
        try:
            at = gif_colors_end(encoded)
            for _, _, end in gif_extensions(encoded):
                at = end
            left, top, frame_width, frame_height = struct.unpack_from("<HHHH", encoded, at + 1)
        except (struct.error, IndexError):
            raise DamagedValue("The GIF image has no frame.") from None
        return max(width, left + frame_width), max(height, top + frame_height)
    return width, height


def gif_colors_end(data: bytes) -> int:
    """Where the header with its color table ends. Raises IndexError where it is cut off."""
    flags = data[10]
    return 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)


def gif_extensions(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Label, start and end of each extension before the first frame.

    Raises IndexError where the image is cut off, DamagedValue for too many parts.
    """
    at, parts = gif_colors_end(data), 0
    while data[at] == 0x21:  # a label, then blocks until an empty one
        start = at
        at += 2
        while data[at]:
            at += 1 + data[at]
            parts += 1
            if parts > MAX_PARTS:
                raise DamagedValue(TOO_MANY_PARTS)
        at += 1
        parts += 1
        yield data[start + 1], start, at


def _png(data: bytes) -> tuple[int, int]:
    # Decoders skip to IHDR, so another chunk would hide the size.
    if data[12:16] not in (b"IHDR", b""):
        raise DamagedValue("The PNG image does not start with its header.")
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _bmp(data: bytes) -> tuple[int, int]:
    if data[14:18] == _CORE_HEADER:
        width, height = struct.unpack_from("<HH", data, 18)
        return width, height
    width, height = struct.unpack_from("<ii", data, 18)
    # A negative height means that rows are stored top down.
    return abs(width), abs(height)


def _jpeg(data: bytes) -> tuple[int, int]:
    for marker, start, _ in jpeg_segments(data):
        # SOF0 to SOF15, except for DHT, JPG and DAC, which are not frames.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, start + 5)
            return width, height
    raise DamagedValue("The JPEG image has no frame header.")


def jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, start and end of each segment with a length; the first scan ends with the image.

    Raises IndexError or struct.error where the image is cut off, DamagedValue for too many parts.
    """
    at = 2
    for _ in range(MAX_PARTS):
        at = max(at, _FILL.match(data, at).end() - 1)  # type: ignore[union-attr]
        marker = data[at + 1]
        if data[at] != 0xFF or marker == _END_OF_IMAGE:
            return
        if marker == _START_OF_SCAN:
            yield marker, at, len(data)
            return
        if marker in _ALONE:
            at += 2
            continue
        end = at + 2 + max(2, struct.unpack_from(">H", data, at + 2)[0])
        yield marker, at, end
        at = end
    raise DamagedValue(TOO_MANY_PARTS)


def _webp(data: bytes) -> tuple[int, int]:
    if data[12:16] == b"VP8X":
        width, height = data[24:27], data[27:30]
        return 1 + int.from_bytes(width, "little"), 1 + int.from_bytes(height, "little")
    if data[12:16] == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if data[12:16] not in (b"VP8 ", b""):
        raise DamagedValue("The WebP image does not start with its size.")
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def string_image_size(strings: Sequence[bytes]) -> tuple[int, int]:
    """Width and height: the first two strings of an image tensor, in decimal.

    Raises DamagedValue.
    """
    if len(strings) < 2 or not all(string.isdigit() for string in strings[:2]):
        raise DamagedValue("An image tensor does not start with its width and height.")
    if max(len(string) for string in strings[:2]) > 10:
        raise DamagedValue("The width and height of an image tensor are not valid sizes.")
    return int(strings[0]), int(strings[1])
