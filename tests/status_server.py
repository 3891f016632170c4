"""A web server that answers one path with given contents, and 404 elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from mindviz.config import Config


@contextmanager
def answering(code: int, body: bytes | Callable[[], bytes], prefix: str = "") -> Iterator[Config]:
    """Answer mindviz's status with this; the config of that mindviz."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.path == f"{prefix}/v1/mindviz/status"
            self.send_response(code if known else 404)
            self.end_headers()
            self.wfile.write(body() if callable(body) else body)

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
