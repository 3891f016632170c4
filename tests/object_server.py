"""An S3 server for the tests, and a proxy before it that counts requests and injects faults."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

ACCESS_KEY, SECRET_KEY = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

_SIGNED = (
    f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/20260101/us-east-1/s3/aws4_request, "
    "SignedHeaders=host, Signature=0"
)
"""The server does not verify signatures."""


@dataclass(frozen=True)
class Request:
    """A request of a client."""

    method: str
    path: str
    """Of the object, or of the bucket for a listing."""
    first_byte: int | None
    """Of the range; None without one."""
    is_signed: bool

    @property
    def is_listing(self) -> bool:
        return "list-type=2" in self.path


Fault = Callable[[Request], str | None]
"""What happens to a request: a status such as `503 SlowDown`, `cut`, `stall`, `refuse`, or None."""


class ObjectServer:
    """A bucket in a server; its URL is new each time, since processes keep connections."""

    def __init__(self, port: int, proxy: ThreadingHTTPServer) -> None:
        self._upstream = port
        self._proxy = proxy
        # Without hyphens: Google's client escapes them, and moto then finds no bucket.
        self.bucket = f"test{uuid4().hex[:12]}"
        self.requests: list[Request] = []
        self.fault: Fault = lambda _: None
        self.released = threading.Event()
        """Set it to let stalled requests continue."""
        self.put("", b"")

    @property
    def endpoint(self) -> str:
        """Of the proxy."""
        return f"http://127.0.0.1:{self._proxy.server_port}"

    @property
    def url(self) -> str:
        return f"s3://{self.bucket}"

    def put(self, key: str, content: bytes) -> None:
        """Write an object, whatever faults are set; the empty key creates the bucket."""
        self._send("PUT", key, content)

    def delete(self, key: str) -> None:
        self._send("DELETE", key, None)

    def upload(self, directory: Path, prefix: str = "") -> str:
        """Write all files below a directory; returns the URL that corresponds to it."""
        for path in sorted(directory.rglob("*")):
            if path.is_file():
                key = f"{prefix}{path.relative_to(directory).as_posix()}"
                self.put(key, path.read_bytes())
                self._date(key, path.stat().st_mtime)
        return f"{self.url}/{prefix}".rstrip("/")

    def fill(self, keys: Iterable[str], content: bytes) -> None:
        """Write many objects without a request for each."""
        for key in keys:
            self._backend.put_object(self.bucket, key, content)

    def _date(self, key: str, seconds: float) -> None:
        """Change the time of an object, which no request can."""
        written = self._backend.buckets[self.bucket].keys[key]
        written.last_modified = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)

    @property
    def _backend(self) -> Any:
        from moto.s3.models import s3_backends

        return s3_backends["123456789012"]["aws"]

    def counted(self) -> Counter[str]:
        """Number of LIST, GET and HEAD requests since the last call."""
        requests, self.requests = self.requests, []
        return Counter("LIST" if one.is_listing else one.method for one in requests)

    def _send(self, method: str, key: str, content: bytes | None) -> None:
        send(method, f"http://127.0.0.1:{self._upstream}/{self.bucket}/{quote(key)}", content)


def send(method: str, url: str, content: bytes | None) -> None:
    """A request to an S3 server; a PUT without a key creates a bucket."""
    # Else urllib announces a form, which moto then waits for.
    headers = {"Content-Type": "application/octet-stream", "Authorization": _SIGNED}
    request = urllib.request.Request(url, content, headers, method=method)
    with urllib.request.urlopen(request, timeout=30):
        pass


class _Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        owner: ObjectServer = self.server.owner
        value = self.headers.get("Range", "")
        start = int(value.removeprefix("bytes=").partition("-")[0]) if value else None
        request = Request(self.command, self.path, start, "Authorization" in self.headers)
        owner.requests.append(request)
        fault = owner.fault(request) or ""
        if fault == "refuse":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif fault == "stall":
            owner.released.wait(30)
        elif fault[:1].isdigit():
            status, _, code = fault.partition(" ")
            body = f"<Error><Code>{code}</Code><Message>{SECRET_KEY}</Message></Error>".encode()
            self._answer(int(status), {}, body if self.command == "GET" else b"", len(body))
        else:
            self._forward(cut=fault == "cut")

    do_HEAD = do_GET  # noqa: N815

    def _forward(self, *, cut: bool = False) -> None:
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.owner._upstream)
        # Clients of Google's API are not signed as for S3, and `Request` has noted that.
        headers = {"Authorization": _SIGNED}
        headers |= {name: text for name, text in self.headers.items() if name != "Connection"}
        upstream.request(self.command, self.path, headers=headers)
        answer = upstream.getresponse()
        body = answer.read()
        upstream.close()
        length = int(answer.headers.get("Content-Length", len(body)))
        sent = body[: length // 2] if cut else body
        self._answer(answer.status, dict(answer.headers), sent, length)
        if cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    def _answer(self, status: int, headers: dict[str, str], body: bytes, length: int) -> None:
        self.send_response_only(status)
        for name, text in headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, text)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


@contextmanager
def object_server(environment: pytest.MonkeyPatch) -> Iterator[ObjectServer]:
    """A server with an empty bucket; clients in this process find it by the environment."""
    moto = pytest.importorskip("moto.server", reason="needs moto[s3]")
    pytest.importorskip("obstore", reason="needs obstore: pip install 'mindviz[cloud]'")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), _Proxy)
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        _, port = server.get_host_and_port()
        owner = ObjectServer(port, proxy)
        proxy.owner = owner  # type: ignore[attr-defined]
        environment.setenv("AWS_ENDPOINT_URL", owner.endpoint)
        environment.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
        environment.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield owner
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()
        server.stop()
