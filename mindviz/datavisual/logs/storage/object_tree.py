"""ObjectTree: the objects below a URL as directories, as of the last listing.

One listing takes a request per 1,000 objects, of any name. Everything else reads from memory.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from mindviz.datavisual.logs.storage.bucket import (
    ObjectState,
    check_readable,
    file_status,
    located,
)
from mindviz.datavisual.logs.storage.file_system import FileSystem

_LISTING_SHARE = 0.05
"""Listings take at most this share of the time."""
_READERS = 16
"""Reading waits for the network, not for a core."""

Children = dict[str, ObjectState | None]
"""Name -> state of an object, or None for a directory."""


@dataclass(frozen=True, slots=True)
class ObjectEntry:
    """As `os.DirEntry`."""

    name: str
    is_directory: bool

    def is_dir(self) -> bool:
        """Whether objects are below it."""
        return self.is_directory

    def is_symlink(self) -> bool:
        """Never."""
        return False


class ObjectTree(FileSystem):
    """The objects below one URL."""

    is_local = False
    readers = _READERS

    def __init__(self, url: str) -> None:
        """Raises StartError if they cannot be listed."""
        check_readable(url)
        self.base_dir = url
        self._directories: dict[str, tuple[int, Children]] = {}
        """URL -> number of changes of its names, and what it holds."""

    def real_path(self) -> str:
        """As in `FileSystem`."""
        return self.base_dir

    def refresh(self) -> float:
        """As in `FileSystem`."""
        started = time.monotonic()
        bucket, prefix = located(self.base_dir)
        listed = bucket.list(prefix)
        seconds = time.monotonic() - started
        before = self._directories
        self._directories = {
            url: (_changes(before.get(url), children), children)
            for url, children in self._directories_of(listed, bucket.root).items()
        }
        return seconds / _LISTING_SHARE

    def stat(self, path: str) -> os.stat_result:
        """As in `FileSystem`."""
        directory = self._directories.get(path)
        if directory is not None:
            changes, _ = directory
            return file_status(stat.S_IFDIR, path, 0, changes, changes)
        parent, _, name = path.rpartition("/")
        _, children = self._directories.get(parent, (0, {}))
        state = children.get(name)
        if state is None:
            raise FileNotFoundError(errno.ENOENT, "No such object", path)
        return state.status(path)

    def scandir(self, path: str) -> AbstractContextManager[Iterator[ObjectEntry]]:
        """As in `FileSystem`."""
        if path not in self._directories:
            raise FileNotFoundError(errno.ENOENT, "No objects with this prefix", path)
        _, children = self._directories[path]
        return nullcontext(ObjectEntry(name, state is None) for name, state in children.items())

    def _directories_of(
        self, listed: Mapping[str, ObjectState], root: str
    ) -> Mapping[str, Children]:
        found: dict[str, Children] = {}
        for key, state in listed.items():
            parent, _, name = f"{root}/{key}".rpartition("/")
            if parent not in found:
                self._add_directory(found, parent)
            # Some tools write an empty object for each directory.
            found[parent].setdefault(name, state)
        return found

    def _add_directory(self, found: dict[str, Children], url: str) -> None:
        found[url] = {}
        while url != self.base_dir:
            parent, _, name = url.rpartition("/")
            is_new = parent not in found
            found.setdefault(parent, {})[name] = None
            if not is_new:
                return
            url = parent


def _changes(before: tuple[int, Children] | None, children: Children) -> int:
    if before is None:
        return time.time_ns()
    changes, known = before
    same = known.keys() == children.keys() and all(
        (known[name] is None) is (state is None) for name, state in children.items()
    )
    return changes if same else max(changes + 1, time.time_ns())
