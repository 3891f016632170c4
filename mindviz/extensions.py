"""Objects that other installed distributions add to mindviz, by entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from mindviz.errors import StartError

T = TypeVar("T")


def extensions(group: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    """(where it is defined, the object) for each entry point of the group, sorted by name.

    Raises StartError if one cannot be loaded or is not a `kind`.
    """
    if not _is_declared(group):
        return
    from importlib.metadata import entry_points  # noqa: PLC0415

    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            found = point.load()
        except Exception as error:
            raise StartError(f"{point.value} ({group}) cannot be loaded: {error!r}.") from error
        if not isinstance(found, kind):
            raise StartError(f"{point.value} ({group}) is not a mindviz {kind.__name__}.")
        yield point.value, found


def _is_declared(group: str) -> bool:
    """Whether any installed distribution has such entry points.

    Usually none has. Finding that out this way takes under a millisecond; importing
    `importlib.metadata` and reading everything takes 40, during which no log is being read.
    """
    section = f"[{group}]"
    for folder in map(Path, sys.path):
        for pattern in ("*.dist-info", "*.egg-info"):
            for file in folder.glob(f"{pattern}/entry_points.txt"):
                if section in file.read_text("utf-8", "replace"):
                    return True
    return False
