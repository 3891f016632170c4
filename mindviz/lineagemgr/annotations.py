"""Annotations: what people note about train jobs. Kept in the workspace, never beside the logs."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindviz.errors import InvalidAnnotation

if TYPE_CHECKING:
    from mindviz.lineagemgr.annotation_store import AnnotationStore

FILE_NAME = "annotations.sqlite3"
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


class Annotations:
    """The annotations of the jobs below one base dir. Any thread may call any method.

    They are kept by (real path of the base dir or URL of the experiment, train_id), so they outlive
    the process and the job's directory. Nothing is opened before the first use, and reading creates
    nothing.
    """

    def __init__(self, workspace: Path, summary_base_dir: str | Path) -> None:
        """Of the jobs below a base dir, or of those at a URL."""
        self._path = workspace / FILE_NAME
        is_url = "://" in str(summary_base_dir)
        path = summary_base_dir if is_url else os.path.realpath(summary_base_dir)
        # A database takes no bytes that are no UTF-8, a file system does.
        self._base_dir = os.fsencode(path).decode("utf-8", "backslashreplace")
        self._lock = threading.Lock()
        self._store: AnnotationStore | None = None

    def all(self) -> Mapping[str, Annotation]:
        """train_id -> annotation, for those that have one. Raises AnnotationsUnavailable."""
        if self._store is None and not self._path.exists():
            return {}
        return self._opened().all()

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Change these fields of a job's annotation, leave the others.

        Raises InvalidAnnotation, AnnotationsUnavailable.
        """
        checked = checked_changes(changes)
        if checked:
            self._opened().update(train_id, checked)

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _opened(self) -> AnnotationStore:
        with self._lock:
            if self._store is None:
                # SQLAlchemy takes its time to import, and most never note anything.
                from mindviz.lineagemgr.annotation_store import (  # noqa: PLC0415
                    AnnotationStore,
                )

                self._store = AnnotationStore(self._path, self._base_dir)
            return self._store
