from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.lineagemgr.categories import (
    MAX_CATEGORIES,
    category_codes,
    count_values,
    multiple_correlation,
    one_hot,
)
from mindviz.lineagemgr.importance import correlation

samples = st.lists(
    st.tuples(st.integers(0, 4), st.floats(-100, 100, width=16)), min_size=3, max_size=30
)


def test_codes_are_by_frequency_and_none_is_missing() -> None:
    codes = category_codes(["sgd", "adam", None, "adam", [1, 2], math.nan])
    np.testing.assert_array_equal(codes, [2, 0, math.nan, 0, 1, math.nan])
    assert one_hot(codes).tolist() == [
        [0, 0, 1],
        [1, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
    ]
    assert one_hot(category_codes([None])).shape == (1, 0)


def test_equal_values_of_different_types_are_different() -> None:
    assert count_values([True, 1, "1", None]) == 2
    assert count_values([{"a": 1, "b": 2}, {"b": 2, "a": 1}]) == 1


def test_rare_categories_share_the_last_column() -> None:
    values = [f"v{number}" for number in range(30)] + ["v7"]
    encoded = one_hot(category_codes(values))
    assert encoded.shape == (31, MAX_CATEGORIES)
    assert encoded.sum(axis=0).tolist() == [2, *[1] * (MAX_CATEGORIES - 2), 31 - MAX_CATEGORIES]


@given(samples)
def test_the_multiple_correlation_is_that_of_a_regression_on_one_hot_columns(
    logged: list[tuple[int, float]],
) -> None:
    codes = np.array([float(code) for code, _ in logged])
    y = np.array([value for _, value in logged])
    computed = multiple_correlation(codes, y)
    kinds = len(set(codes))
    if kinds == 1 or np.ptp(y) == 0:
        assert computed is None
        return
    assert computed is not None
    columns = one_hot(codes)
    predicted = columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
    unexplained = float(((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())
    if len(y) == kinds:
        assert computed == 0
    else:
        expected = 1 - unexplained * (len(y) - 2) / (len(y) - kinds)
        assert computed**2 == pytest.approx(max(0.0, expected), abs=1e-6)


@given(st.lists(st.tuples(st.booleans(), st.floats(-100, 100, width=16)), min_size=3))
def test_two_categories_have_the_correlation_of_a_flag(logged: list[tuple[bool, float]]) -> None:
    flags = np.array([float(flag) for flag, _ in logged])
    y = np.array([value for _, value in logged])
    pearson = correlation(flags, y)
    computed: Any = multiple_correlation(flags, y)
    if pearson is None:
        assert computed is None
    else:
        assert computed == pytest.approx(abs(pearson), abs=1e-6)


def test_chance_does_not_grow_with_the_number_of_categories() -> None:
    random = np.random.default_rng(0)

    def mean_square(categories: int) -> float:
        squares = []
        for _ in range(400):
            codes = random.permutation(np.arange(60.0) % categories)
            strength = multiple_correlation(codes, random.normal(size=60))
            assert strength is not None
            squares.append(strength**2)
        return float(np.mean(squares))

    # By chance, one column explains 1/59 of the variance; negative shares count as none.
    assert mean_square(2) == pytest.approx(1 / 59, rel=0.3)
    assert mean_square(10) < 5 / 59


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_the_multiple_correlation_does_not_depend_on_the_scale(scale: float) -> None:
    y = np.array([-1.0, -1.0, 0.5, 1.0])
    codes = np.array([0.0, 0.0, 1.0, 1.0])
    assert multiple_correlation(codes, y * scale) == pytest.approx(multiple_correlation(codes, y))
