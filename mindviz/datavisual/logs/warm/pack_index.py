"""PackIndex: the files and jobs of a pack, and where their states are.

Paths are JSON, everything else is rows of bytes: 100,000 files as Python numbers take 70 MB. The
jobs of an index stay in these rows, also once they are loaded.
"""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.directories.unchanged_job import StatFile
from mindviz.datavisual.logs.log_file import IDENTITY_SIZE, FileIdentity, identity_bytes
from mindviz.datavisual.logs.warm.kept_job import (
    PLACE_SIZE,
    ROW_SIZE,
    ROWS,
    WHOLE_ROW,
    KeptJob,
    Rows,
    Traits,
    listed_traits,
    place_bytes,
    traits_of,
    unpacked_place,
)
from mindviz.datavisual.logs.warm.pack import Column, DamagedPack, Place, Section
from mindviz.datavisual.series.columns import Int64s

_FILE_SIZE = IDENTITY_SIZE + PLACE_SIZE
_JOB = struct.Struct("<3I32s")
"""Its traits, its first file, the end of its files, and its `directory_bytes`."""
_FILES = np.dtype([("identity", f"V{IDENTITY_SIZE}"), ("offset", "<i8"), ("place", "V16")])
_JOBS = np.dtype([("traits", "<u4"), ("first", "<u4"), ("end", "<u4"), ("directory", "V32")])
"""The same as columns."""
_DIRECTORY = struct.Struct("<3Qq")
_LOW = (1 << 64) - 1


class KeptState(NamedTuple):
    """Where the state of a log file is."""

    of: tuple[str, str]
    """Path and relative path."""
    identity: FileIdentity
    place: Place


class JobStates(NamedTuple):
    """Files of a train job."""

    train_id: str
    states: Sequence[KeptState]
    job: KeptJob | None
    """If these are all its files."""
    directory: bytes
    """As `directory_bytes`."""


class PackIndex:
    """The index of one pack."""

    def __init__(self, pack: str, section: Section) -> None:
        """Raises DamagedPack if it is of another version."""
        self.pack = pack
        document = section.document
        paths: Sequence[str] = document["paths"]
        names = [path.rpartition("/")[2] for path in paths]
        self._names = "".join(names)
        self._ends = array("I", accumulate(map(len, names), initial=0))
        self._homes: tuple[str, ...] = (pack,)
        self._relative: int | list[str] = document["relative"]
        self._files, self._jobs, self.rows = (column.tobytes() for column in section.columns)
        """`rows` are those of `KeptJob.row`."""
        jobs = len(document["train_ids"])
        sizes = len(self._files), len(self._jobs), len(self.rows)
        if sizes != (len(paths) * _FILE_SIZE, jobs * _JOB.size, jobs * ROW_SIZE):
            raise DamagedPack(pack)
        distinct = [traits_of(listed) for listed in document["traits"]]
        self.traits: Sequence[Traits] = [
            distinct[kind] for kind, *_ in _JOB.iter_unpack(self._jobs)
        ]
        """Of each job."""

    @staticmethod
    def section(jobs: Sequence[JobStates], document: dict[str, Any]) -> Section:
        """The index of a pack with these states, which also has what is in `document`."""
        traits: dict[int, int] = {}
        listed: list[Sequence[Any]] = []
        train_ids, places, rows = [], [], []
        states = [state for of_job in jobs for state in of_job.states]
        first = 0
        for train_id, of_job, job, directory in jobs:
            end = first + len(of_job)
            if job is not None:
                kind = traits.setdefault(id(job.traits), len(traits))
                if kind == len(listed):
                    listed.append(listed_traits(job.traits))
                train_ids.append(train_id)
                places.append(_JOB.pack(kind, first, end, directory))
                rows.append(job.row)
            first = end
        files = [state.identity + place_bytes(state.place) for state in states]
        document |= {
            "paths": [state.of[0] for state in states],
            "relative": _relative([state.of for state in states]),
            "train_ids": train_ids,
            "traits": listed,
        }
        return Section(document, tuple(map(_column, (files, places, rows))))

    # Files --------------------------------------------------------------------------------------

    def identity(self, number: int) -> FileIdentity:
        """Of a file, when its state was kept."""
        return FileIdentity(self._part(number, 0, IDENTITY_SIZE))

    def is_of(self, number: int, status: os.stat_result) -> bool:
        """As `FileIdentity.is_of`."""
        first = number * _FILE_SIZE
        return self._files[first : first + IDENTITY_SIZE] == identity_bytes(status)

    def place(self, number: int) -> Place:
        """The state of a file."""
        return unpacked_place(self.pack, self.place_bytes(number))

    def place_bytes(self, number: int) -> bytes:
        """The place of a state, as `place_bytes`."""
        return self._part(number, IDENTITY_SIZE, _FILE_SIZE)

    def name(self, number: int) -> str:
        """The last part of the path of a file."""
        return self._names[self._ends[number] : self._ends[number + 1]]

    def is_at(self, number: int, path: str, found: FoundFile) -> bool:
        """Whether a file found at the same path has the same relative path."""
        return self.relative(number, path) == found.relative_path

    def relative(self, number: int, path: str) -> str:
        """The relative path of a file."""
        known = self._relative
        return known[number] if isinstance(known, list) else path[known:]

    def _part(self, number: int, start: int, end: int) -> bytes:
        first = number * _FILE_SIZE
        return self._files[first + start : first + end]

    # Jobs ---------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of files."""
        return len(self._ends) - 1

    def files_of_jobs(self) -> AbstractSet[int]:
        """All files of jobs."""
        rows = _JOB.iter_unpack(self._jobs)
        return {file for _, first, end, _ in rows for file in range(first, end)}

    def files_of(self, number: int) -> range:
        """The files of a job."""
        _, first, end, _ = _JOB.unpack_from(self._jobs, number * _JOB.size)
        return range(first, end)

    @property
    def origins(self) -> Int64s:
        """For each job, the offset of its first file in the pack."""
        first = np.frombuffer(self._jobs, _JOBS)["first"]
        offsets: Int64s = np.frombuffer(self._files, _FILES)["offset"][first]
        return offsets

    def directory(self, number: int) -> bytes:
        """The `directory_bytes` of a job."""
        directory: bytes = _JOB.unpack_from(self._jobs, number * _JOB.size)[3]
        return directory

    def homes(self, number: int) -> tuple[str, ...]:
        """As `KeptJob.homes`."""
        files = len(self.files_of(number))
        return self._homes if files == 1 else self._homes * files


