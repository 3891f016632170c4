"""A server as a program sees it, also where it is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from werkzeug import Request, Response

from mindviz.client.server import Server
from mindviz.errors import (
    AnswerTooLarge,
    DamagedValue,
    InvalidQuery,
    LogUnreadable,
    MindvizError,
    NotFound,
    ServerUnavailable,
    TokenRequired,
)
from tests.served_logs import answering

Serve = Callable[[Response], Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A server with one answer to everything except `/echo`, which returns the request."""
    answers: list[Response] = []

    @Request.application
    def app(request: Request) -> Response:
        if request.path.endswith("/echo"):
            answered = (
                f"{request.method} {request.full_path} {request.headers.get('Authorization', '')} "
            )
            return Response(answered.encode() + request.get_data())
        return answers[-1]

    with answering(app) as url:

        def answer(response: Response) -> Server:
            answers.append(response)
            return Server(f"{url}prefix/")

        yield answer


def error(status: int, code: str) -> Response:
    body = f'{{"error_code": "{code}", "error_msg": "Why."}}'
    return Response(body, status, content_type="application/json")


def test_a_question_is_a_get_or_with_a_body_a_post(serve: Serve) -> None:
    server = serve(Response())
    assert server.send("echo").content == b"GET /prefix/v1/mindviz/echo?  "
    posted = server.send("echo", {"a": None}, auth_token="secret").content
    assert posted == b'POST /prefix/v1/mindviz/echo? Bearer secret {"a": null}'


def test_the_token_is_sent_unless_a_request_has_its_own(serve: Serve) -> None:
    server = serve(Response())
    locked = Server(server.url, "a+b/c==~")
    assert b" Bearer a+b/c==~ " in locked.send("echo").content
    assert b" Bearer other " in locked.send("echo", auth_token="other").content


def test_the_token_is_not_sent_to_redirects(serve: Serve) -> None:
    server = serve(Response(status=302, headers={"Location": "echo"}))
    assert b"secret" not in Server(server.url, "secret").send("x").content


def test_a_required_token_is_reported(serve: Serve) -> None:
    server = serve(error(401, "50540008"))
    with pytest.raises(TokenRequired, match="requires a token"):
        server.send("x")
    with pytest.raises(TokenRequired, match="does not accept this token"):
        Server(server.url, "secret").send("x")


def test_json_is_decoded(serve: Serve) -> None:
    server = serve(Response('{"a": 1}'))
    assert server.get_json("x", {"q": "\N{SNOWMAN}&"}) == {"a": 1}
    assert server.post_json("x", {}) == {"a": 1}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (error(400, "50540002"), InvalidQuery),
        (error(400, "50545013"), AnswerTooLarge),
        (error(404, "50540004"), NotFound),
        (error(404, "50545015"), DamagedValue),
        (error(404, "50545001"), ServerUnavailable),
        (error(503, "50545018"), ServerUnavailable),
        (error(503, "5054501B"), LogUnreadable),
        (error(500, "50540000"), ServerUnavailable),
    ],
)
def test_errors_of_the_server_are_raised(
    serve: Serve, answer: Response, kind: type[MindvizError]
) -> None:
    with pytest.raises(kind, match="Why") as raised:
        serve(answer).get_json("x", {})
    assert type(raised.value) is kind


@pytest.mark.parametrize("body", ["", "<html>", "[]", '{"error_code": 1}'])
def test_a_foreign_error_is_reported_by_its_status(serve: Serve, body: str) -> None:
    with pytest.raises(ServerUnavailable, match="HTTP status 502"):
        serve(Response(body, 502)).send("x")


def test_a_page_is_not_json(serve: Serve) -> None:
    with pytest.raises(ServerUnavailable, match="is not a mindviz server"):
        serve(Response("<html>")).get_json("x", {})


@pytest.fixture
def busy() -> Iterator[tuple[str, list[str]]]:
    """A server that is busy for the first two requests; its URL, and its requests."""
    requested: list[str] = []

    @Request.application
    def app(request: Request) -> Response:
        requested.append(request.method + request.get_data(as_text=True))
        if len(requested) <= 2:
            response = error(503, "5054501A")
            response.headers["Retry-After"] = "0"
            return response
        return Response('{"a": 1}')

    with answering(app) as url:
        yield url, requested


def test_requests_to_a_busy_server_are_retried(busy: tuple[str, list[str]]) -> None:
    url, requested = busy
    assert Server(url).post_json("x", {}) == {"a": 1}
    assert requested == ["POST{}"] * 3


def test_waiting_ends_if_the_server_stays_busy(serve: Serve) -> None:
    response = error(503, "5054501A")
    response.headers["Retry-After"] = "2"
    server = Server(serve(response).url, busy_patience=1)
    with pytest.raises(ServerUnavailable, match=r"cannot answer: Why\. Retried for 1 s\."):
        server.send("x")


def test_a_closed_port_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with answering(Response("x")) as url:
        # Requests to this machine bypass the proxy.
        assert Server(url).send("x").content == b"x"
    with pytest.raises(ServerUnavailable, match="does not answer"):
        Server(url).send("x")


def test_a_truncated_answer_raises_server_unavailable(serve: Serve) -> None:
    def cut_off() -> Any:
        yield b"abc"
        raise OSError

    with pytest.raises(ServerUnavailable):
        serve(Response(cut_off(), headers={"Content-Length": "10"})).send("x")
