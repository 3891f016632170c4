"""What the first bytes of an encoded image say: its type and its size in pixels.

Sources: the PNG specification; ITU T.81 (JPEG markers); GIF89a; BITMAPINFOHEADER; RFC 9649 (WebP).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from mindviz.errors import DamagedValue

PNG = b"\x89PNG\r\n\x1a\n"


def mimetype(encoded: bytes) -> str:
    """The image's media type, or `application/octet-stream` if it is none that browsers show."""
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
    """Width and height from the image's header, of which `encoded` need hold no more.

    Raises DamagedValue if it is not an image we know, or the header is cut off.
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


def _png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _bmp(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", data, 18)
    # A negative height says that the rows are stored top down.
    return abs(width), abs(height)


def _jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while True:
        if data[at] != 0xFF:
            raise DamagedValue("The JPEG image has no frame header.")
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        # SOF0 to SOF15, without the three in that range that are no frames: DHT, JPG, DAC.
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
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def string_image_size(strings: Sequence[bytes]) -> tuple[int, int]:
    """The first two strings of an image tensor are its width and its height, in decimal.

    Raises DamagedValue.
    """
    if len(strings) < 2 or not all(string.isdigit() for string in strings[:2]):
        raise DamagedValue("An image tensor does not begin with its width and height.")
    if max(len(string) for string in strings[:2]) > 10:
        raise DamagedValue("The width and height of an image tensor are no sizes of an image.")
    return int(strings[0]), int(strings[1])
