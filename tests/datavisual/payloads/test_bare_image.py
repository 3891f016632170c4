"""Images keep their pixels and lose everything else."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from mindviz.datavisual.payloads.bare_image import bare_image
from mindviz.datavisual.payloads.encoded_image import MAX_PARTS, pixel_size
from mindviz.datavisual.plugins.image import PixelBudget, decode_pixels
from mindviz.errors import AnswerTooLarge, DamagedValue

NOTE = b"a note about the image"
PIXELS = np.random.default_rng(1).integers(0, 256, (9, 7, 4), np.uint8)


def encoded(kind: str, mode: str, **options: Any) -> bytes:
    file = io.BytesIO()
    picture = Image.fromarray(PIXELS, "RGBA").convert("RGB").convert(mode)
    if mode == "RGBA":
        picture = Image.fromarray(PIXELS, "RGBA")
    picture.save(file, kind, **options)
    return file.getvalue()


def noted_png(mode: str, **options: Any) -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("k", NOTE.decode(), zip=False)
    return encoded("PNG", mode, pnginfo=info, **options)


def jpeg(mode: str, **options: Any) -> bytes:
    return encoded("JPEG", mode, comment=NOTE, exif=b"Exif\0\0" + NOTE, **options)


@pytest.mark.parametrize(
    "image",
    [
        noted_png("RGB"),
        noted_png("RGBA", icc_profile=NOTE),
        noted_png("P", transparency=3),
        noted_png("L", transparency=200),
        noted_png("1"),
        jpeg("RGB", progressive=True, icc_profile=NOTE),
        jpeg("L", restart_marker_blocks=1),
        jpeg("CMYK"),
        encoded("GIF", "P", comment=NOTE, transparency=5),
        encoded("GIF", "P", comment=NOTE, save_all=True, append_images=[Image.new("P", (7, 9), 1)]),
        encoded("WEBP", "RGBA", lossless=True),
        encoded("BMP", "RGB"),
    ],
)
def test_pixels_are_kept_and_metadata_is_removed(image: bytes) -> None:
    bare = bare_image(image)
    assert NOTE not in bare or image[:4] == b"RIFF"
    with Image.open(io.BytesIO(image)) as before, Image.open(io.BytesIO(bare)) as after:
        assert (before.mode, before.size) == (after.mode, after.size)
        np.testing.assert_array_equal(
            np.asarray(before.convert("RGBA")), np.asarray(after.convert("RGBA"))
        )
    assert bare_image(bare) == bare


def png_parts(count: int, name: bytes) -> bytes:
    image = encoded("PNG", "RGB")
    chunk = struct.pack(">I", 0) + name + struct.pack(">I", zlib.crc32(name))
    return image[:33] + count * chunk + image[33:]


def jpeg_parts(count: int, part: bytes) -> bytes:
    image = encoded("JPEG", "RGB")
    return image[:2] + count * part + image[2:]


def gif_parts(count: int, part: bytes, end: bytes) -> bytes:
    image = encoded("GIF", "P")
    at = 13 + (3 << ((image[10] & 7) + 1))
    return image[:at] + b"\x21\xfe" + count * part + end + image[at:]


@pytest.mark.parametrize(
    "build",
    [
        lambda count: png_parts(count, b"teSt"),
        lambda count: png_parts(count, b"IDAT"),
        lambda count: jpeg_parts(count, b"\xff\xfe\0\2"),
        lambda count: jpeg_parts(count, b"\xff\xe1\0\2"),
        lambda count: gif_parts(count, b"\1a", b"\0"),
        lambda count: gif_parts(count, b"\1a\0\x21\xfe", b"\0"),
    ],
    ids=["chunks", "data", "comments", "notes", "blocks", "extensions"],
)
def test_an_image_of_too_many_parts_is_damaged(build: Callable[[int], bytes]) -> None:
    shape = decode_pixels(build(100), PixelBudget())[1].shape
    assert shape[:2] == (9, 7)
    with pytest.raises(DamagedValue, match="more than 20000 parts"):
        decode_pixels(build(MAX_PARTS + 1), PixelBudget())


def test_fill_bytes_are_not_parts() -> None:
    image = jpeg_parts(10 * MAX_PARTS, b"\xff")
    assert pixel_size(image) == (7, 9)
    assert decode_pixels(image, PixelBudget())[1].shape == (9, 7, 3)
    assert len(bare_image(image)) < 1_000


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF"])
def test_an_image_that_is_cut_off_anywhere_is_damaged_or_read(kind: str) -> None:
    image = encoded(kind, "P" if kind == "GIF" else "RGB")
    for length in range(6, len(image)):
        try:
            decode_pixels(image[:length], PixelBudget())
        except DamagedValue:
            continue


def test_run_lengths_cost_more_than_pixels() -> None:
    def bmp(side: int) -> bytes:
        runs = side * (side // 250 * b"\xfa\5" + b"\0\0") + b"\0\1"
        head = struct.pack("<IiiHHIIiiII", 40, side, side, 1, 8, 1, len(runs), 0, 0, 256, 0)
        offset = 14 + len(head) + 1024
        start = struct.pack("<2sIHHI", b"BM", offset + len(runs), 0, 0, offset)
        return start + head + bytes(1024) + runs

    assert decode_pixels(bmp(500), PixelBudget())[1].shape[:2] == (500, 500)
    with pytest.raises(AnswerTooLarge):
        decode_pixels(bmp(1_000), PixelBudget())
