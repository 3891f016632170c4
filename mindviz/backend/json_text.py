"""Decodes JSON requests as leniently as Python's json module, like the contract."""

from __future__ import annotations

import json
from typing import Any

import orjson


def decode_json(data: bytes, *, lone_surrogates: bool = True) -> Any:
    """The value of a JSON text in UTF-8, -16 or -32, with or without a byte order mark.

    Allows NaN and infinities. Raises ValueError; without `lone_surrogates` also for text with lone
    surrogates, which can be neither searched for nor stored.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            value = json.loads(data)
            if not lone_surrogates:
                json.dumps(value, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error
        return value
