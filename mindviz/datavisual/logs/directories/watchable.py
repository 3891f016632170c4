"""Watchable: directories for which the system can report changes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from mindviz.datavisual.logs.directories.log_directory import LogDirectory, is_utf8


class Watchable(NamedTuple):
    """Absolute paths of directories for which the system can report changes."""

    trees: tuple[str, ...]
    """Watched with everything below them."""
    alone: tuple[str, ...]
    """Watched without their subdirectories."""


def watchable(base: LogDirectory, irregular: Collection[LogDirectory]) -> Watchable:
    """Directories for watchfiles: whole trees where possible, else one by one.

    In a tree it follows all links, even to the root of the file system, and fails at names that
    are not UTF-8. So directories with such a link or name, and their ancestors, are alone: they are
    `irregular`.
    """
    alone = {
        ancestor
        for directory in irregular
        if directory.outside or not directory.all_utf8
        for ancestor in directory.lineage()
    }
    if not alone:
        return Watchable((base.path,), ())
    trees = (
        child.path
        for directory in alone
        for child in directory.subdirectories.values()
        if child not in alone and not child.is_link
    )
    return Watchable(
        tuple(sorted(filter(is_utf8, trees))),
        tuple(sorted(directory.path for directory in alone if is_utf8(directory.path))),
    )
