from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.asking.answer import FORMS, Answer, Cell, Cut, Form, MadeRows, Place, rendered
from mindviz.asking.token_count import count_tokens
from mindviz.errors import AnswerTooLarge, InvalidQuery

ANSWER = Answer(
    question="list",
    axis="runs",
    units={"value": "as logged"},
    facts={"runs": 12_345, "rate": 0.1, "odd": math.nan, "note": "<b>"},
    columns=["run", "value"],
    rows=[[f"run_{row}", row / 7] for row in range(200)],
    total=200,
    link="#/runs",
)


@given(st.integers(1, 5_000), st.sampled_from(FORMS), st.integers(0, 200))
def test_no_answer_exceeds_its_budget(budget: int, form: Form, offset: int) -> None:
    answer = replace(ANSWER, rows=ANSWER.rows[offset:])
    cut = Cut(offset, budget, form)
    try:
        text = rendered(answer, cut)
    except AnswerTooLarge as error:
        needed = int(str(error).rpartition("--max-tokens ")[2].split()[0])
        assert needed > budget
        assert count_tokens(rendered(answer, replace(cut, max_tokens=needed))) < needed
    else:
        assert count_tokens(text) < budget  # the line break is the last


@pytest.mark.parametrize("form", FORMS)
def test_cursors_lead_through_all_rows_once(form: Form) -> None:
    rows: list[str] = []
    cursor: int | None = 0
    while cursor is not None:
        answer = replace(ANSWER, rows=ANSWER.rows[cursor:])
        text = rendered(answer, Cut(cursor, 400, form))
        if form == "json":
            content = json.loads(text)
            rows += [row[0] for row in content["rows"]]
            cursor = None if content["cursor"] is None else int(content["cursor"])
        else:
            rows += [line.split()[0] for line in text.splitlines() if line.startswith("run_")]
            more = [line for line in text.splitlines() if line.startswith("more: --cursor ")]
            cursor = int(more[0].split()[-1]) if more else None
    assert rows == [f"run_{row}" for row in range(200)]


def test_as_many_rows_as_fit_are_shown() -> None:
    content = json.loads(rendered(ANSWER, Cut(0, 1_000, "json")))
    shown = len(content["rows"])
    longer = rendered(replace(ANSWER, rows=ANSWER.rows[: shown + 1]), Cut(0, 10_000, "json"))
    assert count_tokens(longer) > 1_000


def test_numbers_and_texts_in_json() -> None:
    content = json.loads(rendered(ANSWER, Cut(form="json")))
    assert content["facts"] == {"runs": 12345, "rate": 0.1, "odd": "NaN", "note": r"\x3cb>"}


def test_text_names_the_axis_the_units_and_the_page() -> None:
    answer = replace(ANSWER, total=2, rows=[["a", 1], ["b", 0.00005]])
    lines = rendered(answer, Cut()).splitlines()
    assert lines == [
        "list",
        "axis: runs",
        "units: value: as logged",
        "runs: 12,345",
        "rate: 0.1",
        "odd: NaN",
        r"note: \x3cb>",
        "",
        "run  value",
        "a        1",
        "b     5e-5",
        "",
        "page: #/runs",
    ]


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (Place(url="http://h:1/"), "page: http://h:1/#/runs"),
        (Place(start="mindviz start logs"), "page: #/runs (after `mindviz start logs`)"),
    ],
)
def test_the_page_is_linked(place: Place, line: str) -> None:
    assert rendered(ANSWER, Cut(place=place)).splitlines()[-1] == line


def test_a_cursor_beyond_the_answer_is_refused() -> None:
    with pytest.raises(InvalidQuery, match="beyond the 200 rows"):
        rendered(replace(ANSWER, rows=[]), Cut(201))


@given(st.lists(st.one_of(st.integers(-50, 50), st.slices(50))))
def test_made_rows_are_those_of_a_list(indices: list[int | slice]) -> None:
    rows = [[number] for number in range(50)]
    made = MadeRows(iter(rows), len(rows))
    for index in indices:
        if isinstance(index, slice) or -50 <= index < 50:
            assert made[index] == rows[index]
    assert list(made) == rows


def test_rows_that_the_budget_cuts_are_not_made() -> None:
    made = 0

    def rows() -> Iterator[list[Cell]]:
        nonlocal made
        for made in range(1, 10_001):
            yield [f"run_{made}", made / 7]

    answer = replace(ANSWER, rows=MadeRows(rows(), 10_000), total=10_000)
    content = json.loads(rendered(answer, Cut(0, 1_000, "json")))
    assert len(content["rows"]) <= made < 100
