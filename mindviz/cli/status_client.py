"""Queries the status route of a running server.

Uses a plain socket, because `http.client` takes 15 ms to import, which would delay the start.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from mindviz.cli.address import authority, origin
from mindviz.config import Config

_TIMEOUT = 10.0
"""Seconds per response."""
_MAX_RESPONSE = 64 * 1024 * 1024
_CHUNK = 64 * 1024

_SUMMED = (
    *("train_jobs", "loaded_train_jobs", "files", "points", "bytes", "bytes_read"),
    "problem_count",
)


def read_status(config: Config) -> Mapping[str, Any] | None:
    """The status of the server with this config, or None if it does not respond.

    Numbers are sums over all experiments. None if any experiment does not respond, because the
    server may be starting.
    """
    statuses = []
    for source in config.sources:
        code, body = _request(config, config.path_of(source)) or (b"", {})
        if code != b"200" or "load_status" not in body:
            return None
        statuses.append(body)
    if len(statuses) == 1:
        return statuses[0]
    states = {status["load_status"] for status in statuses}
    return {
        **{name: sum(status[name] for status in statuses) for name in _SUMMED},
        "load_status": states.pop() if len(states) == 1 else "loading",
        "scanner": statuses[0]["scanner"],  # equal in one process
    }


def responds(config: Config) -> bool:
    """Whether a mindviz server responds, also if it requires a token that the config lacks."""
    code, body = _request(config, config.url_path_prefix) or (b"", {})
    return (code == b"200" and "load_status" in body) or (code == b"401" and "error_code" in body)


def _request(config: Config, path: str) -> tuple[bytes, Mapping[str, Any]] | None:
    """Status code and JSON body of the status route, or None."""
    path = f"{path}/v1/mindviz/status"
    # In HTTP/1.0, the response ends with the connection.
    request = f"GET {path} HTTP/1.0\r\nHost: {authority(config)}\r\nConnection: close\r\n"
    if config.auth_token:
        request += f"Authorization: Bearer {config.auth_token}\r\n"
    try:
        with ExitStack() as stack:
            connection = stack.enter_context(
                socket.create_connection(origin(config), timeout=_TIMEOUT)
            )
            if config.certificate is not None:
                connection = stack.enter_context(config.certificate.connect(connection))
            connection.sendall(f"{request}\r\n".encode("ascii"))
            response = _read_all(connection)
        head, _, content = response.partition(b"\r\n\r\n")
        code, body = head.split()[1:2], json.loads(content)
    except (OSError, ValueError):
        return None
    return (code[0], body) if code and isinstance(body, dict) else None


def _read_all(connection: socket.socket) -> bytes:
    response = bytearray()
    while chunk := connection.recv(_CHUNK):
        response += chunk
        if len(response) > _MAX_RESPONSE:
            break  # not a mindviz server
    return bytes(response)
