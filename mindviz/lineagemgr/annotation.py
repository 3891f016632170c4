"""Annotation: a user's notes about one train job, and their validation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from mindviz.errors import InvalidAnnotation

MAX_TAG = 10
MAX_REMARK = 128
MAX_NOTES = 100_000
MAX_GROUP = 128
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """The notes about one job; None if missing."""

    tag: int | None = None
    """0 to 10; part of MindInsight's contract."""
    remark: str | None = None
    """Up to 128 characters; part of MindInsight's contract."""
    notes: str | None = None
    """Text, which may be Markdown."""
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
"""Fields in MindInsight's contract."""


def check_text(name: str, value: Any, limit: int) -> None:
    """Raise InvalidAnnotation unless the value is a text of at most `limit` characters."""
    if not isinstance(value, str):
        raise InvalidAnnotation(f"{name!r} must be a string.")
    if len(value) > limit:
        raise InvalidAnnotation(f"{name!r} is longer than {limit} characters.")
    if not _is_storable(value):
        raise InvalidAnnotation(f"{name!r} contains a null character or a lone surrogate.")


def _text(limit: int) -> Callable[[str, Any], None]:
    return partial(check_text, limit=limit)


def _is_storable(text: str) -> bool:
    try:
        return "\0" not in text and bool(text.encode("utf-8") or True)
    except UnicodeEncodeError:  # a lone surrogate
        return False


def _tag(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidAnnotation(f"{name!r} must be an integer.")
    if not 0 <= value <= MAX_TAG:
        raise InvalidAnnotation(f"{name!r} must be from 0 to {MAX_TAG}.")


def check_flag(name: str, value: Any) -> None:
    """Raise InvalidAnnotation unless the value is a boolean."""
    if not isinstance(value, bool):
        raise InvalidAnnotation(f"{name!r} must be true or false.")


def _color(name: str, value: Any) -> None:
    if not isinstance(value, str) or not _COLOR.fullmatch(value):
        raise InvalidAnnotation(f"{name!r} must be a color such as #1f77b4.")


_CHECKS: Mapping[str, Callable[[str, Any], None]] = {
    "tag": _tag,
    "remark": _text(MAX_REMARK),
    "notes": _text(MAX_NOTES),
    "hidden": check_flag,
    "pinned": check_flag,
    "colour": _color,
    "group": _text(MAX_GROUP),
}


def checked_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, if valid. None clears a field, except those of the contract.

    Raises InvalidAnnotation.
    """
    for name, value in changes.items():
        if name not in _CHECKS:
            fields_text = ", ".join(ANNOTATION_FIELDS)
            raise InvalidAnnotation(f"Unknown field {name!r}. Fields: {fields_text}.")
        if value is not None or name in CONTRACT_FIELDS:
            _CHECKS[name](name, value)
    return dict(changes)
