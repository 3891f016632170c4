"""Invalid requests are rejected in the format of all errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.backend.app import create_app
from mindviz.config import Config
from tests.http_servers import ask, connect, get, http_server, read_answer
from tests.store_fake import FakeStore

MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("request_bytes", "status", "code"),
    [
        (b"GET /v1/mindviz/status?\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "50540002"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 4 * MIB, 431, "50540002"),
        (get("/v1/mindviz/status?" + "a" * 4 * MIB), 431, "50540002"),
        (get("/v1/mindviz/status?" + "a" * 80_000), 400, "50540002"),
        (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400, "50540002"),
        (
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: odd\r\n\r\n",
            501,
            "50540000",
        ),
        (get("/nothing"), 404, "50545001"),
        (
            b"POST /v1/mindviz/datavisual/train-job-caches HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: 16000000\r\n\r\n"
            + b" "
            * 16_000_000,
            413,
            "50540002",
        ),
        (
            b"POST /v1/mindviz/datavisual/train-job-caches HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + (b"100000\r\n" + b" " * MIB + b"\r\n") * 15
            + b"0\r\n\r\n",
            413,
            "50540002",
        ),
    ],
    ids=[
        "raw bytes",
        "long header",
        "long query",
        "query the app refuses",
        "blank in a name",
        "unknown encoding",
        "a real request",
        "long body",
        "long chunked body",
    ],
)
def test_protocol_errors_have_the_format_of_the_apps(
    request_bytes: bytes, status: int, code: str
) -> None:
    with http_server(create_app(Config(Path("/data"), port=0), FakeStore())) as port:
        answered, body = ask(port, request_bytes)
    assert answered == status
    assert body["error_code"] == code
    assert set(body) == {"error_code", "error_msg"}
    assert "\n" not in body["error_msg"]


def test_a_connection_survives_a_too_large_body() -> None:
    with (
        http_server(create_app(Config(Path("/data"), port=0), FakeStore())) as port,
        connect(port) as connection,
    ):
        head = "POST /v1/mindviz/datavisual/train-job-caches HTTP/1.1\r\nHost: localhost\r\n"
        connection.sendall(
            f"{head}Content-Type: application/json\r\nContent-Length: {3 * MIB}\r\n\r\n".encode()
            + b" " * 3 * MIB
        )
        assert read_answer(connection)[0].split()[1] == b"413"
        connection.sendall(get("/v1/mindviz/status"))
        assert read_answer(connection)[0].split()[1] == b"200"
