"""Service: a running mindviz as seen from outside, through `GET status`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any

from mindviz.cli.address import origin
from mindviz.config import Config

_PATIENCE = 5.0
"""Seconds to wait for one answer."""


def read_status(config: Config) -> Mapping[str, Any] | None:
    """What the mindviz with this config says of itself; None if it does not answer."""
    connection = HTTPConnection(*origin(config), timeout=_PATIENCE)
    try:
        connection.request("GET", f"{config.url_path_prefix}/v1/mindviz/status")
        answer = connection.getresponse()
        body = json.loads(answer.read())
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return body if answer.status == 200 and isinstance(body, dict) else None
