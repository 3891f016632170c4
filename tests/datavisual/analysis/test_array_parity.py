"""Differences of two arrays, equal to those of a plain loop over their elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindviz.datavisual.analysis import array_parity
from mindviz.datavisual.analysis.array_parity import MAX_ELEMENTS, compare_arrays, compare_texts
from mindviz.datavisual.analysis.series_parity import EXACT, StepParity, Tolerance
from mindviz.datavisual.series.generic_name import strings
from mindviz.errors import AnswerTooLarge

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, 1.5, 1e308, -1e308, math.nan, math.inf, -math.inf])
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=12)
TOLERANCES = st.sampled_from([EXACT, Tolerance(rtol=0.4), Tolerance(atol=1.0)])


def array(values: Any, dtype: str = "f8") -> NDArray[Any]:
    return np.array(values, dtype)


@given(PAIRS, TOLERANCES)
def test_differences_are_those_of_a_plain_loop(
    pairs: list[tuple[float, float]], tolerance: Tolerance
) -> None:
    absolute = relative = 0.0
    first, non_finite = None, False
    for index, (a, b) in enumerate(pairs):
        close = math.isclose(a, b, rel_tol=tolerance.rtol, abs_tol=tolerance.atol)
        finite = math.isfinite(a) and math.isfinite(b)
        if not close and not (math.isnan(a) and math.isnan(b)):
            first = index if first is None else first
            non_finite = non_finite or not finite
        if finite and a != b:
            absolute = max(absolute, abs(a - b))
            relative = max(relative, abs(a - b) / max(abs(a), abs(b)))
    found = compare_arrays(array([a for a, _ in pairs]), array([b for _, b in pairs]), tolerance)
    assert found.different is (first is not None)
    assert found.index == (() if first is None else (first,))
    assert (found.absolute, found.relative, found.non_finite) == (absolute, relative, non_finite)


def test_the_first_element_is_found_in_any_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_parity, "_BLOCK", 5)
    a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for place in np.ndindex(a.shape):
        b = a.copy()
        b[place] += 0.5
        for x, y in ((a, b), (a.T, b.T)):
            found = compare_arrays(x, y, EXACT)
            index = place if x is a else place[::-1]
            assert (found.index, found.a, found.b) == (index, float(a[place]), float(b[place]))
            assert found.absolute == 0.5


@pytest.mark.parametrize(
    ("a", "b", "different"),
    [
        (array([1, 2], "i4"), array([1, 2], "f4"), False),
        (array([1, 0], "?"), array([1, 0], "u1"), False),
        (array([2**53 + 1], "i8"), array([2**53], "i8"), True),
        (array([2**63], "u8"), array([-(2**63)], "i8"), True),
        (array([1 + 2j], "c8"), array([1 + 2j], "c16"), False),
        (array([1 + 2j], "c8"), array([1 + 3j], "c8"), True),
        (array([], "f4"), array([], "i8"), False),
        (strings([b"a", b"b"]), strings([b"a", b"b"]), False),
        (strings([b"a", b"b"]), strings([b"a", b"c"]), True),
    ],
)
def test_values_are_compared_whatever_their_type(
    a: NDArray[Any], b: NDArray[Any], different: bool
) -> None:
    assert compare_arrays(a, b, EXACT).different is different


def test_shapes_are_part_of_arrays() -> None:
    assert compare_arrays(np.zeros((2, 3)), np.zeros((3, 2)), EXACT) == StepParity(
        different=True, a="shape [2, 3]", b="shape [3, 2]", shapes=True
    )


@pytest.mark.parametrize("shape", [(3, 4), (1, 4), (3, 1), (1, 1)])
@pytest.mark.parametrize("change", [0, 1])
def test_repeated_elements_are_compared_like_stored_ones(
    shape: tuple[int, int], change: int
) -> None:
    a = np.arange(12.0).reshape(3, 4)[: shape[0], : shape[1]]
    b = a.copy()
    b[-1, -1] += change
    repeated = compare_arrays(np.broadcast_to(a, (3, 4)), np.broadcast_to(b, (3, 4)), EXACT)
    stored = compare_arrays(
        np.broadcast_to(a, (3, 4)).copy(), np.broadcast_to(b, (3, 4)).copy(), EXACT
    )
    assert repeated == stored


def test_an_array_that_only_claims_its_size_costs_nothing() -> None:
    claimed = np.broadcast_to(np.float32(1), (1 << 40, 1 << 20))
    texts = np.broadcast_to(strings([b"a"]), (MAX_ELEMENTS,))
    assert not compare_arrays(claimed, claimed, EXACT).different
    assert not compare_arrays(texts, texts, EXACT).different


def test_large_arrays_are_not_compared() -> None:
    large = np.zeros(MAX_ELEMENTS + 1, np.bool_)
    with pytest.raises(AnswerTooLarge):
        compare_arrays(large, large, EXACT)


def test_excerpts_of_texts_show_the_difference() -> None:
    text = "0123456789" * 10
    found = compare_texts(["same", text], ["same", text[:50] + "X" + text[51:]])
    assert found.index == (1,)
    assert found.a == "…0123456789012345678901234567890123456789…"
    assert found.b == "…0123456789X123456789012345678901234567890…"[:41] + "…"
    longer = compare_texts(["abc"], ["abcd"])
    assert (longer.a, longer.b) == ("abc", "abcd")
    assert compare_texts(["a"], ["a", "b"]).shapes
    assert not compare_texts(["a"], ["a"]).different