class StoredJob(KeptJob):
    """A job in the index of a pack: 100,000 take 30 MB less than with their own numbers."""

    __slots__ = ("number", "table")

    statistics = None

    def __init__(self, table: PackIndex, number: int) -> None:
        self.table = table
        self.number = number

    @property
    def traits(self) -> Traits:
        """As in `KeptJob`."""
        return self.table.traits[self.number]

    @property
    def row(self) -> bytes:
        """As in `KeptJob`."""
        start = self.number * ROW_SIZE
        return self.table.rows[start : start + ROW_SIZE]

    @property
    def homes(self) -> tuple[str, ...]:
        """As in `KeptJob`."""
        return self.table.homes(self.number)

    @property
    def origin(self) -> tuple[str, int]:
        """As in `KeptJob`."""
        return self.table.pack, self.table.place(self.files[0]).offset

    def packed_place(self, number: int) -> bytes:
        """As in `KeptJob`."""
        return self.table.place_bytes(self.files[number])

    @property
    def files(self) -> range:
        """As `PackIndex.files_of`."""
        return self.table.files_of(self.number)

    @property
    def logs(self) -> Sequence[tuple[str, FileIdentity]]:
        """As in `KeptFiles`."""
        table = self.table
        return [(table.name(file), table.identity(file)) for file in self.files]

    @property
    def stamp(self) -> int:
        """As in `KeptFiles`."""
        directory = self.table.directory(self.number)
        return int.from_bytes(directory[16:], "little", signed=True)

    def are_all_in(self, identity: int, stamp: int) -> bool:
        """As in `KeptFiles`."""
        return self.table.directory(self.number) == directory_bytes(identity, stamp)

    def unchanged_at(self, path: str, stat: StatFile, hot_ns: int) -> os.stat_result | None:
        """As in `KeptFiles`."""
        table = self.table
        try:
            found = stat(path)
            if table.directory(self.number) != status_bytes(found):
                return None
            for number in self.files:
                status = stat(f"{path}/{table.name(number)}")
                if status.st_mtime_ns > hot_ns or not table.is_of(number, status):
                    return None
        except OSError:
            return None
        return found


def rows_of(jobs: Sequence[StoredJob]) -> Rows:
    """The numbers of many jobs, without an object for each."""
    of_jobs = [job.table for job in jobs]
    tables = dict.fromkeys(of_jobs)
    sizes = (len(table.rows) // ROW_SIZE for table in tables)
    starts = dict(zip(tables, accumulate(sizes, initial=0), strict=False))
    places = np.array([starts[table] for table in of_jobs], np.int64)
    places += np.array([job.number for job in jobs], np.int64)
    return np.frombuffer(b"".join(table.rows for table in tables), WHOLE_ROW)[places].view(ROWS)


def directory_bytes(identity: int, stamp: int) -> bytes:
    """A directory and its times; see `FoundJob`."""
    return identity.to_bytes(16, "little") + stamp.to_bytes(16, "little", signed=True)


def status_bytes(status: os.stat_result) -> bytes:
    """The `directory_bytes` of a directory with this status."""
    changed = status.st_ctime_ns  # before 1970, the sum in the stamp borrows from the mtime
    low, high = changed & _LOW, status.st_mtime_ns + (changed >> 64)
    return _DIRECTORY.pack(status.st_ino, status.st_dev, low, high)


def _relative(paths: Sequence[tuple[str, str]]) -> int | list[str]:
    """Where relative paths begin in `paths`; all of them, if some have escapes."""
    start = len(paths[0][0]) - len(paths[0][1]) if paths else 0
    if all(path[start:] == relative for path, relative in paths):
        return start
    return [relative for _, relative in paths]


def _column(rows: Sequence[bytes]) -> Column:
    return np.frombuffer(b"".join(rows), np.uint8)
