"""Runs the real HTTP server over any WSGI app in a thread."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindviz.backend.http_server import HttpServer
from mindviz.backend.server import listen
from mindviz.config import Config

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

PATIENCE = 40
"""Timeout in seconds; only a hang reaches it."""


@contextmanager
def http_server(app: WSGIApplication, **options: Any) -> Iterator[int]:
    """Run a server within the block; its port."""
    listener = listen(Config(Path("/data"), port=0))
    port = listener.getsockname()[1]
    server = HttpServer(app, listener, **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def connect(port: int, *, receive_buffer: int | None = None) -> socket.socket:
    """A connection; with a small buffer, the server soon blocks."""
    connection = socket.socket()
    if receive_buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(PATIENCE)
    connection.connect(("127.0.0.1", port))
    return connection


def get(path: str, *headers: str) -> bytes:
    """The bytes of a GET request."""
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
    return "\r\n".join(lines).encode()


def post(path: str, body: object) -> bytes:
    """The bytes of a POST request with JSON."""
    content = json.dumps(body).encode()
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + content


def read_answer(connection: socket.socket) -> tuple[bytes, bytes]:
    """Head and body of one response with a content length."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(lines[b"content-length"]):
        body += _more(connection)
    return head, body


def _more(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the server ended the connection")
    return data


def ask(port: int, request: bytes) -> tuple[int, Any]:
    """Status and JSON body of the response to these bytes on a new connection."""
    with connect(port) as connection:
        connection.sendall(request)
        head, body = read_answer(connection)
    return int(head.split()[1]), json.loads(body)
