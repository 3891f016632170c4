"""Answers: answers questions about the runs of a store, as text or JSON within a budget."""

from __future__ import annotations

from collections.abc import Mapping

from mindviz.asking import health_answers, list_answers, run_answers, series_answers
from mindviz.asking.answer import Cut, rendered
from mindviz.asking.free_text import JOINING
from mindviz.asking.known_runs import KnownRuns
from mindviz.asking.nearest_question import nearest_question
from mindviz.asking.page_link import linked_question
from mindviz.asking.question import SYNTAX, Question, WrongQuestion, is_link, parse_question
from mindviz.asking.run_answers import Builder
from mindviz.errors import InvalidQuery, TrainJobNotFound

_BUILDERS: Mapping[str, Builder] = {
    **list_answers.BUILDERS,
    **run_answers.BUILDERS,
    **series_answers.BUILDERS,
    "health": health_answers.health,
}


def answer(runs: KnownRuns, text: str, cut: Cut) -> str:
    """The answer to a question, or to what a link to the page shows.

    Raises InvalidQuery with the nearest right question, NotFound with the nearest names,
    AnswerTooLarge if the budget is too small.
    """
    question = question_of(runs, text)
    return rendered(_BUILDERS[question.kind](runs, question, cut), cut)


def question_of(runs: KnownRuns, text: str) -> Question:
    """The question of a text or link. Raises InvalidQuery."""
    try:
        return linked_question(text, runs.newest()) if is_link(text) else _parsed(runs, text)
    except WrongQuestion as error:
        nearest = nearest_question(runs, error).text
        kinds = "; ".join(syntax.usage for syntax in SYNTAX.values())
        raise InvalidQuery(f"{error} Did you mean `{nearest}`? Questions: {kinds}.") from None


def _parsed(runs: KnownRuns, text: str) -> Question:
    """The question of a text; WrongQuestion for `compare a and b` without a run named `and`."""
    question = parse_question(text)
    if any(name.lower() in JOINING or name.endswith(",") for name in question.runs):
        try:
            for name in question.runs:
                runs.train_id(name)
        except TrainJobNotFound as error:
            words = [question.kind, *question.runs]
            words += [] if question.tag is None else ["of", question.tag]
            raise WrongQuestion(str(error.args[0]), words, question.kind) from None
    return question
