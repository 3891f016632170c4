"""SavedView: a view of the page under a name, and its validation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mindviz.errors import InvalidAnnotation
from mindviz.lineagemgr.annotation import check_flag, check_text

MAX_NAME = 100
MAX_QUERY = 60_000
"""Browsers and our own server accept URLs of 64 KiB."""
MAX_VIEWS = 1_000
"""Per base dir."""
REQUIRED = frozenset({"name", "page", "query"})
_PAGE = re.compile(r"[a-z_]{1,40}")
_ID = re.compile(r"[0-9a-z]{8,32}")


@dataclass(frozen=True, slots=True)
class SavedView:
    """A view: a page and the state in its URL."""

    view_id: str
    """Selected by the client, so that a deleted view can be restored."""
    name: str
    """Unique in a base dir."""
    page: str
    query: str
    """Of the page's URL, without the question mark."""
    is_default: bool = False
    """Whether the page starts with this view; at most one of a base dir."""


def checked_view_changes(view_id: str, changes: Any) -> dict[str, Any]:
    """The changes of a view, if valid. Raises InvalidAnnotation."""
    if not _ID.fullmatch(view_id):
        raise InvalidAnnotation("A view's id has 8 to 32 characters of 0-9 and a-z.")
    if not isinstance(changes, Mapping):
        raise InvalidAnnotation("The body must be a JSON object.")
    for field, value in changes.items():
        if field == "name":
            check_text(field, value, MAX_NAME)
            if not value.strip() or not value.isprintable():
                raise InvalidAnnotation("'name' must be one line of visible characters.")
        elif field == "page":
            check_text(field, value, MAX_NAME)
            if not _PAGE.fullmatch(value):
                raise InvalidAnnotation("'page' must be the name of a page, such as scalar.")
        elif field == "query":
            check_text(field, value, MAX_QUERY)
        elif field == "is_default":
            check_flag(field, value)
        else:
            raise InvalidAnnotation(
                f"Unknown field {field!r}. Fields: name, page, query, is_default."
            )
    return dict(changes)
