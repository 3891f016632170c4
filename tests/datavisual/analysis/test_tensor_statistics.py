from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from mindviz.datavisual.analysis.tensor_statistics import distribution, statistics


def test_statistics_ignore_non_finite_elements() -> None:
    array = np.array([1.0, -2.0, 0.0, math.nan, math.inf, -math.inf, math.inf])
    assert statistics(array[:1], array) == {
        "max": 1.0,
        "min": 1.0,
        "avg": 1.0,
        "count": 1,
        "nan_count": 0,
        "neg_inf_count": 0,
        "pos_inf_count": 0,
        "overall_max": 1.0,
        "overall_min": -2.0,
        "overall_avg": pytest.approx(-1 / 3),
        "overall_count": 7,
        "overall_nan_count": 1,
        "overall_neg_inf_count": 1,
        "overall_pos_inf_count": 2,
        "overall_zero_count": 1,
        "overall_neg_zero_count": 1,
        "overall_pos_zero_count": 1,
    }


@pytest.mark.parametrize("array", [np.array([math.nan]), np.array([], np.int32)], ids=str)
def test_nothing_finite_has_no_extremes(array: NDArray[np.generic]) -> None:
    facts = statistics(array, array)
    assert facts is not None
    assert (facts["max"], facts["min"], facts["avg"]) == (None, None, None)


@pytest.mark.parametrize(
    "array", [np.array([b"a"], object), np.array([1j])], ids=["strings", "complex"]
)
def test_unordered_types_have_no_statistics(array: NDArray[np.generic]) -> None:
    assert statistics(array, array) is None
    assert distribution(array).buckets.shape == (0, 3)


NUMBERS = st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u1", "u8"])


@given(array=NUMBERS.flatmap(lambda dtype: hnp.arrays(dtype, st.integers(0, 30))))
def test_a_distribution_counts_every_element_once(array: NDArray[np.generic]) -> None:
    histogram = distribution(array)
    counted = histogram.nan_count
    counted += histogram.positive_infinity_count + histogram.negative_infinity_count
    assert counted == np.count_nonzero(~np.isfinite(array))
    assert histogram.buckets[:, 2].sum() + counted == array.size
    assert (np.diff(histogram.buckets[:, 0]) >= 0).all()
    facts = statistics(array, array)
    assert facts is not None
    assert facts["count"] == array.size


def test_values_are_counted_in_their_bucket() -> None:
    finite = [0.0, 0.1, 0.9, 1.0, 2.0, 3.0]
    buckets = distribution(np.array([*finite, *[np.nan] * 9])).buckets
    assert buckets.tolist() == [[0, 1, 3], [1, 2, 1], [2, 3, 2]]
