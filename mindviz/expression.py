"""Expression: a regular expression from a client, searched in linear time.

Python's `re` backtracks: `(a+)+$` may take exponential time. RE2's time is proportional to the
text, for every expression. See docs/decisions/dependencies.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from mindviz.deadline import check
from mindviz.errors import InvalidQuery

MAX_CHARACTERS = 1000
MAX_MEMORY = 1 << 20
"""Bytes of an expression's automaton; also bounds the time per character, to two microseconds."""

_NOT_FOR_LINES = re.compile(r"\\[ACQz]|\(\?[A-Za-z]*-")
"""Anchors of texts, bytes, quotes without an end, and flags that are unset."""

FindLines = Callable[[memoryview, int, int], Iterator[int]]
"""Finds where the lines of UTF-8 match, from one start of a line to another."""


class Expression:
    """A regular expression in RE2's syntax: that of `re` without lookaround and backreferences."""

    __slots__ = ("_search", "_text")

    def __init__(self, text: str) -> None:
        """Raises InvalidQuery."""
        if len(text) > MAX_CHARACTERS:
            raise InvalidQuery(f"An expression has at most {MAX_CHARACTERS} characters.")
        self._text = text
        self._search = _compile(text).search

    def search(self, text: str) -> bool:
        """Whether any part of the text matches. Raises as `deadline.check`."""
        check()  # callers search any number of texts
        return self._search(_encodable(text)) is not None

    def for_lines(self) -> FindLines | None:
        """Searches many lines at once, which is faster than `search` of each.

        None if it might find others.
        """
        if _NOT_FOR_LINES.search(self._text):
            return None
        try:
            # A match takes the rest of its line, so that this is not searched again.
            find = _compile(f"(?m)(?:{self._text}).*", never_nl=True).finditer
        except InvalidQuery:  # it is larger than the expression itself
            return None

        def found(data: memoryview, start: int, end: int) -> Iterator[int]:
            check()
            # Not after the last line break, where another line would begin.
            return (match.start() for match in find(data, start, end - 1))

        return found


def _compile(text: str, *, never_nl: bool = False) -> Any:
    """With `never_nl`, nothing matches a line break."""
    import re2  # noqa: PLC0415 - imported on first use, for a short startup

    options = re2.Options()
    options.never_nl = never_nl
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    try:
        return re2.compile(_encodable(text), options)
    except re2.error as error:
        reason = error.args[0]
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise InvalidQuery(f"{text[:200]!r} is no regular expression: {reason}.") from None


def _encodable(text: str) -> str:
    """The text with lone surrogates replaced, which UTF-8 cannot encode."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
