"""OwnAnswers: what requests in this process take, and their errors."""

from __future__ import annotations

import json

import pytest
from flask import Flask, Response, jsonify, request

from mindviz.answer_memory import AnswerBudget
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.in_flight import SMALL_ANSWER, count_answers
from mindviz.backend.own_answers import OwnAnswers
from mindviz.errors import (
    AnswerTooLarge,
    DatabaseUnavailable,
    InvalidQuery,
    LogUnreadable,
    MindvizError,
    ServerBusy,
)

ROOT = "/v1/mindviz"


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)
    register_error_handlers(app)
    return app


def test_a_large_answer_leaves_nothing_in_the_budget(app: Flask) -> None:
    budget = AnswerBudget(3 * SMALL_ANSWER)
    count_answers(app, budget)
    app.add_url_rule(f"{ROOT}/large", view_func=lambda: Response(b"x" * 2 * SMALL_ANSWER))
    assert len(OwnAnswers(app).answer("large").body) == 2 * SMALL_ANSWER
    assert budget.nbytes == 0


def test_a_body_is_posted(app: Flask) -> None:
    def echo() -> Response:
        return jsonify(request.get_json())

    app.add_url_rule(f"{ROOT}/echo", methods=["POST"], view_func=echo)
    answer = OwnAnswers(app).answer("echo", {"a": [1]})
    assert json.loads(answer.body) == {"a": [1]}
    assert answer.content_type == "application/json"


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (AnswerTooLarge("too large"), AnswerTooLarge),
        (InvalidQuery("no such order"), InvalidQuery),
        (LogUnreadable("a: permission denied"), LogUnreadable),
        (ServerBusy("no memory"), ServerBusy),
        (DatabaseUnavailable("it does not answer"), MindvizError),
    ],
)
def test_errors_are_raised_with_their_message(
    app: Flask, raised: MindvizError, expected: type[MindvizError]
) -> None:
    def fail() -> Response:
        raise raised

    app.add_url_rule(f"{ROOT}/fails", view_func=fail)
    with pytest.raises(MindvizError) as error:
        OwnAnswers(app).answer("fails")
    assert type(error.value) is expected
    assert str(error.value) == str(raised)
