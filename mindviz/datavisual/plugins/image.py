"""Images: the sizes of each step, single images, and pixels."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.array_parity import compare_arrays
from mindviz.datavisual.analysis.series_parity import (
    StepParity,
    Tolerance,
    both,
    compare_parts,
    described,
)
from mindviz.datavisual.payloads.bare_image import bare_image
from mindviz.datavisual.payloads.encoded_image import decoded_size, mimetype, string_image_size
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.generic_name import GenericName, strings
from mindviz.datavisual.series.series_view import ValuesView, check_elements, read_as
from mindviz.datavisual.series.time_series import (
    DataClass,
    Image,
    ImageSize,
    Value,
    ValueTimeSeries,
)
from mindviz.datavisual.series.value_table import Column, Kind, ValueTable
from mindviz.datavisual.store import Store
from mindviz.deadline import begin_long_work
from mindviz.errors import DamagedValue, StepNotFound

NEWEST = -1
"""In place of a step: the newest one. A logged step -1 cannot be requested."""

_SHOWN_AS = {"1": "L", "L": "L", "P": "RGBA", "PA": "RGBA", "LA": "RGBA", "La": "RGBA"}
"""Pillow's mode -> type; RGBA also for RGBa, RGB for all others."""

_DECODERS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/bmp": "BMP",
    "image/webp": "WEBP",
}
"""Media type -> Pillow's decoder. Some of its other decoders start programs."""

_SMALL = 500_000
"""Pixels that are decoded within 20 ms."""
_CORE_HEADER = b"\x0c"
"""The length of a BMP header without a compression."""
_RUN_LENGTHS = (b"\x01\0\0\0", b"\x02\0\0\0")
_RUN_COST = 8
"""Pillow decodes run lengths in Python."""
_USUAL_SCANS = 12
"""Of a progressive JPEG, a thumbnail's included. Each takes a pass over all pixels."""


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """One image as logged."""

    content: bytes
    mimetype: str
    """By its first bytes; `application/octet-stream` if browsers cannot show it."""


@logged_view("width", "height", "samples")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """Width, height and number of the images of a step."""
    return _size(series, row)._asdict()


