from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from mindviz.summary.values.images import Image
from mindviz.summary.values.mindspore_values import bucket_count, encoded_histogram, image, tensor
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
    message = encoded(tensor("t", array)).tensor
    assert (tuple(message.dims), message.data_type) == (array.shape, data_type)
    assert list(message.float_data) == array.ravel().tolist()


def histogram(values: np.ndarray) -> proto.Summary.Histogram:
    return proto.Summary.Value.FromString(encoded_histogram("h", values)).histogram


@pytest.mark.parametrize(
    ("values", "buckets"),
    [(0, 1), (1, 2), (5, 2), (6, 3), (10, 3), (11, 2), (880, 89), (890, 90), (10**9, 90)],
)
def test_the_number_of_buckets_equals_mindspores(values: int, buckets: int) -> None:
    assert bucket_count(values) == buckets


DTYPES = ("f2", "f4", "f8", "i1", "i8", "u8", "?")


@given(
    st.sampled_from(DTYPES).flatmap(
        lambda dtype: st_numpy.arrays(dtype, st_numpy.array_shapes(min_dims=0, min_side=0))
    )
)
def test_every_value_is_counted_once(values: np.ndarray) -> None:
    stats = histogram(values)
    assert stats.count == values.size
    wide = values.astype(np.float64)
    assert stats.nan_count == np.isnan(wide).sum()
    assert stats.pos_inf_count == np.isposinf(wide).sum()
    assert stats.neg_inf_count == np.isneginf(wide).sum()
    in_buckets = sum(bucket.count for bucket in stats.buckets)
    finite = wide[np.isfinite(wide)]
    assert in_buckets == finite.size
    if finite.size:
        assert (stats.min, stats.max) == (finite.min(), finite.max())
        assert stats.buckets[0].left <= stats.min
        assert all(bucket.width >= 0 for bucket in stats.buckets)


def test_extremes_sum_and_buckets_are_those_of_the_values() -> None:
    stats = histogram(np.array([[1.0, 2.0], [4.0, 5.0]]))
    assert (stats.min, stats.max, stats.sum) == (1, 5, 12)
    assert [(bucket.left, bucket.width, bucket.count) for bucket in stats.buckets] == [
        (1, 2, 2),
        (3, 2, 2),
    ]


def test_equal_values_get_buckets_on_both_sides() -> None:
    stats = histogram(np.full(4, 3.0))
    assert (stats.min, stats.max) == (3, 3)
    assert [(bucket.left, bucket.width) for bucket in stats.buckets] == [(2.5, 0.5), (3, 0.5)]
    assert sum(bucket.count for bucket in stats.buckets) == 4


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf, -math.inf, math.nan]])
def test_without_finite_values_there_are_no_buckets(values: list[float]) -> None:
    stats = histogram(np.array(values))
    assert stats.count == len(values)
    assert not stats.buckets
    assert (stats.min, stats.max, stats.sum) == (0, 0, 0)


@pytest.mark.parametrize(
    "values",
    [
        np.array([5e-324, 0.0]),
        np.array([1.0, np.nextafter(1.0, 2)]),
        np.array([1.0, np.nextafter(np.float32(1), np.float32(2))], np.float32),
        np.array([-1.7e308, 1.7e308]),
        np.array([1.7e308, 1.7e308]),
        np.array([2.0**60, 2.0**60]),
    ],
    ids=str,
)
def test_very_narrow_and_very_wide_ranges_are_counted(values: np.ndarray) -> None:
    stats = histogram(values)
    assert sum(bucket.count for bucket in stats.buckets) == 2
    assert (stats.min, stats.max) == (values.min(), values.max())
