"""Annotation: what people note about one train job, and what can be noted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from mindviz.errors import InvalidAnnotation

MAX_TAG = 10
MAX_REMARK = 128
MAX_NOTES = 100_000
MAX_GROUP = 128
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is noted about one job; None where nothing is."""

    tag: int | None = None
    """0 to 10; the contract's."""
    remark: str | None = None
    """Up to 128 characters; the contract's."""
    notes: str | None = None
    """Any text, Markdown perhaps."""
    hidden: bool | None = None
    pinned: bool | None = None
    colour: str | None = None
    """`#rrggbb`."""
    group: str | None = None
    """The name of a group of jobs."""


NO_ANNOTATION = Annotation()
ANNOTATION_FIELDS = tuple(field.name for field in fields(Annotation))
FLAGS = frozenset({"hidden", "pinned"})
CONTRACT_FIELDS = ("tag", "remark")
"""Those that the contract knows."""


def _text(limit: int) -> Callable[[str, Any], None]:
    def check(name: str, value: Any) -> None:
        if not isinstance(value, str):
            raise InvalidAnnotation(f"{name!r} must be a string.")
        if len(value) > limit:
            raise InvalidAnnotation(f"{name!r} is longer than {limit} characters.")
        if not _is_storable(value):
            raise InvalidAnnotation(f"{name!r} is no text that can be stored.")

    return check


def _is_storable(text: str) -> bool:
    try:
        return "\0" not in text and bool(text.encode("utf-8") or True)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False


def _tag(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidAnnotation(f"{name!r} must be an integer.")
    if not 0 <= value <= MAX_TAG:
        raise InvalidAnnotation(f"{name!r} goes from 0 to {MAX_TAG}.")


def _flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise InvalidAnnotation(f"{name!r} must be true or false.")


def _colour(name: str, value: Any) -> None:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise InvalidAnnotation(f"{name!r} must be a colour like #1f77b4.")


_CHECKS: Mapping[str, Callable[[str, Any], None]] = {
    "tag": _tag,
    "remark": _text(MAX_REMARK),
    "notes": _text(MAX_NOTES),
    "hidden": _flag,
    "pinned": _flag,
    "colour": _colour,
    "group": _text(MAX_GROUP),
}


def checked_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, if they can be made. Null takes back what only we know.

    Raises InvalidAnnotation.
    """
    for name, value in changes.items():
        if name not in _CHECKS:
            raise InvalidAnnotation(f"{name!r} is none of {', '.join(ANNOTATION_FIELDS)}.")
        if value is not None or name in CONTRACT_FIELDS:
            _CHECKS[name](name, value)
    return dict(changes)
