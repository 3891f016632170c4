"""Numbers as text, as the page writes them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.number_text import number_text


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (5e-05, None, "5e-5"),
        (0.00012345678, 3, "1.23e-4"),
        (0.001, None, "0.001"),
        (1000, None, "1,000"),
        (1234567, 3, "1,234,567"),
        (1234.5678, 5, "1,234.6"),
        (1e7, None, "1e7"),
        (-12345678.0, 3, "-1.23e7"),
        (-0.0, None, "0"),
        (0.1, None, "0.1"),
        (math.nan, 3, "NaN"),
        (-math.inf, None, "-inf"),
    ],
)
def test_numbers_are_written_as_on_the_page(number: float, digits: int | None, text: str) -> None:
    assert number_text(number, digits) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_all_digits_are_exact(number: float) -> None:
    assert float(number_text(number).replace(",", "")) == number
