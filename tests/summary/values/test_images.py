from __future__ import annotations

import io
import itertools
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from mindviz.errors import InvalidValue
from mindviz.summary.values.images import encoded, grid, layout_of
from mindviz.wire.proto import mindspore_pb2 as proto

Array = np.ndarray[Any, Any]


def drawn(values: Array, layout: str | None = None) -> Array:
    """The pixels of the picture that is recorded, channels last."""
    layout = layout_of(values.shape, "image 'x'", layout)
    image = proto.Summary.Value.FromString(encoded("x", values, layout)).image
    with Pillow.open(io.BytesIO(image.encoded_image)) as picture:
        pixels = np.asarray(picture)
    pixels = pixels.reshape(*pixels.shape[:2], -1)
    assert pixels.shape == (image.height, image.width, image.colorspace)
    return pixels


@pytest.mark.parametrize(
    ("shape", "layout"),
    [
        ((2, 3, 8, 9), "NCHW"),
        ((2, 1, 8, 9), "NCHW"),
        ((2, 8, 9, 3), "NHWC"),
        ((2, 3, 9, 3), "NCHW"),
        ((3, 8, 9), "CHW"),
        ((8, 9, 3), "HWC"),
        ((8, 9, 4), "HWC"),
        ((3, 9, 3), "CHW"),
        ((8, 9), "HW"),
        ((1, 1), "HW"),
    ],
)
def test_the_layout_is_inferred_channels_first(shape: tuple[int, ...], layout: str) -> None:
    assert layout_of(shape, "it") == layout


@pytest.mark.parametrize(
    ("shape", "layout"),
    [
        ((), None),
        ((5,), None),
        ((5, 6, 7), None),
        ((2, 5, 6, 7), None),
        ((1, 2, 3, 4, 5), None),
        ((0, 3, 8, 8), None),
        ((3, 0, 8), None),
        ((8, 9, 3), "CHW"),
        ((8, 9, 3), "NCHW"),
        ((8, 9, 3), "XYZ"),
    ],
)
def test_the_error_for_an_invalid_image_names_tag_and_shape(
    shape: tuple[int, ...], layout: str | None
) -> None:
    with pytest.raises(InvalidValue) as refused:
        layout_of(shape, "image 'input'", layout)
    assert "image 'input'" in str(refused.value)
    assert str(list(shape)) in str(refused.value)


def test_the_error_suggests_a_fitting_layout() -> None:
    with pytest.raises(InvalidValue, match="layout='CHW' does not fit; layout='HWC' would"):
        layout_of((8, 8, 3), "image 'input'", "CHW")


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("layout", ["CHW", "HWC", "NCHW", "NHWC"])
def test_every_layout_gives_the_same_picture(layout: str, channels: int) -> None:
    picture = np.arange(5 * 6 * channels, dtype=np.uint8).reshape(5, 6, channels)
    axes = ["HWC".index(axis) for axis in layout if axis != "N"]
    values = picture.transpose(axes)[(np.newaxis,) * (len(layout) - 3)]
    assert (drawn(values, layout) == picture).all()


def test_a_batch_is_drawn_in_rows_of_eight() -> None:
    batch = np.arange(10)[:, np.newaxis, np.newaxis] * np.ones((1, 2, 3))
    tiles = grid(batch[..., np.newaxis], "NHWC")[..., 0]
    assert tiles.shape == (4, 24)
    assert tiles[0, ::3].tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert tiles[3, ::3].tolist() == [8, 9, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("values", "pixels"),
    [
        (np.array([[0, 128, 255]], np.uint8), [0, 128, 255]),
        (np.array([[False, True]]), [0, 255]),
        (np.array([[0.0, 0.5, 1.0]]), [0, 128, 255]),
        (np.array([[0.25, 0.25]], np.float16), [64, 64]),
        (np.array([[0, 128, 255]], np.int64), [0, 128, 255]),
        (np.array([[-1.0, 0.0, 1.0]]), [0, 128, 255]),
        (np.array([[0, 500, 1000]]), [0, 128, 255]),
        (np.array([[7.0, 7.0]]), [0, 0]),
        (np.array([[0.0, np.nan, 1.0]]), [0, 0, 255]),
        (np.array([[-np.inf, 0.0, 1.0, np.inf]]), [0, 0, 255, 255]),
        (np.array([[np.nan, np.inf]]), [0, 255]),
        (np.array([[-1.7e308, 0.0, 1.7e308]]), [0, 128, 255]),
        (np.array([[-3e38, 0.0, 3e38]], np.float32), [0, 128, 255]),
    ],
    ids=itertools.count(),
)
def test_values_are_scaled_by_type_and_range(values: Array, pixels: list[int]) -> None:
    assert drawn(values)[0, :, 0].tolist() == pixels
