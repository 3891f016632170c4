from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.cli.sparkline import ASCII, BLOCKS, NOT_FINITE, reduced, sparkline


def line(*values: float, width: int = 10) -> str:
    return sparkline(np.array(values, np.float64), width)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((), ""),
        ((5.0,), "▁"),
        ((0, 1, 2, 3, 4, 5, 6, 7), "▁▂▃▄▅▆▇█"),
        ((1, 1, 1), "▁▁▁"),
        ((math.nan, 1, math.inf, 2), "!▁!█"),
        ((math.nan, math.nan), "!!"),
        ((-1.7e308, 1.7e308), "▁█"),
        ((0.0, -0.0), "▁▁"),
    ],
)
def test_values_are_heights(values: tuple[float, ...], text: str) -> None:
    assert line(*values) == text


def test_each_character_is_the_mean_of_its_values() -> None:
    assert line(0, 2, 10, 12, 4, 8, width=3) == "▁█▅"


@given(st.lists(st.floats(), max_size=50), st.integers(0, 20), st.sampled_from([BLOCKS, ASCII]))
def test_any_values_fit_the_width(values: list[float], width: int, levels: str) -> None:
    text = sparkline(np.array(values, np.float64), width, levels)
    assert len(text) == min(width, len(values))
    assert set(text) <= {*levels, NOT_FINITE}


@given(st.lists(st.floats(), max_size=50), st.integers(1, 20))
def test_a_reduced_course_has_bounded_size_and_keeps_what_is_not_finite(
    values: list[float], most: int
) -> None:
    column = np.array(values, np.float64)
    course = reduced(column, most)
    assert len(course) == min(most, len(values))
    assert np.isfinite(course).all() == np.isfinite(column).all()


def test_a_reduced_course_has_the_same_shape() -> None:
    values = np.cumsum(np.sin(np.arange(10_000) * 0.01))
    assert sparkline(reduced(values, 200), 40) == sparkline(values, 40)
    assert reduced(values, 20_000).tolist() == values.tolist()
