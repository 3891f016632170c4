"""UnchangedJob: a train job that is as an earlier start left it, without an object per file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from mindviz.datavisual.logs.directories.discovery import ExaminedJob, FoundFile, joined
from mindviz.datavisual.logs.directories.log_entry import KnownFiles, recognize
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.series.findings import Finding

StatFile = Callable[[str], os.stat_result]


class KeptFiles(Protocol):
    """The files of a directory that had nothing else, as an earlier start found them."""

    @property
    def logs(self) -> Sequence[tuple[str, FileIdentity]]:
        """As in `FoundJob`."""

    @property
    def stamp(self) -> int:
        """As in `FoundJob`."""

    def are_all_in(self, identity: int, stamp: int) -> bool:
        """Whether no entries were added to or deleted from the directory since.

        With `directory_identity` and `directory_stamp`. The files themselves may have changed.
        """

    def unchanged_at(self, path: str, stat: StatFile, hot_ns: int) -> os.stat_result | None:
        """The status of the directory at a path, if it and its files are as they were.

        None also if a file was written after `hot_ns`.
        """


class Known(KnownFiles, Protocol):
    """Jobs that were read before."""

    def files_of(self, train_id: str) -> KeptFiles | None:
        """The files of a job, if nothing else mattered in its directory."""


class Folder(Protocol):
    """Where a directory is."""

    @property
    def path(self) -> str:
        """As `FoundFile.folder`."""

    @property
    def shown(self) -> str:
        """As `FoundFile.shown_folder`."""

    @property
    def identity(self) -> int:
        """As `directory_identity`."""


class UnchangedJob:
    """A `FoundJob` whose files are created on access: those of 100,000 jobs take 50 MB."""

    __slots__ = ("_boundary", "_folder", "kept", "train_id")

    has_assets = False
    assets_time = 0.0
    findings: tuple[Finding, ...] = ()

    def __init__(
        self, train_id: str, folder: Folder, kept: KeptFiles, boundary: str | None
    ) -> None:
        """`boundary` as in `LogFile`."""
        self.train_id = train_id
        self.kept = kept
        self._folder = folder
        self._boundary = boundary

    @property
    def directory(self) -> str:
        """As in `FoundJob`."""
        return self._folder.path

    @property
    def files(self) -> tuple[FoundFile, ...]:
        """As in `FoundJob`."""
        place = self._folder.path, self._folder.shown
        return tuple(
            FoundFile(*place, name, *match, identity, self._boundary)
            for name, identity in self.logs
            if (match := recognize(name)) is not None
        )

    @property
    def logs(self) -> Iterator[tuple[str, FileIdentity]]:
        """As in `FoundJob`."""
        return iter(self.kept.logs)

    @property
    def identity(self) -> int:
        """As in `FoundJob`."""
        return self._folder.identity

    @property
    def stamp(self) -> int:
        """As in `FoundJob`."""
        return self.kept.stamp

    def __eq__(self, other: object) -> bool:
        if isinstance(other, UnchangedJob):
            return self is other or self._examined == other._examined
        return self._examined == other if isinstance(other, ExaminedJob) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._examined)

    @property
    def _examined(self) -> ExaminedJob:
        return ExaminedJob(self.train_id, self.directory, self.files, ())


def are_unchanged(folder: str, logs: Iterable[tuple[str, FileIdentity]], stat: StatFile) -> bool:
    """Whether all `FoundJob.logs` are in a folder."""
    try:
        for name, known in logs:
            if not known.is_of(stat(joined(folder, name))):
                return False
    except OSError:
        return False
    return True
