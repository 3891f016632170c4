"""Responses hold their claims until they are sent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from mindviz.answer_memory import AnswerBudget, claim
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.in_flight import SMALL_ANSWER, count_answers
from mindviz.deadline import LongWorkAhead


@pytest.fixture
def budget() -> AnswerBudget:
    return AnswerBudget(100 * SMALL_ANSWER)


@pytest.fixture
def client(budget: AnswerBudget) -> FlaskClient:
    app = Flask(__name__)
    count_answers(app, budget)
    register_error_handlers(app)

    @app.get("/whole/<int:size>")
    def whole(size: int) -> Response:
        return Response(b"x" * size)

    @app.get("/claimed/<int:size>")
    def claimed(size: int) -> Response:
        claim(size)

        def pieces() -> Iterator[bytes]:
            yield b"x"

        return Response(pieces())

    @app.get("/fails")
    def fails() -> Response:
        claim(1000)
        raise RuntimeError

    @app.get("/moves")
    def moves() -> Response:
        claim(1000)
        raise LongWorkAhead

    return app.test_client()


def test_a_large_response_counts_until_it_is_closed(
    client: FlaskClient, budget: AnswerBudget
) -> None:
    response = client.get(f"/whole/{2 * SMALL_ANSWER}", buffered=False)
    assert budget.nbytes == 2 * SMALL_ANSWER
    response.close()
    assert budget.nbytes == 0


def test_a_small_response_does_not_count(client: FlaskClient, budget: AnswerBudget) -> None:
    client.get(f"/whole/{SMALL_ANSWER}", buffered=False)
    assert budget.nbytes == 0


def test_claims_of_a_stream_count_until_it_is_closed(
    client: FlaskClient, budget: AnswerBudget
) -> None:
    response = client.get("/claimed/1000", buffered=False)
    assert budget.nbytes == 1000
    response.close()
    assert budget.nbytes == 0


def test_a_response_that_does_not_fit_has_retry_after(
    client: FlaskClient, budget: AnswerBudget
) -> None:
    first = client.get(f"/claimed/{budget.max_bytes}", buffered=False)
    refused = client.get("/claimed/1")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert budget.nbytes == budget.max_bytes
    first.close()
    with client.get("/claimed/1", buffered=True) as answer:
        assert answer.status_code == 200
    assert budget.nbytes == 0


def test_a_request_that_fails_or_moves_releases_its_claims(
    client: FlaskClient, budget: AnswerBudget
) -> None:
    assert client.get("/fails").status_code == 500
    assert budget.nbytes == 0
    with pytest.raises(LongWorkAhead):
        client.get("/moves")
    assert budget.nbytes == 0
