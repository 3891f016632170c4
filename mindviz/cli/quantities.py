"""Formats sizes, counts, durations and untrusted text for a terminal."""

from __future__ import annotations

_UNITS = ("B", "KB", "MB", "GB", "TB", "PB")


def size_text(size: int) -> str:
    """`214 MB`, `1.3 GB`: decimal units, two or three digits."""
    amount = float(size)
    for unit in _UNITS:
        if amount < 999.5 or unit == _UNITS[-1]:
            break
        amount /= 1000
    digits = 1 if amount < 9.95 and unit != "B" else 0
    return f"{amount:.{digits}f} {unit}"


def count_text(count: int, noun: str = "", plural: str = "") -> str:
    """`1 run`, `4,000,000 points`."""
    if not noun:
        return f"{count:,}"
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def seconds_text(seconds: float) -> str:
    """`0.12 s`, `3.4 s`, `2 min 5 s`."""
    if seconds >= 60:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest} s"
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"


def printable(text: str, limit: int = 60) -> str:
    """`text` in at most `limit` characters, with unprintable ones escaped.

    Tags and paths may contain escape sequences, newlines, bidirectional marks or lone surrogates.
    """
    if len(text) > limit:
        head = text[: limit - limit // 3 - 1]
        text = f"{head}\N{HORIZONTAL ELLIPSIS}{text[-(limit // 3) :]}"
    if text.isprintable():
        return text
    escaped = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    short = "".join(escaped)
    return short if len(short) <= limit else short[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
