"""Expression: a regular expression that somebody asks for, searched in time that its texts bound.

Python's own `re` tries one way after the other: `(a+)+$` takes longer than anybody lives. RE2 takes
time proportional to the text, whatever the expression. Why it: docs/decisions/dependencies.md
"""

from __future__ import annotations

from typing import Any

from mindviz.deadline import check
from mindviz.errors import InvalidQuery

MAX_CHARACTERS = 1000
MAX_MEMORY = 1 << 20
"""Bytes of an expression's automaton. It bounds, too, what a character costs: two microseconds."""


class Expression:
    """A regular expression in RE2's syntax: that of `re`, without lookaround and references."""

    __slots__ = ("_search",)

    def __init__(self, text: str) -> None:
        """Raises InvalidQuery."""
        if len(text) > MAX_CHARACTERS:
            raise InvalidQuery(f"An expression has at most {MAX_CHARACTERS} characters.")
        self._search = _compiled(text).search

    def search(self, text: str) -> bool:
        """Whether it is found anywhere in the text. Raises as `deadline.check`."""
        check()  # here, as every caller searches as many texts as logs have
        return self._search(_encodable(text)) is not None


def _compiled(text: str) -> Any:
    # Imported when an expression is asked for: no start should wait for it.
    import re2  # noqa: PLC0415

    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    try:
        return re2.compile(_encodable(text), options)
    except re2.error as error:
        reason = error.args[0]
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise InvalidQuery(f"{text[:200]!r} is no regular expression: {reason}.") from None


def _encodable(text: str) -> str:
    """The text without halves of surrogates, which have no UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
