"""Expression: a regular expression from a client, searched in linear time.

Python's `re` backtracks: `(a+)+$` may take exponential time. RE2's time is proportional to the
text, for every expression. See docs/decisions/dependencies.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mindviz.deadline import check
from mindviz.errors import InvalidQuery

MAX_CHARACTERS = 1000
MAX_MEMORY = 1 << 20
"""Bytes of an expression's automaton; also bounds the time per character, to two microseconds."""

_ONLY_IN_TEXTS = re.compile(r"\\[ACz]|\(\?[A-Za-z]*-")
"""What could match lines otherwise than texts: other anchors, bytes, and flags that are unset."""


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

    @property
    def is_for_lines(self) -> bool:
        """Whether `found_in_lines` finds what `search` does."""
        return _ONLY_IN_TEXTS.search(self._text) is None

    def found_in_lines(self, data: memoryview, start: int, end: int) -> Iterator[int]:
        """Where lines match, in UTF-8 from one start of a line to another; some lines repeatedly.

        For many texts, this takes a tenth of the time of `search` for each.
        """
        check()
        # Not after the last line break, where another line would begin.
        matches = _compile(f"(?m){self._text}", never_nl=True).finditer(data, start, end - 1)
        return (match.start() for match in matches)


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
