"""Service: a running mindviz as seen from outside, through `GET status`.

Asked over a plain socket: `http.client` takes 15 ms to import, while the page is waited for.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from mindviz.cli.address import authority, origin
from mindviz.config import Config

_PATIENCE = 10.0
"""Seconds to wait for one answer."""
_LONGEST_ANSWER = 64 * 1024 * 1024
_CHUNK = 64 * 1024


_SUMMED = (
    *("train_jobs", "loaded_train_jobs", "files", "points", "bytes", "bytes_read"),
    "problem_count",
)


def read_status(config: Config) -> Mapping[str, Any] | None:
    """What the mindviz with this config says of itself; None if none answers there.

    The numbers are sums over all experiments; None as well if one of them did not answer: at the
    start of a server, the others may just have been too early.
    """
    asked = [_read_status_at(config, config.path_of(source)) for source in config.sources]
    statuses = [status for status in asked if status is not None]
    if len(statuses) < len(asked):
        return None
    if len(statuses) == 1:
        return statuses[0]
    states = {status["load_status"] for status in statuses}
    return {
        **{name: sum(status[name] for status in statuses) for name in _SUMMED},
        "load_status": states.pop() if len(states) == 1 else "loading",
        "scanner": statuses[0]["scanner"],  # one process, one scanner
    }


def answers(config: Config) -> bool:
    """Whether a mindviz answers there, also one that asks for a token that the config lacks."""
    code, said = _ask(config, config.url_path_prefix) or (b"", {})
    return (code == b"200" and "load_status" in said) or (code == b"401" and "error_code" in said)


def _read_status_at(config: Config, path: str) -> Mapping[str, Any] | None:
    code, said = _ask(config, path) or (b"", {})
    return said if code == b"200" and "load_status" in said else None


def _ask(config: Config, path: str) -> tuple[bytes, Mapping[str, Any]] | None:
    """Status code and JSON object that are answered to the question for the status."""
    path = f"{path}/v1/mindviz/status"
    # HTTP/1.0: the answer ends where the connection does, whatever its headers say.
    question = f"GET {path} HTTP/1.0\r\nHost: {authority(config)}\r\nConnection: close\r\n"
    if config.auth_token:
        question += f"Authorization: Bearer {config.auth_token}\r\n"
    try:
        with ExitStack() as at_end:
            connection = at_end.enter_context(
                socket.create_connection(origin(config), timeout=_PATIENCE)
            )
            if config.certificate is not None:
                connection = at_end.enter_context(config.certificate.connect(connection))
            connection.sendall(f"{question}\r\n".encode("ascii"))
            answer = _read_all(connection)
        head, _, body = answer.partition(b"\r\n\r\n")
        code, said = head.split()[1:2], json.loads(body)
    except (OSError, ValueError):
        return None
    return (code[0], said) if code and isinstance(said, dict) else None


def _read_all(connection: socket.socket) -> bytes:
    answer = bytearray()
    while chunk := connection.recv(_CHUNK):
        answer += chunk
        if len(answer) > _LONGEST_ANSWER:
            break  # whoever this is, it is no mindviz
    return bytes(answer)
