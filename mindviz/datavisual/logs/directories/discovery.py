"""Discovery: which train jobs lie below a base dir, with which files. Frozen; what polls answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mindviz.datavisual.logs.formats import FileKind, LogFormat
from mindviz.datavisual.logs.log_file import FileIdentity, LogFile
from mindviz.datavisual.series.findings import Finding


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One log file of a train job."""

    path: str
    """Absolute, as the system wants it (bytes that are no UTF-8 are surrogates)."""
    relative_path: str
    """Below the base dir, `/` separated, as `readable` shows it."""
    name: str
    """The last part of `relative_path`: it names writers and graphs."""
    format: LogFormat
    kind: FileKind
    identity: FileIdentity
    boundary: str | None = None
    """As in `LogFile`."""

    @property
    def log_file(self) -> LogFile:
        """For reading it."""
        return LogFile(self.path, self.boundary)


@dataclass(frozen=True, slots=True)
class FoundJob:
    """A directory that directly holds log files."""

    train_id: str
    """`./` and the path below the base dir, `/` separated, `readable`; `./` for the base dir."""
    directory: str
    """Absolute, as the system wants it."""
    files: tuple[FoundFile, ...]
    """Sorted by path. None, if what is named like a log in there is none: `findings` says why."""
    findings: tuple[Finding, ...]
    """Sorted by path."""
    has_assets: bool = False
    """Whether a projector configuration is there."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The state of a base dir at one poll. What did not change is the same object as before."""

    jobs: Mapping[str, FoundJob]
    """By train_id."""
    changed: frozenset[str]
    """train_ids that are new or whose files or findings changed since the previous poll."""
    removed: frozenset[str]
    """train_ids of the previous poll that are gone."""
    findings: tuple[Finding, ...]
    """Of the base dir itself, and of what lies in it but belongs to no train job."""


_UNREADABLE = re.compile("[\udc80-\udcff]|%(?=25|[89A-F][0-9A-F])")


def readable(name: str) -> str:
    """A file name that can be encoded and told from all others.

    Names on disk are bytes. Those that are no UTF-8 are written `%` and two capital hex digits; a
    `%` that could be taken for the start of such a byte is written `%25`. Others stay as they are.
    """
    if name.isascii() and "%" not in name:
        return name
    return _UNREADABLE.sub(lambda found: f"%{ord(found.group()) & 0xFF:02X}", name)
