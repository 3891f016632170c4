"""Image arrays in any layout, arranged as one picture per step and encoded as PNG."""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array
from mindviz.wire import encode_mindspore

COLUMNS = 8
"""Images per row of a batch."""

LAYOUTS = ("NCHW", "NHWC", "CHW", "HWC", "HW")

_CHANNELS = (1, 2, 3, 4)
"""Gray, gray and alpha, RGB, RGBA."""


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """An image or a batch of images with an explicit layout."""

    array: object
    """Any array that `add_value` accepts."""
    layout: str
    """One letter per axis (`N` image, `C` channel, `H` row, `W` column), such as `NCHW`."""


def layout_of(
    shape: tuple[int, ...], what: str, layout: str | None = None, *, argument: str = "layout"
) -> str:
    """The given layout, or the first of `LAYOUTS` that fits the shape.

    Channels-first layouts take precedence, as in MindSpore and torch. `argument` is the name of
    the caller's layout argument, for messages. Raises InvalidValue if the shape is not an image's.
    """
    fitting = [name for name in LAYOUTS if len(name) == len(shape) and _fits(shape, name)]
    if layout is None and fitting and 0 not in shape:
        return fitting[0]
    if layout is not None and _is_layout(layout, shape) and 0 not in shape:
        return layout
    if layout is not None and fitting and 0 not in shape:
        hint = f"{argument}={layout!r} does not fit; {argument}={fitting[0]!r} would."
    else:
        hint = f"Use a layout of {', '.join(LAYOUTS)}, with 1 to 4 channels and no empty axis."
    raise InvalidValue(f"{what} is not an image: shape {list(shape)}. {hint}")


def _is_layout(layout: str, shape: tuple[int, ...]) -> bool:
    known = [sorted(name) for name in LAYOUTS]
    return sorted(layout) in known and len(layout) == len(shape) and _fits(shape, layout)


def _fits(shape: tuple[int, ...], layout: str) -> bool:
    return "C" not in layout or shape[layout.index("C")] in _CHANNELS


def encoded(tag: str, values: Array, layout: str) -> bytes:
    """A Summary.Value with an image, or a batch of images as one picture."""
    picture = _to_uint8(grid(values, layout))
    height, width, channels = picture.shape
    return encode_mindspore.image(tag, png(picture), width, height, channels)


def grid(values: Array, layout: str, max_columns: int = COLUMNS) -> Array:
    """Shape (height, width, channels): one image, or a batch in rows of `max_columns`."""
    axes = [layout.index(axis) for axis in "NHWC" if axis in layout]
    batch = values.transpose(axes)
    if "C" not in layout:
        batch = batch[..., np.newaxis]
    if "N" not in layout:
        return batch
    count, height, width, channels = batch.shape
    columns = min(count, max_columns)
    rows = -(-count // columns)
    canvas = np.zeros((rows * columns, height, width, channels), batch.dtype)
    canvas[:count] = batch
    tiles = canvas.reshape(rows, columns, height, width, channels).transpose(0, 2, 1, 3, 4)
    return tiles.reshape(rows * height, columns * width, channels)


def _to_uint8(picture: Array) -> NDArray[np.uint8]:
    """Pixels from 0 to 255.

    uint8 is unchanged. Values within 0..1 are multiplied by 255, integers within 0..255 kept, and
    anything else is scaled from its own range. NaN becomes the minimum, infinities the ends.
    """
    if picture.dtype == np.uint8:
        return picture
    finite = picture[np.isfinite(picture)] if picture.dtype.kind == "f" else picture
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= 0 and high <= 255 and picture.dtype.kind in "iu":
        low, high = 0.0, 255.0
    if not high > low:
        return np.zeros(picture.shape, np.uint8)
    wide = picture.astype(
        np.float32 if picture.dtype.itemsize < 4 else np.result_type(picture, "f4")
    )
    numbers = np.nan_to_num(wide, copy=False, nan=low, posinf=high, neginf=low)
    # In halves, because the difference of two finite floats may overflow.
    numbers /= 2
    numbers -= low / 2
    numbers *= 255 / (high / 2 - low / 2)
    rounded: NDArray[np.uint8] = np.rint(numbers, out=numbers).astype(np.uint8)
    return rounded


def png(picture: NDArray[np.uint8]) -> bytes:
    """Shape (height, width, channels) as PNG, at the fastest compression level."""
    pillow = import_module("PIL.Image")
    encoded = io.BytesIO()
    flat = picture[..., 0] if picture.shape[2] == 1 else picture
    pillow.fromarray(np.ascontiguousarray(flat)).save(encoded, "PNG", compress_level=1)
    return encoded.getvalue()
