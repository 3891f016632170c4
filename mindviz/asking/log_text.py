"""Text from logs as it appears in answers: without control characters or HTML."""

from __future__ import annotations

import re

LONGEST = 200
"""Characters of a name or value."""
_RESERVED = frozenset({"", "of", "sort", "desc"})
"""The run in the base dir itself, and words of questions."""
_MARKUP = re.compile(r"<(?![ =0-9.+\-])")
"""What can begin an element of HTML, unlike the `<` of `lr < 0.1`."""
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def log_text(text: str, limit: int = LONGEST) -> str:
    r"""`text` on one line in at most `limit` characters, longer ones cut in the middle.

    Unprintable characters, and `<` where an element could begin, are escaped as in Python: `\x1b`,
    `\x3c`. Terminals then see no escape sequences, and pages that show an answer no elements.
    """
    if len(text) > limit:
        tail = limit // 3
        text = f"{text[: limit - tail - 1]}{_ELLIPSIS}{text[-tail:]}"
    return _MARKUP.sub(r"\\x3c", without_controls(text))


def run_name(train_id: str) -> str:
    """The name of a run in answers and questions, without the `./` of its id."""
    name = train_id.removeprefix("./")
    return log_text(train_id if name in _RESERVED or name.startswith("-") else name)


def without_controls(text: str) -> str:
    """`text` with unprintable characters escaped."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode()
