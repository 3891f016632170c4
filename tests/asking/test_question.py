from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.asking.question import Question, WrongQuestion, is_link, joined_words, parse_question
from mindviz.errors import InvalidQuery

QUESTIONS = {
    "list": Question("list"),
    "list sort train/loss desc": Question("list", sort="-train/loss"),
    "find 'note = \"quick sort fast\"'": Question("find", filter='note = "quick sort fast"'),
    "find 'lr < 0.1 and lenet' sort lr": Question("find", filter="lr < 0.1 and lenet", sort="lr"),
    "run ./a": Question("run", ("./a",)),
    "series a train/loss": Question("series", ("a",), "train/loss"),
    "around 'my run' 9000": Question("around", ("my run",), None, 9_000),
    "around a 9000 of loss": Question("around", ("a",), "loss", 9_000),
    "compare a b c": Question("compare", ("a", "b", "c")),
    "compare a b of '^loss$'": Question("compare", ("a", "b"), "^loss$"),
    "config": Question("config"),
    "config a b": Question("config", ("a", "b")),
    "health": Question("health"),
    "health a": Question("health", ("a",)),
}


@pytest.mark.parametrize("text", QUESTIONS)
def test_questions_are_parsed(text: str) -> None:
    assert parse_question(text) == QUESTIONS[text]


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.text)
def test_the_text_of_a_question_is_the_question(question: Question) -> None:
    again = parse_question(question.text)
    assert again.text == question.text
    assert (again.filter, again.sort, again.tag) == (question.filter, question.sort, question.tag)


names = st.text(min_size=1).filter(lambda name: name.strip() and not name.startswith("-"))


@given(names, names)
def test_the_exact_text_keeps_odd_names(run: str, tag: str) -> None:
    question = Question("series", (run,), tag)
    assert parse_question(question.exact_text) == question


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("find lr < 0.1", Question("find", filter="lr < 0.1")),
        (
            'find "val/loss" > 1 sort "val/loss"',
            Question("find", filter='"val/loss" > 1', sort="val/loss"),
        ),
        ("FIND lenet", Question("find", filter="lenet")),
        ("describe_run a", Question("run", ("a",))),
        ("Describe run a", Question("run", ("a",))),
        ("list runs sort lr", Question("list", sort="lr")),
        ("around a 9,000", Question("around", ("a",), step=9_000)),
        ("around a -5", Question("around", ("a",), step=-5)),
        ("-- series a -x", Question("series", ("a",), "-x")),
    ],
)
def test_other_spellings(text: str, question: Question) -> None:
    assert parse_question(text) == question


@pytest.mark.parametrize(
    "text",
    ["", "what's up?", "series a", "around a", "around a b", "compare a", "run", "config a", "find",
     "list lr < 1", "health a b"],
)  # fmt: skip
def test_wrong_questions_are_refused(text: str) -> None:
    with pytest.raises(WrongQuestion):
        parse_question(text)


def test_words_that_a_shell_has_split_are_the_question() -> None:
    assert joined_words(["find", "lr", "<", "0.1", "sort", "lr"]) == "find 'lr < 0.1' sort lr"
    assert joined_words(["series", "my run", "loss"]) == "series 'my run' loss"
    assert joined_words(["series a loss"]) == "series a loss"
    assert joined_words([]) == ""


@given(st.text(), st.one_of(st.none(), st.text(min_size=1)), st.integers(-(2**63), 2**63))
def test_any_names_survive_the_text(run: str, tag: str | None, step: int) -> None:
    question = Question("around", (f"./{run}",), tag, step)
    again = parse_question(question.text)
    assert (again.step, again.text) == (step, question.text)


@given(st.text())
def test_any_text_is_a_question_or_refused(text: str) -> None:
    try:
        parse_question(text)
    except WrongQuestion as error:
        assert str(error).isprintable()


def test_links_are_told_from_questions() -> None:
    assert is_link("http://127.0.0.1:8080/#/runs")
    assert is_link("#/health")
    assert not is_link("find http")


def test_a_filter_with_a_lone_surrogate_is_refused() -> None:
    for text in ("find name ~ '\ud800'", "find loss > \udfff"):
        with pytest.raises(InvalidQuery, match="lone surrogate"):
            parse_question(text)