@logged_view("size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """Width and height as `size`; the images are blobs."""
    return {"size": list(_size(series, row)[:2])}


def pixels(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's pixels, rows from the top, channels innermost, in [0, 1].

    `type` is L, RGB or RGBA. Of several images at a step, one follows the other, and `size` is
    width, height and their number. Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = store.read_values(train_id, "image", tag, writer=writer)
    budget = PixelBudget()
    return ValuesView.of(
        series, ("data", "type", "size"), lambda row: _pixels(_image(series, row), budget)
    )


@dataclass(slots=True)
class PixelBudget:
    """The pixels that one answer may decode, images that turn out to be damaged included."""

    spent: int = 0

    def spend(self, count: int) -> None:
        """Raises AnswerTooLarge."""
        check_elements(count, alone=not self.spent)
        self.spent += count
        check_elements(self.spent)


def _pixels(image: Image, budget: PixelBudget) -> Mapping[str, object]:
    if not image.encoded:
        raise DamagedValue("There is no image at this step.")
    decoded = [decode_pixels(encoded, budget) for encoded in image.encoded]
    first = decoded[0][1]
    if any(kind != decoded[0][0] or data.shape != first.shape for kind, data in decoded):
        raise DamagedValue("The images of this step differ in type or size.")
    height, width = first.shape[:2]
    size = [width, height] if len(decoded) == 1 else [width, height, len(decoded)]
    data = np.concatenate([data.ravel() for _, data in decoded])
    return {"data": data, "type": decoded[0][0], "size": size}


def decode_pixels(encoded: bytes, budget: PixelBudget) -> tuple[str, NDArray[np.float32]]:
    """Type (L, RGB or RGBA) and pixels in [0, 1] of shape (height, width) or with channels last.

    Of an animation the first frame. Raises DamagedValue, AnswerTooLarge.
    """
    bare = bare_image(encoded)
    # Needed for few answers, and takes its time.
    from PIL import Image as Pillow  # noqa: PLC0415
    from PIL import UnidentifiedImageError  # noqa: PLC0415

    width, height = decoded_size(encoded)
    cost = _cost(encoded, width * height)
    budget.spend(cost)  # before anything is allocated for it
    if cost > _SMALL:
        begin_long_work()
    try:
        with Pillow.open(io.BytesIO(bare), formats=(_DECODERS[mimetype(encoded)],)) as opened:
            if opened.size[0] * opened.size[1] > width * height:
                raise DamagedValue("The image is larger than its header says.")  # noqa: TRY301
            if opened.mode.startswith("I") or opened.mode == "F":  # 16 bits and more, in gray
                return "L", _deep(np.asarray(opened))
            shown = _SHOWN_AS.get(opened.mode, "RGBA" if "a" in opened.mode.lower() else "RGB")
            if opened.mode == "P" and "transparency" not in opened.info:
                shown = "RGB"
            array = np.asarray(opened.convert(shown))
    except DamagedValue:
        raise
    except UnidentifiedImageError as error:  # its message is not useful
        raise DamagedValue("The image cannot be decoded.") from error
    except Exception as error:  # Pillow's parsers raise many kinds
        raise DamagedValue(f"The image cannot be decoded: {error}.") from error
    return shown, array.astype(np.float32) / np.float32(255)


def _cost(encoded: bytes, pixels: int) -> int:
    """Number of ordinary pixels that take as long to decode."""
    kind = mimetype(encoded)
    if kind == "image/jpeg":  # once per scan of a progressive one
        return pixels * max(1, encoded.count(b"\xff\xda") - _USUAL_SCANS)
    if kind == "image/bmp" and encoded[14:15] != _CORE_HEADER and encoded[30:34] in _RUN_LENGTHS:
        return _RUN_COST * (pixels + len(encoded) // 2)
    return pixels


def _deep(array: NDArray[Any]) -> NDArray[np.float32]:
    deepest = 65535 if array.dtype.kind in "iu" else 1
    scaled = array.astype(np.float32) / np.float32(deepest)
    clipped: NDArray[np.float32] = np.clip(scaled, np.float32(0), np.float32(1))
    return clipped


def read_image(store: Store, train_id: str, tag: str, step: int, sample: int = 0) -> EncodedImage:
    """One image of a series: sample number `sample` at `step`, or at the newest step for -1.

    Raises TrainJobNotFound, TagNotFound, StepNotFound (also for a sample that is not there),
    DamagedValue.
    """
    series = store.read_values(train_id, "image", tag)
    row = len(series.step) - 1 if step == NEWEST else int(np.searchsorted(series.step, step))
    if not 0 <= row < len(series.step) or step not in (NEWEST, series.step[row]):
        raise StepNotFound(tag, step)
    image = _image(series, row)
    if not 0 <= sample < len(image.encoded):
        raise StepNotFound(tag, step, index=sample)
    content = image.encoded[sample]
    return EncodedImage(content, mimetype(content))


def _size(series: ValueTimeSeries, row: int) -> ImageSize:
    if series.read_size is not None:
        try:
            return series.read_size(row)
        except DamagedValue:
            # The header may lie further back, behind a camera's notes and thumbnail.
            pass
    image = _image(series, row)
    return ImageSize(image.width, image.height, len(image.encoded))


def _image(series: ValueTimeSeries, row: int) -> Image:
    return read_as(series, row, Image, "an image")


def _blobs(image: Image) -> Sequence[bytes]:
    return [b"%d" % image.width, b"%d" % image.height, *image.encoded]


def _rows(value: object) -> Iterator[tuple[Any, ...]]:
    if not isinstance(value, Image):
        raise DamagedValue("The value is not an image.")
    if not value.encoded:
        raise DamagedValue("The value contains no image.")
    for sample, encoded in enumerate(value.encoded):
        yield sample, value.width, value.height, mimetype(encoded), len(encoded), encoded


def parity(a: Value, b: Value, tolerance: Tolerance) -> StepParity:
    """The pixels in [0, 1], unless the bytes are equal."""
    x, y = both(Image, a, b)
    if len(x.encoded) != len(y.encoded):
        return described(lambda image: f"images: {len(image.encoded):,}", x, y, shapes=True)
    return compare_parts(x.encoded, y.encoded, partial(_compared_pixels, tolerance))


def _compared_pixels(tolerance: Tolerance, a: bytes, b: bytes) -> StepParity:
    try:
        (kind_a, pixels_a), (kind_b, pixels_b) = (
            decode_pixels(encoded, PixelBudget()) for encoded in (a, b)
        )
    except DamagedValue:  # no image that can be decoded here
        return described(lambda one: f"{mimetype(one)}, {len(one):,} bytes", a, b)
    if kind_a != kind_b:
        return described(str, kind_a, kind_b, shapes=True)
    found = compare_arrays(pixels_a, pixels_b, tolerance)
    return replace(found, reencoded=not found.different)


PLUGIN = Plugin(
    "image",
    "/image",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": values, "pixels": pixels},
    names=(
        GenericName(
            "images",
            DataClass.BLOB_SEQUENCE,
            fields=("image",),
            content=b"\x10\x01",  # ImagePluginData: converted_to_tensor 2
            is_sized=True,
            value_class=Image,
            to_tensor=lambda image: strings(_blobs(image)),
            to_blobs=lambda image: image.encoded,
            from_blobs=lambda blobs, _: Image(*string_image_size(blobs), tuple(blobs[2:])),
        ),
    ),
    table=ValueTable(
        (
            Column("sample", Kind.INTEGER),
            Column("width", Kind.INTEGER),
            Column("height", Kind.INTEGER),
            Column("mimetype", Kind.TEXT),
            Column("size", Kind.INTEGER),
            Column("encoded", Kind.BYTES),
        ),
        _rows,
    ),
    parity=parity,
    error_code="5054500D",
)
