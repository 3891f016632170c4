"""Service: only what answers like mindviz counts as one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mindviz.cli.service import read_status
from mindviz.config import Config


@contextmanager
def answering(code: int, body: bytes, prefix: str = "") -> Iterator[Config]:
    """A web server that says this on the path of the status, and 404 elsewhere."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.path == f"{prefix}/v1/mindviz/status"
            self.send_response(code if known else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Config(Path("logs"), port=server.server_address[1], url_path_prefix=prefix)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("prefix", ["", "/a/b"])
def test_a_status_is_read(prefix: str) -> None:
    with answering(200, b'{"load_status": "loaded", "points": 3}', prefix) as config:
        status = read_status(config)
    assert status == {"load_status": "loaded", "points": 3}


@pytest.mark.parametrize(
    ("code", "body"),
    [(404, b'{"load_status": "loaded"}'), (200, b"{}"), (200, b"<html>"), (200, b"[]"), (200, b"")],
)
def test_a_stranger_is_not_taken_for_mindviz(code: int, body: bytes) -> None:
    with answering(code, body) as config:
        assert read_status(config) is None


def test_where_nobody_listens_there_is_no_status() -> None:
    with answering(200, b"") as config:
        pass
    assert read_status(config) is None
