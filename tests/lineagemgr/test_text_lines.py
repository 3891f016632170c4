"""Texts in one piece of memory are found as each text by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.deadline import allow, doing
from mindviz.errors import DeadlineExceeded, InvalidQuery
from mindviz.expression import Expression
from mindviz.lineagemgr import text_lines
from mindviz.lineagemgr.text_lines import TextLines

ASCII = st.lists(st.text("abAB1 ./", max_size=4), max_size=30)
ANY = st.lists(st.text("abAB1/ék\u212a\n\ud800", max_size=4), max_size=30)
TEXTS = ASCII | ANY
EXPRESSIONS = st.lists(
    st.sampled_from(
        [
            *("a", "B", "1", "/", "é", ".", ".*", "^", "$", "|", "[^a]", "b+", "(?:a|b1)"),
            *(r"\W", r"\s", r"\b", r"\B", r"\A", r"\z", r"\n", r"\C"),
            *(r"\Q", r"\E", "x*", "(", ")"),
            *("(?s).", "(?i)b", "(?-i:b)", "(?m)^"),
        ]
    ),
    max_size=5,
).map("".join)


@pytest.fixture(autouse=True, params=[1, 1 << 20])
def parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "_PART", request.param)
    monkeypatch.setattr(text_lines, "_CHECKED", request.param)


@given(texts=TEXTS)
def test_they_are_the_texts(texts: list[str]) -> None:
    lines = TextLines.of(texts)
    assert list(lines) == texts
    assert [lines[row] for row in range(len(lines))] == texts
    for rows in (slice(None), slice(1, 3), slice(None, None, 2), slice(5, 2)):
        assert lines[rows] == texts[rows]


@given(texts=TEXTS, part=st.text("abA1/é\n", max_size=2))
def test_parts_are_found(texts: list[str], part: str) -> None:
    expected = [part.lower() in text.lower() for text in texts]
    assert TextLines.of(texts).containing(part).tolist() == expected


@given(texts=TEXTS, text=EXPRESSIONS)
def test_expressions_match_lines_as_they_match_texts(texts: list[str], text: str) -> None:
    try:
        expression = Expression(text)
    except InvalidQuery:
        return
    expected = [expression.search(text) for text in texts]
    assert TextLines.of(texts).matching(expression).tolist() == expected


@given(data=st.data(), texts=TEXTS)
def test_texts_are_replaced_and_taken(data: st.DataObject, texts: list[str]) -> None:
    added = data.draw(TEXTS)
    changed = data.draw(st.sets(st.integers(0, len(texts) - 1))) if texts else set()
    count = len(texts) + len(added)
    rows = [*sorted(changed), *range(len(texts), count)]
    new = st.sampled_from(["é", "b"])
    others = [*(data.draw(new | st.just(texts[row])) for row in sorted(changed)), *added]
    expected = [*texts, *added]
    for row, other in zip(rows, others, strict=True):
        expected[row] = other
    lines = TextLines.of(texts).replaced(np.array(rows, np.int64), TextLines.of(others), count)
    assert list(lines) == expected
    places = data.draw(st.lists(st.integers(-1, count - 1), max_size=20))
    taken = lines.taken(np.array(places, np.int64))
    assert list(taken) == [expected[place] if place >= 0 else "" for place in places]


def test_a_search_ends_at_the_deadline() -> None:
    lines = TextLines.of(["a", "é"])
    with doing(allow(-1.0)):
        with pytest.raises(DeadlineExceeded):
            lines.matching(Expression("a"))
        with pytest.raises(DeadlineExceeded):
            lines.containing("a")
        with pytest.raises(DeadlineExceeded):
            TextLines.of(["a"]).containing("a")
