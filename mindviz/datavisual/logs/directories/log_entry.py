"""LogEntry: a directory entry that is named like a log."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from mindviz.datavisual.logs.directories.discovery import FoundFile, joined, readable
from mindviz.datavisual.logs.formats import HEAD_SIZE, FileKind, LogFormat, log_formats
from mindviz.datavisual.logs.log_file import FileIdentity, is_gone, is_text
from mindviz.datavisual.logs.storage.file_system import log_file
from mindviz.datavisual.series.findings import Finding, FindingKind

_SMALL = 1024
"""Bytes. Smaller files are checked for text: git-lfs pointers are never larger."""


def recognize(name: str) -> tuple[LogFormat, FileKind] | None:
    """The format and kind of a file by its name; None if none.

    A format that is certain by the name takes precedence over one that must read the file.
    """
    unsure = None
    for log_format in log_formats():
        kind = log_format.file_kind(name)
        if kind is not None:
            if kind.is_wanted is None:
                return log_format, kind
            unsure = unsure or (log_format, kind)
    return unsure


def unreadable(path: str, error: OSError) -> Finding:
    """The finding of an unreadable file or directory."""
    reason = error.strerror or str(error)
    return Finding(FindingKind.UNREADABLE, path, detail=f"It cannot be read: {reason}.")


class KnownFiles(Protocol):
    """Logs that were read before."""

    def knows(self, file: FoundFile) -> bool:
        """Whether exactly this file was read as a log."""


@dataclass(frozen=True, slots=True)
class Territory:
    """Where symbolic links may lead."""

    root: str
    """The base dir, without symbolic links in its path."""
    follow_external_links: bool

    @property
    def boundary(self) -> str | None:
        """As in `LogFile`."""
        return None if self.follow_external_links else self.root

    def admits(self, path: str) -> bool:
        """Whether the target of `path` may be read."""
        if self.follow_external_links:
            return True
        real = os.path.realpath(path)
        return real == self.root or real.startswith(self.root.rstrip("/") + "/")


class LogEntry:
    """A directory entry that is named like a log."""

    __slots__ = (
        "_identity",
        "_is_wanted",
        "_was_wanted",
        "boundary",
        "finding",
        "folder",
        "format",
        "found",
        "gone",
        "hot_until",
        "is_link",
        "kind",
        "name",
        "shown_folder",
    )

    def __init__(
        self,
        folder: str,
        shown_folder: str,
        name: str,
        log_format: LogFormat,
        kind: FileKind,
        *,
        is_link: bool,
        boundary: str | None = None,
    ) -> None:
        self.folder = folder
        self.shown_folder = shown_folder
        """Below the base dir, readable."""
        self.name = name
        self.format = log_format
        self.kind = kind
        self.is_link = is_link
        self.boundary = boundary
        """As in `LogFile`."""
        self.found: FoundFile | None = None
        """None if it is no log file; `finding` says why."""
        self.finding: Finding | None = None
        self.hot_until = 0.0
        """Monotonic seconds until which it is checked on every poll."""
        self.gone = False
        """Whether it was deleted since the directory was listed."""
        self._identity: FileIdentity | None = None
        self._is_wanted: bool | None = None
        self._was_wanted = False

    @classmethod
    def of(cls, file: FoundFile) -> LogEntry:
        """The entry of a file that is a log, and no link."""
        place = file.folder, file.shown_folder, file.entry
        entry = cls(*place, file.format, file.kind, is_link=False, boundary=file.boundary)
        entry.found, entry._identity = file, file.identity
        entry._is_wanted = entry._was_wanted = True
        return entry

    @property
    def path(self) -> str:
        """For system calls."""
        return joined(self.folder, self.name)

    @property
    def shown(self) -> str:
        """Below the base dir, readable."""
        name = readable(self.name)
        return f"{self.shown_folder}/{name}" if self.shown_folder else name

    @property
    def is_undecided(self) -> bool:
        """Whether its content must be read, which has failed so far."""
        return (
            self.kind.is_wanted is not None and self.found is not None and self._is_wanted is None
        )

    def refresh(
        self,
        territory: Territory | None = None,
        stat_file: Callable[[str], os.stat_result] = os.stat,
        known: KnownFiles | None = None,
    ) -> bool:
        """Update it; whether anything changed. With a territory, links are checked, too."""
        before = self.found, self.finding
        if territory is not None and self.is_link and not territory.admits(self.path):
            self._identity = self.found = None
            self.finding = Finding(
                FindingKind.OUTSIDE,
                self.shown,
                detail="It is a link that leads out of the base dir, and was not followed.",
            )
            return before != (self.found, self.finding)
        try:
            status = stat_file(self.path)
        except OSError as error:
            self._identity = None
            self.finding = unreadable(self.shown, error)
            # Known data of an unreachable file is kept.
            if is_gone(error):
                self.found = None
                self.gone = not self.is_link
            return before != (self.found, self.finding)
        identity = FileIdentity.of(status)
        if identity == self._identity:
            return False
        self._identity = identity
        if identity.size and known is not None and known.knows(self._file(identity)):
            self._is_wanted, self.finding = True, None
            self._accept(identity)
        else:
            self._is_wanted = None
            self._judge(identity, is_regular=stat.S_ISREG(status.st_mode))
        return True

    def heat(self, hot_seconds: float) -> float:
        """Seconds for which it is checked on every poll, once it has changed."""
        if self.found is None:
            return hot_seconds
        # The clocks of file servers may differ; a time in the future counts as now.
        age = max(0.0, time.time() - self.found.identity.mtime_ns / 1e9)
        return hot_seconds - age

    def is_wanted(self) -> bool:
        """Whether the content shows a log, if the name is not enough."""
        if self.kind.is_wanted is None:
            return True
        if self.found is None:
            return False
        if self._is_wanted is None:
            try:
                self._is_wanted = self.kind.is_wanted(self._head(HEAD_SIZE))
            except OSError:
                return self._was_wanted  # retried at the next check
            self._was_wanted = self._is_wanted
        return self._is_wanted

    def _judge(self, identity: FileIdentity, *, is_regular: bool) -> None:
        self.finding = None
        if not is_regular:
            self._reject("It is named like a log, but is no regular file.")
        elif identity.size == 0:
            self._accept(identity)
            self.finding = Finding(FindingKind.NOT_A_LOG, self.shown, detail="The file is empty.")
        elif self.kind.schema is not None and identity.size < _SMALL and self._holds_text():
            self._reject("It is named like a log, but holds text.")
        else:
            self._accept(identity)

    def _holds_text(self) -> bool:
        try:
            return is_text(self._head(8))
        except OSError:
            return False  # reported by the loader

    def _head(self, size: int) -> bytes:
        return log_file(self.path, self.boundary).head(size)

    def _accept(self, identity: FileIdentity) -> None:
        self.found = self._file(identity)

    def _file(self, identity: FileIdentity) -> FoundFile:
        place = self.folder, self.shown_folder, self.name
        return FoundFile(*place, self.format, self.kind, identity, self.boundary)

    def _reject(self, detail: str) -> None:
        self.found = None
        self.finding = Finding(FindingKind.NOT_A_LOG, self.shown, detail=detail)
