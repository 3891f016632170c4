"""Name arguments of `mindviz.open`: one name, several, patterns, or all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from mindviz.expression import Expression

Names: TypeAlias = str | re.Pattern[str] | Iterable[str | re.Pattern[str]] | None
"""A string is an exact name; a compiled pattern selects all names in which it is found."""

_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s"}


@dataclass(frozen=True, slots=True)
class NameChoice:
    """Exact names, and patterns in RE2's syntax."""

    exact: frozenset[str]
    patterns: tuple[str, ...] = ()

    @staticmethod
    def of(names: Names) -> NameChoice | None:
        """The choice; None for all. Raises TypeError for anything but strings and patterns."""
        if names is None:
            return None
        given = [names] if isinstance(names, str | re.Pattern) else list(names)
        for name in given:
            if not isinstance(name, str) and not _is_text_pattern(name):
                raise TypeError(f"{name!r} is neither a string nor a compiled pattern of strings.")
        return NameChoice(
            frozenset(name for name in given if isinstance(name, str)),
            tuple(_re2_syntax(name) for name in given if not isinstance(name, str)),
        )

    def resolved(self, known: Callable[[], Iterable[str]]) -> frozenset[str]:
        """The exact names, and the known names that match a pattern. Raises InvalidQuery."""
        if not self.patterns:
            return self.exact
        expressions = [Expression(pattern) for pattern in self.patterns]
        return self.exact | {name for name in known() if any(e.search(name) for e in expressions)}


def _is_text_pattern(name: object) -> bool:
    return isinstance(name, re.Pattern) and isinstance(name.pattern, str)


def _re2_syntax(pattern: re.Pattern[str]) -> str:
    flags = "".join(letter for flag, letter in _FLAGS.items() if pattern.flags & flag)
    return f"(?{flags}){pattern.pattern}" if flags else pattern.pattern


def full_train_id(name: str) -> str:
    """The id of a run; `./` is optional in `name`."""
    if name in ("", "."):
        return "./"
    return name if name.startswith("./") else f"./{name}"
