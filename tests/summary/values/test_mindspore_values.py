from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mindviz.summary.values.images import Image
from mindviz.summary.values.mindspore_values import image, tensor
from mindviz.summary.writing.recorded_step import PooledValue
from mindviz.wire.proto import mindspore_pb2 as proto


def encoded(values: Iterator[PooledValue]) -> proto.Summary.Value:
    (pooled,) = values
    event = proto.Event.FromString(pooled.encode(2.5, 7) or b"")
    assert (event.wall_time, event.step) == (2.5, 7)
    return event.summary.value[0]


def test_an_image_may_have_an_explicit_layout() -> None:
    pixels = np.zeros((3, 9, 3), np.uint8)
    assert encoded(image("x", pixels)).image.width == 3
    assert encoded(image("x", Image(pixels, "HWC"))).image.width == 9


@pytest.mark.parametrize(
    ("array", "data_type"),
    [
        (np.array(1.5), proto.DT_FLOAT64),
        (np.zeros((2, 0, 3), np.float16), proto.DT_FLOAT16),
        (np.array([True, False]), proto.DT_BOOL),
        (np.array([1, 2], np.uint64), proto.DT_UINT64),
        (np.array([1.5], np.longdouble), proto.DT_FLOAT64),
        (np.array([[1, 2], [3, 4]], np.int8).T, proto.DT_INT8),
    ],
    ids=lambda case: str(getattr(case, "dtype", "")),
)
def test_tensors_keep_shape_and_type(array: np.ndarray, data_type: int) -> None:
    found = encoded(tensor("t", array)).tensor
    assert (tuple(found.dims), found.data_type) == (array.shape, data_type)
    assert list(found.float_data) == array.ravel().tolist()
