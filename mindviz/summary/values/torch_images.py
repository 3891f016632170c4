"""Images, figures and videos as torch's SummaryWriter draws them.

Unlike in MindSpore, floats are always scaled from 0..1, and clipped beyond.
Source: torch.utils.tensorboard.summary.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue
from mindviz.summary.values import images
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.writing.recorded_step import PooledValue, describe
from mindviz.wire.encode import image_value

Picture = NDArray[np.uint8]
"""Shape (height, width, channels)."""

BOX_COLOR, BOX_WIDTH = "red", 2

MAX_SCALE = 100


def image(tag: str, value: object, layout: str) -> PooledValue:
    """One image, or a batch in rows of eight. `layout` has a letter per axis."""
    what = describe("image", tag)
    array = snapshot(value, what)
    axes = images.layout_of(array.shape, what, layout.upper(), argument="dataformats")
    return pooled(what, lambda: [_encode(tag, _draw(array, axes))], array.nbytes)


def image_with_boxes(
    tag: str,
    value: object,
    boxes: object,
    layout: str,
    *,
    scale: float = 1,
    labels: Sequence[str] | None = None,
) -> PooledValue:
    """An image with rectangles (xmin, ymin, xmax, ymax), resized by `scale`.

    Labels are drawn if there are as many as boxes.
    """
    what = describe("image", tag)
    array, corners = snapshot(value, what), snapshot(boxes, f"the boxes of {what}")
    axes = images.layout_of(array.shape, what, layout.upper(), argument="dataformats")
    if corners.ndim != 2 or corners.shape[1] != 4:
        raise InvalidValue(
            f"The boxes of {what} have shape {list(corners.shape)}; it must be [n, 4]."
        )
    if not np.isfinite(corners).all():
        raise InvalidValue(f"The boxes of {what} have corners that are NaN or infinite.")
    if not 0 < scale <= MAX_SCALE:  # True for NaN
        raise InvalidValue(f"{what} has a scale of {scale!r}; it must be in (0, {MAX_SCALE}].")
    texts = list(labels or ())
    texts = texts if len(texts) == len(corners) else [""] * len(corners)

    def encode() -> list[bytes]:
        return [_encode(tag, _with_boxes(_draw(array, axes), corners, texts, scale))]

    return pooled(what, encode, array.nbytes)


def figure(figures: Any, tag: str, *, close: bool) -> tuple[Array, str]:
    """(image, layout) of a matplotlib figure, or of a list of figures as a batch.

    Drawn in the calling thread, because matplotlib is not thread-safe.
    """
    backend = import_module("matplotlib.backends.backend_agg")
    drawn = []
    is_batch = isinstance(figures, list)
    for one in figures if is_batch else [figures]:
        canvas = backend.FigureCanvasAgg(one)
        canvas.draw()
        drawn.append(np.array(canvas.buffer_rgba())[..., :3])
        if close:
            import_module("matplotlib.pyplot").close(one)
    shapes = {picture.shape for picture in drawn}
    if len(shapes) != 1:
        raise InvalidValue(f"The figures of image {tag!r} have different sizes: {sorted(shapes)}.")
    return (np.stack(drawn), "NHWC") if is_batch else (drawn[0], "HWC")


def video(tag: str, value: object, frames_per_second: float) -> PooledValue:
    """Videos of shape (batch, time, channels, height, width), side by side as a GIF."""
    what = describe("video", tag)
    array = snapshot(value, what)
    if array.ndim != 5 or array.shape[2] not in (1, 3) or not array.size:
        raise InvalidValue(
            f"{what} has shape {list(array.shape)}; it must be [batch, time, channels, height, "
            "width], with one or three channels."
        )
    if not 0 < frames_per_second <= 100:
        raise InvalidValue(
            f"{what} has {frames_per_second!r} frames per second; it must be in (0, 100]."
        )
    return pooled(
        what, lambda: [_encode_video(tag, to_uint8(array), frames_per_second)], array.nbytes
    )


def to_uint8(array: Array) -> NDArray[np.uint8]:
    """uint8 unchanged; other types times 255, clipped to 0..255; NaN is 0."""
    if array.dtype == np.uint8:
        return array
    with np.errstate(over="ignore"):
        wide = array.astype(np.float32) * 255
    return np.nan_to_num(wide, nan=0).clip(0, 255).astype(np.uint8)


def _draw(array: Array, layout: str) -> Picture:
    return images.grid(to_uint8(array), layout)


def _encode(tag: str, picture: Picture) -> bytes:
    return _image_value(tag, images.png(picture), picture)


def _image_value(tag: str, encoded: bytes, picture: Picture) -> bytes:
    height, width, channels = picture.shape
    return image_value(tag, encoded, width, height, channels)


def _with_boxes(picture: Picture, boxes: Array, labels: Sequence[str], scale: float) -> Picture:
    pillow, drawing = import_module("PIL.Image"), import_module("PIL.ImageDraw")
    flat = picture[..., 0] if picture.shape[2] == 1 else picture
    canvas = pillow.fromarray(np.ascontiguousarray(flat)).convert("RGB")
    pen = drawing.Draw(canvas)
    for (left, top, right, bottom), label in zip(boxes.tolist(), labels, strict=True):
        corners = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
        pen.line(corners, fill=BOX_COLOR, width=BOX_WIDTH)
        if label:
            extent = pen.textbbox((left + 1, bottom), label, anchor="lb")
            pen.rectangle(extent, fill=BOX_COLOR)
            pen.text((left + 1, bottom), label, fill="black", anchor="lb")
    height, width = picture.shape[:2]
    size = max(1, int(width * scale)), max(1, int(height * scale))
    if size != canvas.size:
        canvas = canvas.resize(size, pillow.Resampling.LANCZOS)
    return np.asarray(canvas)


def _encode_video(tag: str, clips: NDArray[np.uint8], frames_per_second: float) -> bytes:
    """Clips in a grid whose number of tiles is a power of two, as in torch."""
    count, length, channels, height, width = clips.shape
    tile_count = 1 << (count - 1).bit_length()
    rows = 1 << (count.bit_length() - 1) // 2
    canvas = np.zeros((tile_count, length, channels, height, width), np.uint8)
    canvas[:count] = clips
    tiles = canvas.reshape(rows, tile_count // rows, length, channels, height, width)
    frames = tiles.transpose(2, 0, 4, 1, 5, 3).reshape(length, rows * height, -1, channels)
    pillow = import_module("PIL.Image")
    flat = frames[..., 0] if channels == 1 else frames
    first, *rest = [pillow.fromarray(np.ascontiguousarray(frame)) for frame in flat]
    encoded = io.BytesIO()
    first.save(
        encoded,
        "GIF",
        save_all=True,
        append_images=rest,
        duration=1000 / frames_per_second,
        loop=0,
    )
    return _image_value(tag, encoded.getvalue(), frames[0])
