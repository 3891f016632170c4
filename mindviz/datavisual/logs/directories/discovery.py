"""Discovery: the train jobs below a base dir and their files, frozen; the result of a poll."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mindviz.datavisual.logs.formats import FileKind, LogFormat, log_formats
from mindviz.datavisual.logs.log_file import FileIdentity, LogFile
from mindviz.datavisual.logs.storage.file_system import log_file
from mindviz.datavisual.series.findings import Finding
from mindviz.errors import StartError


def joined(folder: str, entry: str) -> str:
    """The path of an entry of a folder."""
    return folder + entry if folder.endswith("/") else f"{folder}/{entry}"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One log file of a train job."""

    folder: str
    """Absolute, or a URL. For system calls: bytes that are not UTF-8 are surrogates."""
    shown_folder: str
    """Below the base dir, `/` separated, encoded by `readable`; empty for the base dir."""
    entry: str
    """The file's name in its folder, for system calls."""
    format: LogFormat
    kind: FileKind
    identity: FileIdentity
    boundary: str | None = None
    """As in `LogFile`."""

    @property
    def path(self) -> str:
        """Absolute, or a URL, as `folder`."""
        return joined(self.folder, self.entry)

    @property
    def name(self) -> str:
        """The last part of `relative_path`: it names writers and graphs."""
        return readable(self.entry)

    @property
    def relative_path(self) -> str:
        """Below the base dir, as `shown_folder`."""
        return f"{self.shown_folder}/{self.name}" if self.shown_folder else self.name

    @property
    def log_file(self) -> LogFile:
        """For reading it."""
        return log_file(self.path, self.boundary)

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle: formats have functions, so only their name is kept."""
        names = self.folder, self.shown_folder, self.entry
        return _unpickled, (self.format.name, names, self.identity, self.boundary)


def _unpickled(
    format_name: str, names: tuple[str, str, str], identity: FileIdentity, boundary: str | None
) -> FoundFile:
    for log_format in log_formats():
        kind = log_format.file_kind(names[2])
        if log_format.name == format_name and kind is not None:
            return FoundFile(*names, log_format, kind, identity, boundary)
    raise StartError(f"The log format {format_name!r} is not installed here.")


class FoundJob(Protocol):
    """A directory that directly holds log files, or a projector configuration. Immutable."""

    @property
    def train_id(self) -> str:
        """`./` and the path below the base dir, `/` separated, `readable`; `./` for itself."""

    @property
    def directory(self) -> str:
        """Absolute, for system calls."""

    @property
    def files(self) -> tuple[FoundFile, ...]:
        """Sorted by path.

        Empty for a projector configuration without logs, or if all files named like logs are
        unreadable: see `findings`.
        """

    @property
    def logs(self) -> Iterator[tuple[str, FileIdentity]]:
        """Name and identity of each of `files`."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Sorted by path."""

    @property
    def has_assets(self) -> bool:
        """Whether it has a projector configuration."""

    @property
    def assets_time(self) -> float:
        """Unix seconds of the configuration's last change; only for jobs without files."""

    @property
    def identity(self) -> int:
        """Of the directory, as `directory_identity`."""

    @property
    def stamp(self) -> int | None:
        """As `directory_stamp`; None if more than `files` may matter while it stays the same."""


@dataclass(frozen=True, slots=True)
class ExaminedJob:
    """A `FoundJob` whose directory was listed."""

    train_id: str
    directory: str
    files: tuple[FoundFile, ...]
    findings: tuple[Finding, ...]
    has_assets: bool = False
    assets_time: float = 0.0
    identity: int = field(default=0, compare=False)
    stamp: int | None = field(default=None, compare=False)

    @property
    def logs(self) -> Iterator[tuple[str, FileIdentity]]:
        """As in `FoundJob`."""
        return ((file.entry, file.identity) for file in self.files)


@dataclass(frozen=True, slots=True)
class Discovery:
    """The state of a base dir at one poll. Unchanged parts are the same objects as before."""

    jobs: Mapping[str, FoundJob]
    """By train_id."""
    changed: frozenset[str]
    """train_ids that are new, or whose files or findings changed."""
    removed: frozenset[str]
    """train_ids that disappeared."""
    findings: tuple[Finding, ...]
    """Findings that belong to no train job."""


_UNREADABLE = re.compile("[\udc80-\udcff]|%(?=25|[89A-F][0-9A-F])")


def readable(name: str) -> str:
    """A file name as unambiguous, encodable text.

    Bytes that are not UTF-8 become `%` and two capital hex digits, and a `%` that looks like such
    an escape becomes `%25`.
    """
    if name.isascii() and "%" not in name:
        return name
    return _UNREADABLE.sub(lambda found: f"%{ord(found.group()) & 0xFF:02X}", name)
