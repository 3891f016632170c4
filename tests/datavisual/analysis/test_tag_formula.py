from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.tag_formula import MAX_CHARACTERS, TagFormula
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.errors import FormulaError, InvalidQuery
from tests.store_fake import START, FakeStore

Points = Sequence[tuple[int, float]]


def series(points: Points) -> ScalarTimeSeries:
    store = FakeStore()
    steps, values = [step for step, _ in points], [value for _, value in points]
    store.add("./a").append("t", steps, values)
    return store.read_scalars("./a", "t")


def computed(text: str, *operands: Points) -> list[tuple[int, float]]:
    found = TagFormula.parse(text).of([series(points) for points in operands])
    assert found.total == len(found.step) == len(found.wall_time) == len(found.superseded)
    return list(zip(found.step.tolist(), found.value.tolist(), strict=True))


A: Points = [(1, 1.0), (2, 4.0), (3, -2.0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", [1.0, 4.0, -2.0]),
        ("-a + 2 * a", [1.0, 4.0, -2.0]),
        ("(a + 1) * +2", [4.0, 10.0, -2.0]),
        ("a ** 2 / 4", [0.25, 4.0, 1.0]),
        ("a // 3", [0.0, 1.0, -1.0]),
        ("a % 3", [1.0, 1.0, 1.0]),
        ("abs(a)", [1.0, 4.0, 2.0]),
        ("max(a, 0, 2)", [2.0, 4.0, 2.0]),
        ("min(a, 0)", [0.0, 0.0, -2.0]),
        ("max(a)", [1.0, 4.0, -2.0]),
        ("cummax(a)", [1.0, 4.0, 4.0]),
        ("cumsum(a)", [1.0, 5.0, 3.0]),
        ("diff(a)", [0.0, 3.0, -6.0]),
        ("log2(abs(a))", [0.0, 2.0, 1.0]),
        ("1e1 * a", [10.0, 40.0, -20.0]),
    ],
)
def test_arithmetic_is_that_of_numbers(text: str, expected: list[float]) -> None:
    assert computed(text, A) == list(zip([1, 2, 3], expected, strict=True))


def test_non_finite_results_are_marked() -> None:
    (zero, negative) = computed("log(a) + 1 / b", [(1, 1.0), (2, -1.0)], [(1, 0.0), (2, 1.0)])
    assert zero == (1, math.inf)
    assert math.isnan(negative[1])


def test_backquotes_quote_tags_with_operators() -> None:
    formula = TagFormula.parse("`loss/valid` - `a``b` + `loss/valid` + tag0 + tag")
    assert formula.tags == ("loss/valid", "a`b", "tag0", "tag")
    points = [[(1, value)] for value in (8.0, 4.0, 2.0, 1.0)]
    assert computed(formula.text, *points) == [(1, 15.0)]


def test_a_missing_point_repeats_the_previous_one() -> None:
    often = [(step, float(step)) for step in range(10)]
    seldom = [(2, 100.0), (6, 200.0)]
    assert computed("often + seldom", often, seldom) == [
        *((step, 100.0 + step) for step in range(2, 6)),
        (6, 206.0),
    ]
    assert computed("a + b", [(1, 1.0)], [(5, 1.0)]) == []
    assert computed("a + b", [(1, 1.0)], []) == []


def test_the_time_of_a_point_is_the_latest_of_its_values() -> None:
    found = TagFormula.parse("a + b").of([series([(0, 1.0), (5, 1.0)]), series([(0, 1.0)])])
    assert found.wall_time.tolist() == [START]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 + 2",
        "a +",
        "a b",
        "a.b",
        "a[0]",
        "a < b",
        "a and b",
        "not a",
        "~a",
        "a @ a",
        "a if a else a",
        "lambda: a",
        "(a, a)",
        "[a for a in a]",
        "f(a)",
        "abs(a, a)",
        "abs(x=a)",
        "a.__class__",
        "__import__('os')",
        "'a' + a",
        "True * a",
        "1j * a",
        "ä + 1",
        "a; a",
        "a # b",
        "`a",
        "a + 1" + "0" * 400,
        "(" * 300 + "a" + ")" * 300 + " * (",
        "-" * 100 + "a",
        "a" * (MAX_CHARACTERS + 1),
    ],
)
def test_invalid_formulas_are_refused(text: str) -> None:
    with pytest.raises(InvalidQuery):
        TagFormula.parse(text)


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("a +", 4),
        ("`a b` `c`", 7),
        ("  `a b` + f(a)", 11),
        ("`ä` + 1j", 7),
        ("a + ä", 5),
        ("a; b", 2),
        ("max(", 4),
        ("1 + 2", None),
    ],
)
def test_an_error_has_the_position_in_the_text_as_written(text: str, character: int | None) -> None:
    with pytest.raises(FormulaError) as caught:
        TagFormula.parse(text)
    assert caught.value.character == character


numbers = st.floats(-1e6, 1e6)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_formulas_evaluate_like_python(rows: list[tuple[float, float]]) -> None:
    columns = [[(step, row[at]) for step, row in enumerate(rows)] for at in range(2)]
    found = computed("(a - b) * 0.5 + max(a, b)", *columns)
    expected = [(a - b) * 0.5 + max(a, b) for a, b in rows]
    np.testing.assert_allclose([value for _, value in found], expected, rtol=1e-12, atol=1e-9)
