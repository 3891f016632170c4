"""FileSystem: the names, times and sizes of the files below a base dir, wherever they are.

Paths of local files are absolute; those of objects are URLs.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from mindviz.datavisual.logs.log_file import LogFile
from mindviz.object_url import is_object_url


class Entry(Protocol):
    """An entry of a directory: the part of `os.DirEntry` that discovery uses."""

    @property
    def name(self) -> str:
        """Without the directory."""

    def is_dir(self) -> bool:
        """Whether it is or leads to a directory. Raises OSError."""

    def is_symlink(self) -> bool:
        """Whether it is a symbolic link."""


class FileSystem(ABC):
    """The files below one base dir. Methods raise OSError."""

    base_dir: str
    """Without a trailing slash."""
    is_local: bool
    readers: int | None = None
    """Number of files to read at a time; None: one per core, of which one is small."""

    def refresh(self) -> float:
        """Update what the other methods return; the seconds until this may be repeated."""
        return 0.0

    @abstractmethod
    def real_path(self) -> str:
        """The base dir without symbolic links."""

    @abstractmethod
    def stat(self, path: str) -> os.stat_result:
        """As `os.stat`."""

    @abstractmethod
    def scandir(self, path: str) -> AbstractContextManager[Iterator[Entry]]:
        """As `os.scandir`."""


class LocalFiles(FileSystem):
    """Files of the system."""

    is_local = True

    def __init__(self, base_dir: str) -> None:
        self.base_dir = os.path.abspath(base_dir)

    def real_path(self) -> str:
        """As in `FileSystem`."""
        return os.path.realpath(self.base_dir, strict=True)

    def stat(self, path: str) -> os.stat_result:
        """As in `FileSystem`."""
        return os.stat(path)

    def scandir(self, path: str) -> AbstractContextManager[Iterator[Entry]]:
        """As in `FileSystem`."""
        return os.scandir(path)


def file_system(base_dir: str | os.PathLike[str]) -> FileSystem:
    """The files below a directory or a URL. Raises StartError if objects cannot be listed."""
    if isinstance(base_dir, Path) or not is_object_url(base_dir):
        return LocalFiles(os.fspath(base_dir))
    from mindviz.datavisual.logs.storage.object_tree import ObjectTree  # noqa: PLC0415 - an extra

    return ObjectTree(base_dir)


def log_file(path: str, boundary: str | None = None) -> LogFile:
    """The log at a path or URL; `boundary` as in `LogFile`."""
    if path.startswith("/") and not is_object_url(boundary):
        return LogFile(path, boundary)
    from mindviz.datavisual.logs.storage.log_object import LogObject  # noqa: PLC0415 - an extra

    return LogObject(path, boundary)
