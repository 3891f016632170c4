"""Protocol-level errors, sent by the HTTP server itself in the format of all errors."""

from __future__ import annotations

from http import HTTPStatus

import orjson

from mindviz.backend.errors import INVALID_VALUE, UNKNOWN

Headers = list[tuple[bytes, bytes]]


def error_body(status: int, message: str, code: str = "") -> tuple[Headers, bytes]:
    """Headers and JSON body of an error; `code` defaults to a general one for the status."""
    code = code or (INVALID_VALUE if status < 500 else UNKNOWN)
    body = orjson.dumps({"error_code": code, "error_msg": message})
    return [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ], body


def error_message(status: int, message: str) -> bytes:
    """An HTTP/1.1 response that ends the connection."""
    headers, body = error_body(status, message)
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()
    lines = (name + b": " + value for name, value in [*headers, (b"connection", b"close")])
    return head + b"\r\n".join(lines) + b"\r\n\r\n" + body
