"""The order of values, with the cases that the page's tests have, too."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.value_order import (
    latest_first,
    natural_key,
    natural_keys,
    number_of,
    present_value,
    value_key,
    value_text,
)
from tests.run_cases import CASES, value_of


@pytest.mark.parametrize("ordered", CASES["orders"])
def test_values_are_sorted_as_in_the_page(ordered: list[Any]) -> None:
    values = [value_of(cell) for cell in ordered]
    shuffled = random.Random(1).sample(values, len(values))
    keys = [value_key(value) for value in values]
    assert sorted(map(value_key, shuffled)) == keys


def test_missing_values() -> None:
    values = [None, "", float("nan"), 0, False, float("inf")]
    assert [present_value(value) for value in values] == [None, None, None, 0, False, float("inf")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((1.0, "1"), (0.1, "0.1"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (1e-6, "0.000001")),
        *((1e21, "1e+21"), (1e20, "100000000000000000000"), (-0.0, "0"), (-12.5, "-12.5")),
        *((True, "true"), (5, "5"), (float("-inf"), "-Infinity"), (123456.789, "123456.789")),
    ],
)
def test_numbers_are_written_as_in_javascript(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_keys_differ_for_different_texts() -> None:
    assert natural_key("a1") != natural_key("a01")
    assert natural_key("Loss") < natural_key("loss")


@given(
    st.lists(st.text("ab10", max_size=3), max_size=5)
    | st.lists(st.from_regex(r"[aé]1[0-9]{3}²/[0-9]", fullmatch=True), max_size=5)
)
def test_keys_of_many_texts_sort_as_the_key_of_each(texts: list[str]) -> None:
    ordered = sorted(range(len(texts)), key=natural_keys(texts))
    assert [texts[place] for place in ordered] == sorted(texts, key=natural_key)


def test_texts_that_differ_only_in_digits_are_their_own_keys() -> None:
    assert natural_keys(["run_09", "run_10"])(1) == "run_10"
    assert natural_keys(["run_9", "run_10"])(1) == natural_key("run_10")


def test_a_number_beyond_doubles_is_infinite() -> None:
    assert number_of("0x" + "f" * 400) == math.inf


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0, math.nan, math.inf])), st.randoms())
def test_the_latest_come_first_and_equal_times_by_their_ties(
    times: list[float], chance: random.Random
) -> None:
    ties = chance.sample(range(100), len(times))
    order = latest_first(np.array(times, np.float64), ties.__getitem__).tolist()
    negated = [(math.isnan(time), 0.0 if math.isnan(time) else -time) for time in times]
    assert order == sorted(range(len(times)), key=lambda place: (negated[place], ties[place]))
