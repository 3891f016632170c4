"""Numbers as text, as the page writes them."""

from __future__ import annotations

import math
from decimal import Decimal

_SMALL, _LARGE = Decimal("1e-3"), Decimal("1e7")
"""Numbers outside of these have an exponent."""


def number_text(number: float, digits: int | None = None) -> str:
    """`1,234.5`, `5e-5`, `NaN`, `-inf`: with at most this many significant digits, None for all.

    Integers below 10,000,000 have all digits.
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "inf" if number > 0 else "-inf"
    exact = digits is None or (number == int(number) and abs(number) < _LARGE)
    value = Decimal(repr(float(number)) if exact else f"{number:.{digits}g}").normalize()
    if not value:
        return "0"
    if _SMALL <= abs(value) < _LARGE:
        return f"{value:,f}"
    return f"{value:e}".replace("e+", "e")
