"""What is no request at all is refused in the words of all other errors."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from waitress.server import create_server  # type: ignore[import-untyped]

from mindviz.backend.app import create_app
from mindviz.backend.refusals import JsonChannel
from mindviz.backend.server import listen
from mindviz.config import Config
from tests.experiment_fake import FakeExperiment


@pytest.fixture
def port() -> Iterator[int]:
    config = Config(Path("/data"), port=0)
    listener = listen(config)
    server = create_server(
        create_app(config, FakeExperiment()),
        sockets=[listener],
        max_request_header_size=10_000,
        recv_bytes=65536,
    )
    server.channel_class = JsonChannel
    ended = threading.Event()

    def run() -> None:
        while not ended.is_set():
            server.asyncore.loop(timeout=0.05, map=server._map, count=1, use_poll=True)

    thread = threading.Thread(target=run)
    thread.start()
    yield listener.getsockname()[1]
    ended.set()
    thread.join(30)
    server.task_dispatcher.shutdown()
    server.close()
    listener.close()


def exchange(port: int, request: bytes) -> tuple[bytes, Any]:
    """Status line and JSON body of the answer to raw bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/json" in head.lower()
    return head.split(b"\r\n")[0], json.loads(body)


@pytest.mark.parametrize(
    ("request_bytes", "status", "code"),
    [
        (b"GET /v1/mindviz/status?\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400", "50540002"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20_000, b"431", "50540002"),
        (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", b"400", "50540002"),
        (
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: odd\r\n\r\n",
            b"501",
            "50540000",
        ),
        (b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404", "50545001"),
    ],
    ids=["raw bytes", "long header", "blank in a name", "unknown encoding", "a real request"],
)
def test_errors_below_the_app_look_like_those_of_the_app(
    port: int, request_bytes: bytes, status: bytes, code: str
) -> None:
    line, body = exchange(port, request_bytes)
    assert line.split()[1] == status
    assert body["error_code"] == code
    assert set(body) == {"error_code", "error_msg"}
    assert "\n" not in body["error_msg"]
