"""Numbers that JSON cannot say, said as text: what is exported or logged must not be lost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def sayable(value: Any) -> Any:
    """The value, numbers that JSON cannot say as the contract does: "NaN", "Infinity"."""
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        if math.isnan(value):
            return "NaN"
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {name: sayable(one) for name, one in value.items()}
    if isinstance(value, list):
        return [sayable(one) for one in value]
    return value
