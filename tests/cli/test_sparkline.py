from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.cli.sparkline import ASCII, BLOCKS, NOT_FINITE, sparkline


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
