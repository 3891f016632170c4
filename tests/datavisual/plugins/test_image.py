from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from mindviz.datavisual.analysis.series_parity import EXACT, StepParity, Tolerance
from mindviz.datavisual.plugins.image import (
    PLUGIN,
    PixelBudget,
    decode_pixels,
    parity,
    pixels,
    read_image,
)
from mindviz.datavisual.series.time_series import Image
from mindviz.errors import AnswerTooLarge, DamagedValue, StepNotFound, TagNotFound
from tests.golden.write_golden import PNG
from tests.store_fake import FakeStore
from tests.strategies import any_bytes_near

view = PLUGIN.view

JPEG = b"\xff\xd8\xff\xe0 and so on"


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    images = [Image(3, 2, (PNG,)), Image(640, 480, (JPEG, b"what is this")), Image(3, 2, (PNG,))]
    store.add("./a").add_values("image", "input", [0, 10, 20], images)
    return store


def test_the_view_gives_the_size_at_every_step(store: FakeStore) -> None:
    seen = view(store, "./a", "input").whole()
    assert seen.step.tolist() == [0, 10, 20]
    assert list(seen.columns["width"]) == [3, 640, 3]
    assert list(seen.columns["height"]) == [2, 480, 2]
    assert list(seen.columns["samples"]) == [1, 2, 1]
    assert not seen.problems


def test_an_image_is_found_by_its_step(store: FakeStore) -> None:
    image = read_image(store, "./a", "input", 10)
    assert (image.content, image.mimetype) == (JPEG, "image/jpeg")
    assert read_image(store, "./a", "input", 0).mimetype == "image/png"


def test_minus_one_is_the_newest_step(store: FakeStore) -> None:
    store.jobs["./a"].add_values("image", "last", [4, 7], [Image(1, 1, (JPEG,))] * 2)
    assert read_image(store, "./a", "last", -1).content == JPEG


def test_each_of_several_images_of_a_step_can_be_read(store: FakeStore) -> None:
    image = read_image(store, "./a", "input", 10, sample=1)
    assert image.mimetype == "application/octet-stream"


@pytest.mark.parametrize(("step", "sample"), [(5, 0), (21, 0), (-2, 0), (10, 2), (10, -1)])
def test_a_missing_step_or_sample_is_not_found(store: FakeStore, step: int, sample: int) -> None:
    with pytest.raises(StepNotFound):
        read_image(store, "./a", "input", step, sample)


def test_an_empty_series_has_no_newest_image(store: FakeStore) -> None:
    store.jobs["./a"].add_values("image", "none", [], [])
    with pytest.raises(StepNotFound):
        read_image(store, "./a", "none", -1)


def test_an_unknown_tag_is_not_found(store: FakeStore) -> None:
    with pytest.raises(TagNotFound):
        read_image(store, "./a", "output", 0)


def test_a_damaged_image_is_reported_and_the_others_are_shown(store: FakeStore) -> None:
    store.jobs["./a"].values["image", "input"].damaged.add(1)
    with pytest.raises(DamagedValue):
        read_image(store, "./a", "input", 10)
    seen = view(store, "./a", "input").whole()
    assert list(seen.columns["width"]) == [3, None, 3]
    assert list(seen.problems) == [1]


def test_the_message_about_an_invalid_image_is_stable() -> None:
    store = FakeStore()
    cut = Image(2, 1, (PNG[:29],))
    store.add("./a").add_values("image", "cut", [1], [cut])
    seen = pixels(store, "./a", "cut", None).whole()
    assert seen.problems == {0: "The image cannot be decoded."}


def encoded(name: str, **options: object) -> bytes:
    content = io.BytesIO()
    Pillow.new("RGB", (7, 5), (10, 200, 90)).save(content, name, **options)
    return content.getvalue()


def png_chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def png_claiming(width: int, height: int, front: bytes = b"") -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    rows = png_chunk(b"IDAT", zlib.compress(bytes(100)))
    return PNG[:8] + front + header + rows + png_chunk(b"IEND", b"")


SEVERAL_SIZES = png_claiming(
    9_000, 9_000, front=png_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 1, 0, 0, 0, 0))
)
LARGE_FRAME = (
    b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6)
    + b"\x2c" + struct.pack("<HHHHB", 0, 0, 65_000, 65_000, 0) + b"\x02\x02\x44\x01\x00\x3b"
)  # fmt: skip


