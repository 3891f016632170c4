from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mindviz.summary.values.torch_histograms import histogram
from tests.proto import tensorboard_pb2 as proto


def counted(values: Any, bins: Any = "tensorflow", max_bins: int | None = None) -> Any:
    """The HistogramProto of an array."""
    payload = histogram("x", values, bins, max_bins).encode(1.0, 0)
    assert payload is not None
    (value,) = proto.Event.FromString(payload).summary.value
    return value.histo


@given(arrays(np.float64, st.integers(1, 50), elements=st.floats(-1e100, 1e100)))
def test_every_finite_value_is_in_a_bucket(values: Any) -> None:
    histogram = counted(values)
    assert sum(histogram.bucket) == histogram.num == values.size
    assert (histogram.min, histogram.max) == (values.min(), values.max())
    limits = [*histogram.bucket_limit]
    assert limits == sorted(limits)
    assert len(limits) == len(histogram.bucket)
    # The first limit is the left edge of the first non-empty bucket.
    assert histogram.bucket[0] == 0
    for limit, below in zip(limits, np.cumsum(histogram.bucket), strict=True):
        assert np.sum(values < limit) <= below <= np.sum(values <= limit)


def test_empty_buckets_at_both_ends_are_omitted() -> None:
    histogram = counted([1.0, 2.0, 2.0, 7.0], bins=[-5, -1, 0, 1, 2, 3, 8, 9])
    assert list(histogram.bucket_limit) == [1, 2, 3, 8]
    assert list(histogram.bucket) == [0, 1, 2, 1]
    assert (histogram.num, histogram.sum, histogram.sum_squares) == (4, 12, 58)


@pytest.mark.parametrize("max_bins", [1, 2, 3, 5, 7, 100])
def test_neighboring_buckets_are_merged_down_to_max_bins(max_bins: int) -> None:
    histogram = counted(np.arange(10.0), bins=10, max_bins=max_bins)
    # As torch merges them: by whole numbers of buckets, so there may be a few more.
    per_bucket = max(1, 10 // max_bins)
    assert sum(histogram.bucket) == 10
    assert len(histogram.bucket) - 1 == -(-10 // per_bucket)


def test_nan_and_infinities_are_omitted() -> None:
    histogram = counted([1, np.nan, np.inf, -np.inf, 2])
    assert (histogram.num, histogram.min, histogram.max, sum(histogram.bucket)) == (2, 1, 2, 2)


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 3])
def test_without_finite_values_the_histogram_is_empty(bins: object) -> None:
    histogram = counted([np.nan, np.inf], bins)
    assert (histogram.num, list(histogram.bucket)) == (0, [0])


def test_values_outside_the_given_edges_are_not_counted() -> None:
    histogram = counted([10.0], bins=[0, 1, 2])
    assert (sum(histogram.bucket), histogram.num) == (0, 1)


@pytest.mark.parametrize("values", [[True, False], np.arange(5, dtype=np.int8), np.float16(3)])
def test_all_numeric_types_are_counted(values: object) -> None:
    assert sum(counted(values).bucket) == np.size(values)  # type: ignore[arg-type]
