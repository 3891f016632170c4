"""Service: a running mindviz as seen from outside, through `GET status`.

Asked over a plain socket: `http.client` takes 15 ms to import, while the page is waited for.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any

from mindviz.cli.address import authority, origin
from mindviz.config import Config

_PATIENCE = 10.0
"""Seconds to wait for one answer."""
_LONGEST_ANSWER = 64 * 1024 * 1024
_CHUNK = 64 * 1024


def read_status(config: Config) -> Mapping[str, Any] | None:
    """What the mindviz with this config says of itself; None if none answers there."""
    path = f"{config.url_path_prefix}/v1/mindviz/status"
    # HTTP/1.0: the answer ends where the connection does, whatever its headers say.
    question = f"GET {path} HTTP/1.0\r\nHost: {authority(config)}\r\nConnection: close\r\n\r\n"
    try:
        with socket.create_connection(origin(config), timeout=_PATIENCE) as connection:
            connection.sendall(question.encode("ascii"))
            answer = _read_all(connection)
        head, _, body = answer.partition(b"\r\n\r\n")
        status = json.loads(body) if head.split()[1:2] == [b"200"] else None
    except (OSError, ValueError):
        return None
    return status if isinstance(status, dict) and "load_status" in status else None


def _read_all(connection: socket.socket) -> bytes:
    answer = bytearray()
    while chunk := connection.recv(_CHUNK):
        answer += chunk
        if len(answer) > _LONGEST_ANSWER:
            break  # whoever this is, it is no mindviz
    return bytes(answer)
