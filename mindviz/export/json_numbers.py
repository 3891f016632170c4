"""Represents NaN and infinities in JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def json_safe(value: Any) -> Any:
    """The value, with NaN and infinities as strings: "NaN", "Infinity", "-Infinity"."""
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        if math.isnan(value):
            return "NaN"
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [json_safe(one) for one in value]
    if value is not None and isinstance(value, Mapping):  # slow for what is none
        return {name: json_safe(one) for name, one in value.items()}
    return value
