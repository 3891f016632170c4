"""The order of values in tables, as in the page: numbers, then texts in natural order.

`natural_key` is the page's `Intl.Collator('en', {numeric: true, sensitivity: 'base'})`, as bytes
that databases can sort. Letters other than accented Latin ones are sorted by code point.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s

Value = float | int | str | bool | None

_MARKS = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%"
_SYMBOLS = "`^+<=>|~$"
_OTHER_MARK = chr(len(_MARKS) + 1)
_FIRST_SYMBOL = len(_MARKS) + 2
_OTHER_SYMBOL = chr(_FIRST_SYMBOL + len(_SYMBOLS))
_WEIGHTS = (
    {code: chr(code) for code in range(128)}
    | dict.fromkeys((*range(9), *range(14, 32), 127))
    | {ord(mark): chr(place) for place, mark in enumerate(_MARKS, 1)}
    | {ord(symbol): chr(place) for place, symbol in enumerate(_SYMBOLS, _FIRST_SYMBOL)}
)
"""Letters and digits are their own weights; control characters have none. All of ASCII is here:
looking up a character that is missing takes `translate` ten times longer."""
_LIGATURES = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l"})
_DIGITS = re.compile(r"[0-9]{1,254}")
_SHAPES = bytes.maketrans(b"0123456789", b"0000000000")

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*(?:e[+-]?[0-9]+)?|\.[0-9]+(?:e[+-]?[0-9]+)?|(Infinity))", re.IGNORECASE
)
_RADIX = re.compile(r"0(?:x[0-9a-f]+|o[0-7]+|b[01]+)", re.IGNORECASE)
_NUMBERS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}
"""Texts that JSON has in place of numbers; the page cannot tell them from logged texts."""


def natural_key(text: str) -> bytes:
    """Bytes that sort as the text does: `run_2` before `Run_10`, ties by code point."""
    plain = text.lower().translate(_WEIGHTS) if text.isascii() else _unaccented(text)
    weights = _DIGITS.sub(_number_weight, plain)
    return (weights + "\0" + text).encode("utf-8", "surrogatepass")


def _number_weight(match: re.Match[str]) -> str:
    digits = match[0].lstrip("0")
    # More digits: a larger number.
    return f"0{chr(0x30 + len(digits))}{digits}"


def _unaccented(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold()).casefold().translate(_LIGATURES)
    parts = []
    for char in folded:
        if char.isascii():
            parts.append(char.translate(_WEIGHTS))
            continue
        category = unicodedata.category(char)
        if category[0] in "PZ":
            parts.append(_OTHER_MARK + char)
        elif category[0] == "S":
            parts.append(_OTHER_SYMBOL + char)
        elif category[0] not in "MC":
            parts.append(char)
    return "".join(parts)


def natural_keys(texts: Sequence[str]) -> Callable[[int], bytes | str]:
    """A key for each place: sorts these texts as `natural_key` does.

    If texts differ only in digits at the same places, they are their own keys: of 100,000 runs,
    this takes a tenth of the time.
    """
    shape = _shape(texts[0]) if texts else b""
    if all(_shape(text) == shape for text in texts):
        return texts.__getitem__
    return lambda place: natural_key(texts[place])


def _shape(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").translate(_SHAPES)


def latest_first(times: Float64s, tie: Callable[[int], Any]) -> Int64s:
    """The places of times, the latest first and NaN last; equal ones by their `tie`."""
    order = np.argsort(-times, kind="stable")
    ordered = times[order]
    is_nan = np.isnan(ordered)
    differs = (ordered[1:] != ordered[:-1]) & ~(is_nan[1:] & is_nan[:-1])
    bounds = np.flatnonzero(np.concatenate([[True], differs, [True]]))
    for number in np.flatnonzero(np.diff(bounds) > 1).tolist():
        part = order[bounds[number] : bounds[number + 1]]
        part[:] = sorted(part.tolist(), key=tie)
    return order


def number_of(text: str) -> float:
    """The number that a text is in JavaScript, else NaN."""
    text = text.strip()
    if (match := _NUMBER.fullmatch(text)) and match[1] in (None, "Infinity"):
        return float(text)
    if not _RADIX.fullmatch(text):
        return float("nan")
    try:
        return float(int(text, 0))
    except OverflowError:
        return float("inf")


def value_of(cell: Any) -> Value:
    """The value of a logged fact."""
    if isinstance(cell, str):
        return _NUMBERS.get(cell, cell)
    if isinstance(cell, list | dict):
        import orjson  # noqa: PLC0415 - imported late, for a short startup

        return orjson.dumps(cell).decode()
    if isinstance(cell, int) and not isinstance(cell, bool):
        try:
            number = float(cell)
        except OverflowError:
            return np.inf if cell > 0 else -np.inf
        return cell if number == cell else number  # as in JavaScript
    return cell  # type: ignore[no-any-return]


def present_value(value: Value) -> Value:
    """The value; None if it counts as missing: empty texts and NaN."""
    if value is None or value == "" or value != value:  # noqa: PLR0124 -- NaN
        return None
    return value


def value_key(value: Value) -> tuple[int, float | bytes]:
    """Sorts present values: numbers first, then texts."""
    if is_number(value):
        return 0, float(value)  # type: ignore[arg-type]
    return 1, natural_key(value_text(value))


def is_number(value: Any) -> bool:
    """Whether the page treats it as a number; flags are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def value_text(value: Value) -> str:
    """The text of a present value, as in JavaScript: `1` for 1.0, `1e-7`, `true`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number_text(float(value))
    return str(value)


def _number_text(number: float) -> str:
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    if 0 < point <= 21:
        text = text.ljust(point, "0")
        text = text[:point] + ("." + text[point:]) * (point < len(text))
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        text = text[0] + ("." + text[1:]) * (len(text) > 1) + f"e{point - 1:+d}"
    return "-" * sign + text
