"""The type of an encoded image and its size in pixels, from its first bytes.

Sources: the PNG specification; ITU T.81 (JPEG markers); GIF89a; BITMAPINFOHEADER; RFC 9649 (WebP).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from mindviz.errors import DamagedValue

PNG = b"\x89PNG\r\n\x1a\n"

_CORE_HEADER = (12).to_bytes(4, "little")
"""The size of BITMAPCOREHEADER, which has 16 bits each for width and height."""

_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length: TEM, RST0 to RST7 and SOI."""
_NO_FRAME = frozenset({0xD9, 0xDA})
"""EOI and SOS, which follow the frame header."""


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
            left, top, frame_width, frame_height = _gif_frame(encoded)
        except (struct.error, IndexError):
            raise DamagedValue("The GIF image has no frame.") from None
        return max(width, left + frame_width), max(height, top + frame_height)
    return width, height


def _gif_frame(data: bytes) -> tuple[int, int, int, int]:
    """Left, top, width and height of the first image descriptor."""
    flags, at = data[10], 13
    if flags & 0x80:  # global color table
        at += 3 << ((flags & 7) + 1)
    while data[at] == 0x21:  # an extension: a label, then blocks until an empty one
        at += 2
        while data[at]:
            at += 1 + data[at]
        at += 1
    left, top, width, height = struct.unpack_from("<HHHH", data, at + 1)
    return left, top, width, height


def _png(data: bytes) -> tuple[int, int]:
    if data[12:16] not in (
        b"IHDR",
        b"",
    ):  # decoders skip to IHDR, so another chunk would hide the size
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
    at = 2
    while True:
        marker = data[at + 1]
        if data[at] != 0xFF or marker in _NO_FRAME:
            raise DamagedValue("The JPEG image has no frame header.")
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker in _ALONE:
            at += 2
        # SOF0 to SOF15, except for DHT, JPG and DAC, which are not frames.
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        else:
            at += 2 + max(2, struct.unpack_from(">H", data, at + 2)[0])


def _webp(data: bytes) -> tuple[int, int]:
    if data[12:16] == b"VP8X":
        return (
            1 + int.from_bytes(data[24:27], "little"),
            1 + int.from_bytes(data[27:30], "little"),
        )
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
