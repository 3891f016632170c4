from __future__ import annotations

import io
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mindviz.datavisual.payloads.encoded_image import (
    decoded_size,
    mimetype,
    pixel_size,
)
from mindviz.errors import DamagedValue

TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "BMP": "image/bmp",
    "WEBP": "image/webp",
}


def encoded(name: str, size: tuple[int, int], **options: object) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", size, (10, 200, 90)).save(content, name, **options)
    return content.getvalue()


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("size", [(3, 2), (300, 17)], ids=str)
def test_type_and_size_are_in_the_header(name: str, size: tuple[int, int]) -> None:
    image = encoded(name, size)
    assert mimetype(image) == TYPES[name]
    assert pixel_size(image) == size


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("JPEG", {"progressive": True}),
        ("JPEG", {"comment": b"c" * 5000}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"exif": b"Exif\0\0" + bytes(20)}),
    ],
    ids=["progressive JPEG", "JPEG with a comment", "lossless WebP", "extended WebP"],
)
def test_variants_of_a_type(name: str, options: dict[str, object]) -> None:
    assert pixel_size(encoded(name, (40, 30), **options)) == (40, 30)


def test_a_bitmap_stored_top_down_has_no_negative_height() -> None:
    image = bytearray(encoded("BMP", (3, 2)))
    image[22:26] = (-2).to_bytes(4, "little", signed=True)
    assert pixel_size(bytes(image)) == (3, 2)


@pytest.mark.parametrize("content", [b"", b"text", b"\x00" * 40, b"RIFF....WAVEfmt "])
def test_anything_else_is_no_image(content: bytes) -> None:
    assert mimetype(content) == "application/octet-stream"
    with pytest.raises(DamagedValue, match="neither"):
        pixel_size(content)


@pytest.mark.parametrize("name", TYPES)
def test_a_header_may_be_cut_off_anywhere(name: str) -> None:
    image = encoded(name, (3, 2))
    for end in range(30):
        try:
            assert pixel_size(image[:end]) == (3, 2)
        except DamagedValue as error:
            assert str(error)


@given(start=st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM",
                              b"RIFF....WEBPVP8 ", b"RIFF....WEBPVP8L", b"RIFF....WEBPVP8X"]),
       rest=st.binary(max_size=60))  # fmt: skip
def test_noise_behind_a_signature_is_a_size_or_damage(start: bytes, rest: bytes) -> None:
    try:
        width, height = pixel_size(start + rest)
    except DamagedValue:
        return
    assert width >= 0
    assert height >= 0


def test_a_chunk_in_front_of_a_png_header_is_damage() -> None:
    image = encoded("PNG", (3000, 2000))
    chunk = b"teSt" + struct.pack(">II", 1, 1)
    front = struct.pack(">I", 8) + chunk + struct.pack(">I", zlib.crc32(chunk))
    with pytest.raises(DamagedValue, match="header"):
        pixel_size(image[:8] + front + image[8:])


@pytest.mark.parametrize("marker", [b"\xff\xd0", b"\xff\x01", b"\xff\xff\xd7"], ids=repr)
def test_a_jpeg_marker_without_a_length_hides_nothing(marker: bytes) -> None:
    image = encoded("JPEG", (300, 200))
    assert pixel_size(image[:2] + marker + image[2:]) == (300, 200)


def test_a_jpeg_without_a_frame_header_is_damage() -> None:
    for marker in (b"\xff\xda", b"\xff\xd9"):
        with pytest.raises(DamagedValue, match="no frame header"):
            pixel_size(b"\xff\xd8" + marker + encoded("JPEG", (3, 2))[2:])


def test_a_bitmap_may_have_the_short_header() -> None:
    header = struct.pack("<IHHI", 26 + 24, 0, 0, 26) + struct.pack("<IHHHH", 12, 100, 50, 1, 24)
    assert pixel_size(b"BM" + header) == (100, 50)


def test_a_webp_image_of_an_unknown_kind_is_damage() -> None:
    with pytest.raises(DamagedValue, match="does not start"):
        pixel_size(b"RIFF\x24\0\0\0WEBPABCD" + bytes(30))


def test_a_gif_frame_may_be_larger_than_its_header_says() -> None:
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6)
    comment = b"\x21\xfe\x03abc\x00"
    frame = b"\x2c" + struct.pack("<HHHHB", 5, 6, 13000, 12000, 0)
    assert pixel_size(screen + comment + frame) == (1, 1)
    assert decoded_size(screen + comment + frame) == (13005, 12006)
    with pytest.raises(DamagedValue, match="no frame"):
        decoded_size(screen + comment)
    assert decoded_size(encoded("GIF", (30, 20))) == (30, 20)
