from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.chart_text import MAX_CHARACTERS, chart_lines
from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.errors import FormulaError
from tests.store_fake import FakeStore


def constant(value: float) -> ScalarTimeSeries:
    store = FakeStore()
    store.add("./a").append("t", [0], [value])
    return store.read_scalars("./a", "t")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 ^ 2 + 0 * a", 19.0),
        ("(1 + 2) * 3 + 0 * a", 9.0),
        ("2 ^ 3 ^ 2 + 0 * a", 512.0),
        ("-2 ^ 2 + 0 * a", -4.0),
        ("8 - 3 - 2 + 0 * a", 3.0),
        ("max(1, a, 2) / 2 % 3", 2.5),
        ("min(a) + cumsum(diff(a))", 5.0),
    ],
)
def test_operators_bind_as_in_mathematics(text: str, expected: float) -> None:
    (line,) = chart_lines(text)
    formula = TagFormula.parse(line.formula)
    assert formula.of([constant(5.0)]).value.tolist() == [expected]


def test_tags_may_have_slashes_and_anything_in_quotes() -> None:
    (line,) = chart_lines(' train/loss * "b-1" / `c``d` + ä.b')
    assert line.tags == ("train/loss", "b-1", "c`d", "ä.b")
    assert line.formula == "`train/loss` * `b-1` / `c``d` + `ä.b`"
    assert line.label == "train/loss * b-1 / c`d + ä.b"
    assert line.tag is None


def test_a_function_name_without_a_call_is_a_tag() -> None:
    (line,) = chart_lines("min + max (min, 1)")
    assert line.tags == ("min",)


def test_commas_separate_lines_but_not_within_parentheses() -> None:
    lines = chart_lines("a, train/loss, min(a, 1)")
    assert [line.label for line in lines] == ["a", "train/loss", "min(a, 1)"]
    assert [line.tag for line in lines] == ["a", "train/loss", None]


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("", 1),
        ("a, ", 4),
        ("a +", 4),
        ("ab, (c", 5),
        ("a b", 3),
        ("train/loss $ b", 12),
        ("max(", 4),
        ('"a b" + abs(a, b)', 9),
        ("1 + 2", None),
        ("a" * (MAX_CHARACTERS + 1), None),
    ],
)
def test_errors_have_the_position_in_the_text_as_written(text: str, character: int | None) -> None:
    with pytest.raises(FormulaError) as caught:
        chart_lines(text)
    assert caught.value.character == character


@given(st.text(st.sampled_from('ab1./"`^*,() +-äé'), max_size=20))
def test_any_text_is_lines_or_an_error_within_it(text: str) -> None:
    try:
        lines = chart_lines(text)
    except FormulaError as error:
        assert error.character is None or 1 <= error.character <= len(text) + 1
    else:
        assert [TagFormula.parse(line.formula).tags for line in lines] == [
            line.tags for line in lines
        ]
