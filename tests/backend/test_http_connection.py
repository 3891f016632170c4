"""Connections end after timeouts."""

from __future__ import annotations

import queue
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from mindviz.backend import http_connection
from tests.http_servers import PATIENCE, ask, connect, get, http_server, read_answer

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


class EndlessStream:
    """An endless response that records when it is closed."""

    def __init__(self) -> None:
        self.closed: queue.SimpleQueue[str] = queue.SimpleQueue()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> EndlessStream:
        start_response("200 OK", [])
        return self

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b"x" * 100_000

    def close(self) -> None:
        self.closed.put("closed")


def hello(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "7")])
    return [b'"hello"']


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IDLE_SECONDS", "STALL_SECONDS", "LINGER_SECONDS"):
        monkeypatch.setattr(http_connection, name, 0.1)


def has_ended(connection: socket.socket) -> bool:
    """True once the server closes the connection; raises TimeoutError otherwise."""
    try:
        while connection.recv(1 << 20):
            pass
    except ConnectionResetError:
        return True
    return True


@pytest.mark.usefixtures("no_patience")
def test_a_response_that_is_not_read_is_aborted() -> None:
    app = EndlessStream()
    with http_server(app) as port, connect(port, receive_buffer=4096) as client:
        client.sendall(get("/"))
        assert app.closed.get(timeout=PATIENCE) == "closed"


@pytest.mark.usefixtures("no_patience")
@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n123"],
    ids=["nothing", "part of a head", "part of a body"],
)
def test_an_incomplete_request_times_out(sent: bytes) -> None:
    with http_server(hello) as port, connect(port) as client:
        client.sendall(sent)
        assert has_ended(client)


@pytest.mark.usefixtures("no_patience")
def test_a_refused_client_is_disconnected() -> None:
    with http_server(hello) as port, connect(port) as client:
        client.sendall(b"nonsense\r\n\r\n")
        assert read_answer(client)[0].split()[1] == b"400"
        assert has_ended(client)


def test_requests_can_be_pipelined() -> None:
    with http_server(hello) as port, connect(port) as client:
        client.sendall(get("/a") + get("/b", "Connection: close"))
        received = b"".join(iter(lambda: client.recv(65536), b""))
        assert received.count(b'"hello"') == 2
        assert ask(port, get("/c")) == (200, "hello")