@pytest.mark.parametrize(
    "image",
    [
        png_claiming(13_000, 13_000),
        png_claiming(30_000, 30_000),
        png_claiming(30_000, 30_000, front=png_chunk(b"teSt", struct.pack(">II", 1, 1))),
        LARGE_FRAME,
        SEVERAL_SIZES,
    ],
    ids=["large", "larger than Pillow allows", "hidden size", "large frame", "two headers"],
)
def test_an_image_with_a_false_size_is_refused_before_it_is_decoded(image: bytes) -> None:
    with pytest.raises((AnswerTooLarge, DamagedValue)):
        decode_pixels(image, PixelBudget())


def test_images_that_are_damaged_count_too() -> None:
    store = FakeStore()
    images = [Image(1, 1, (png_claiming(1500, 1500),))] * 3
    store.add("./a").add_values("image", "cut", [1, 2, 3], images)
    with pytest.raises(AnswerTooLarge):
        pixels(store, "./a", "cut", None).whole()


def test_a_jpeg_of_many_scans_costs_a_pass_over_its_pixels_each() -> None:
    scans = b"\xff\xda" * 200_000
    image = encoded("JPEG", progressive=True)
    assert decode_pixels(image, PixelBudget())[1].shape == (5, 7, 3)
    with pytest.raises(AnswerTooLarge):
        decode_pixels(image[:-2] + scans, PixelBudget())


def test_a_format_that_browsers_do_not_show_is_not_decoded() -> None:
    for name in ("TIFF", "PPM", "TGA"):
        with pytest.raises(DamagedValue, match="neither PNG"):
            decode_pixels(encoded(name), PixelBudget())


@given(
    any_bytes_near(
        st.sampled_from([encoded(name) for name in ("PNG", "JPEG", "GIF", "BMP", "WEBP")])
    )
)
def test_messages_about_damage_are_our_own(image: bytes) -> None:
    try:
        kind, decoded = decode_pixels(image, PixelBudget())
    except (DamagedValue, AnswerTooLarge):
        return
    assert kind in ("L", "RGB", "RGBA")
    assert 0 <= decoded.min(initial=0) <= decoded.max(initial=0) <= 1


def plain(kind: str, color: tuple[int, int, int] = (200, 10, 30), **options: Any) -> bytes:
    file = io.BytesIO()
    Pillow.new("RGB", (8, 8), color).save(file, kind, **options)
    return file.getvalue()


def test_equal_pixels_have_parity_in_any_encoding() -> None:
    image = Image(8, 8, (plain("PNG"),))
    for other in (plain("PNG", compress_level=0), plain("BMP")):
        assert parity(image, Image(8, 8, (other,)), EXACT) == StepParity(reencoded=True)
    lossy = Image(8, 8, (plain("JPEG", quality=50),))
    assert parity(image, lossy, EXACT).different
    assert not parity(image, lossy, Tolerance(atol=0.05)).different


def test_the_first_different_pixel_has_its_place() -> None:
    a = Image(8, 8, (plain("PNG"), plain("PNG")))
    b = Image(8, 8, (plain("PNG"), plain("PNG", (200, 11, 30))))
    found = parity(a, b, EXACT)
    assert found.index == (1, 0, 0, 1)
    assert (found.a, found.b) == (float(np.float32(10 / 255)), float(np.float32(11 / 255)))


def test_the_largest_difference_may_be_in_a_later_image() -> None:
    a = Image(8, 8, (plain("PNG"),) * 3)
    others = [plain("PNG", (200, 11, 30)), plain("PNG", (200, 90, 30)), plain("BMP")]
    for images in (others, others[::-1]):
        found = parity(a, Image(8, 8, tuple(images)), EXACT)
        assert found.absolute == pytest.approx(80 / 255)
        assert not parity(a, Image(8, 8, tuple(images)), Tolerance(atol=0.5)).different
        assert not found.reencoded


@pytest.mark.parametrize(
    ("other", "descriptions"),
    [
        ((PNG, PNG), ("images: 1", "images: 2")),
        ((b"what is this",), ("image/png, 86 bytes", "application/octet-stream, 12 bytes")),
        ((plain("PNG"),), ("shape [2, 3, 3]", "shape [8, 8, 3]")),
    ],
)
def test_other_differences_of_images_are_described(
    other: tuple[bytes, ...], descriptions: tuple[str, str]
) -> None:
    found = parity(Image(3, 2, (PNG,)), Image(3, 2, other), EXACT)
    assert found.different
    assert (found.a, found.b) == descriptions


def test_equal_bytes_need_not_be_an_image() -> None:
    assert parity(Image(3, 2, (JPEG,)), Image(3, 2, (JPEG,)), EXACT) == StepParity()
