"""Expression: matches like `re`, refuses unsupported syntax, and takes linear time."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.deadline import allow, doing
from mindviz.errors import DeadlineExceeded, InvalidQuery
from mindviz.expression import MAX_CHARACTERS, Expression

PARTS = st.sampled_from(["a", "b", "é", ".", "[ab]", "a*", "b?", "(?:ab)+", "a|b", r"\d", "/"])
TEXTS = st.text(st.sampled_from("abé1/ "), max_size=20)


@given(parts=st.lists(PARTS, max_size=8), text=TEXTS, anchored=st.booleans())
def test_it_matches_like_python(parts: list[str], text: str, anchored: bool) -> None:
    expression = "^" * anchored + "".join(parts)
    assert Expression(expression).search(text) == (re.search(expression, text) is not None)


@pytest.mark.parametrize(
    "text", ["(", "[", "*", "a{3,1}", r"(a)\1", "(?=a)", "(?<!a)b", "a" * (MAX_CHARACTERS + 1)]
)
def test_an_invalid_expression_is_an_error(text: str) -> None:
    with pytest.raises(InvalidQuery, match="expression"):
        Expression(text)


@pytest.mark.parametrize("text", ["((((a{9}){9}){9}){9}){9}", "(" * 400 + "a{1,1000}" + ")" * 400])
def test_an_expression_that_would_be_huge_is_refused_or_stays_small(text: str) -> None:
    try:
        Expression(text).search("a" * 1000)
    except InvalidQuery as error:
        assert "expression" in str(error)


@pytest.mark.parametrize("text", ["(a+)+$", "(a|aa)*c", "(a|a)*(a|a)*c", "(.*)*(.*)*(.*)*c"])
def test_matching_time_is_linear_in_the_text(text: str) -> None:
    # `re` would not finish a thousandth of this text; any slow machine is fast enough for RE2.
    started = time.process_time()
    assert not Expression(text).search("a" * 30_000 + "!")
    assert time.process_time() - started < 5


@pytest.mark.parametrize("text", [".", "a", "[a-z]", "(?i)A", "a+?", ".*a"])
def test_a_line_is_found_once_however_often_it_matches(text: str) -> None:
    lines = b"aaaa\nbaba\n\nxa\n"
    find = Expression(text).for_lines()
    assert find is not None
    found = [lines[:place].count(b"\n") for place in find(memoryview(lines), 0, len(lines))]
    assert found == [0, 1, 3]


def test_halves_of_surrogates_are_characters_like_others() -> None:
    assert Expression("b$").search("a\ud800b")
    assert not Expression("\ud800c").search("b")


def test_searching_ends_at_the_deadline_of_the_request() -> None:
    expression = Expression("a")
    with doing(allow(-1.0)), pytest.raises(DeadlineExceeded):
        expression.search("a")
    assert expression.search("a")
