from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mindviz.errors import InvalidValue
from mindviz.summary.values.torch_images import image, image_with_boxes, video
from tests.proto import tensorboard_pb2 as proto

RED = [255, 0, 0]


def decoded(value: Any) -> tuple[Any, Image.Image]:
    """The Summary.Image of a recorded value, and its pixels."""
    (found,) = proto.Event.FromString(value.encode(1.0, 0)).summary.value
    return found.image, Image.open(io.BytesIO(found.image.encoded_image_string))


def pixels(value: Any) -> Any:
    """Shape (height, width[, channels])."""
    facts, picture = decoded(value)
    assert (facts.width, facts.height) == picture.size
    return np.asarray(picture)


@pytest.mark.parametrize("layout", ["CHW", "HWC", "WHC", "hwc", "CWH"])
def test_a_layout_has_one_letter_per_axis(layout: str) -> None:
    original = np.random.default_rng(0).integers(0, 255, (4, 5, 3), np.uint8)
    given = original.transpose(["HWC".index(axis) for axis in layout.upper()])
    assert np.array_equal(pixels(image("x", given, layout)), original)


def test_an_error_names_the_argument_to_change() -> None:
    with pytest.raises(InvalidValue, match="dataformats='CHW' does not fit; dataformats='HWC' wou"):
        image("x", np.zeros((8, 8, 3)), "CHW")


def test_gray_images_may_have_no_channels() -> None:
    original = np.arange(20, dtype=np.uint8).reshape(4, 5)
    assert np.array_equal(pixels(image("x", original, "HW")), original)
    assert np.array_equal(pixels(image("x", original.T, "WH")), original)


def test_a_batch_is_drawn_in_rows_of_eight() -> None:
    batch = np.broadcast_to(np.arange(10, dtype=np.uint8).reshape(10, 1, 1, 1), (10, 3, 2, 2))
    drawn = pixels(image("x", batch, "NCHW"))
    assert drawn.shape == (4, 16, 3)
    assert drawn[0, ::2, 0].tolist() == list(range(8))
    assert drawn[2, ::2, 0].tolist() == [8, 9, 0, 0, 0, 0, 0, 0]


def test_floats_are_scaled_and_clipped() -> None:
    row = np.array([[-1, 0, 0.5, 1, 2, np.nan, np.inf, -np.inf]])
    assert pixels(image("x", row, "HW")).tolist() == [[0, 0, 127, 255, 255, 0, 255, 0]]


def test_booleans_are_black_and_white() -> None:
    assert pixels(image("x", np.array([[True, False]]), "HW")).tolist() == [[255, 0]]


def test_boxes_are_red_lines() -> None:
    black = np.zeros((3, 40, 60), np.uint8)
    drawn = pixels(image_with_boxes("x", black, np.array([[5, 6, 30, 35.0]]), "CHW"))
    assert drawn[6, 20].tolist() == drawn[20, 5].tolist() == drawn[35, 20].tolist() == RED
    assert not drawn[20, 20].any()


def test_labels_are_drawn_if_each_box_has_one() -> None:
    black = np.zeros((1, 60, 90), np.uint8)
    boxes = [[5, 6, 80, 55]]
    plain = pixels(image_with_boxes("x", black, boxes, "CHW"))
    labeled = pixels(image_with_boxes("x", black, boxes, "CHW", labels=["cat"]))
    too_many = pixels(image_with_boxes("x", black, boxes, "CHW", labels=["cat", "dog"]))
    assert (labeled == RED).all(axis=2).sum() > (plain == RED).all(axis=2).sum()
    assert np.array_equal(plain, too_many)


def test_an_image_with_boxes_can_be_scaled() -> None:
    white = np.ones((20, 30))
    assert pixels(image_with_boxes("x", white, np.empty((0, 4)), "HW", scale=2)).shape[:2] == (
        40,
        60,
    )
    assert pixels(image_with_boxes("x", white, np.empty((0, 4)), "HW", scale=0.01)).size


@pytest.mark.parametrize(
    ("count", "size"), [(1, (5, 4)), (2, (10, 4)), (3, (20, 4)), (4, (10, 8)), (5, (20, 8))]
)
def test_clips_of_a_video_are_drawn_side_by_side(count: int, size: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    clips = random.integers(0, 255, (count, 3, 1, 4, 5), np.uint8)
    facts, picture = decoded(video("x", clips, 10))
    assert picture.size == (facts.width, facts.height) == size
    assert picture.format == "GIF"
    assert picture.n_frames == 3  # type: ignore[attr-defined]
    assert picture.info["duration"] == 100
    for frame in range(3):
        picture.seek(frame)
        shown = np.asarray(picture.convert("L"))
        assert np.array_equal(shown[:4, :5], clips[0, frame, 0])


def test_a_video_may_have_colors_and_a_single_frame() -> None:
    clip = np.zeros((1, 1, 3, 4, 5))
    clip[0, 0, 0] = 1
    _, picture = decoded(video("x", clip, 4))
    assert np.asarray(picture.convert("RGB"))[0, 0].tolist() == RED
