"""WarmCache: the packs of one base dir, shared by all servers of a workspace."""

from __future__ import annotations

import errno
import json
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_file import KeptFile, batch_of, file_of
from mindviz.datavisual.logs.warm.kept_job import (
    ROW_SIZE,
    KeptJob,
    Traits,
    listed_traits,
    traits_of,
)
from mindviz.datavisual.logs.warm.kept_statistics import add_statistics, statistics_in
from mindviz.datavisual.logs.warm.pack import (
    SUFFIX,
    TEMPORARY,
    DamagedPack,
    Pack,
    PackWriter,
    Place,
    Section,
    read_index,
)
from mindviz.datavisual.series.columns import Batch, MappedBatch
from mindviz.object_url import is_object_url

_LOGGER = logging.getLogger(__name__)

_FORM = 3
"""To be incremented when sections or what scanners find change between releases."""
_NONE: AbstractSet[str] = frozenset()
_SMALL = 16_384
"""Bytes of a batch."""
_RECENT_SECONDS = 3600.0
"""A pack that has been written for longer belongs to a process that was killed."""


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


class _Entry(NamedTuple):
    """The newest state of a log file."""

    pack: str
    row: Sequence[Any]
    """Path, relative path, identity (5), offset, size, checksum."""

    @property
    def place(self) -> Place:
        return Place(self.pack, *self.row[7:])

    def is_of(self, found: FoundFile) -> bool:
        """Whether it is the state of exactly this file."""
        identity = list(found.identity.numbers)
        return self.row[1] == found.relative_path and self.row[2:7] == identity


class _JobEntry(NamedTuple):
    """A job that was complete when its files were kept."""

    pack: str
    traits: Traits
    row: bytes
    files: Sequence[Sequence[Any]]
    """Rows as in `_Entry`."""


class WarmCache:
    """What was read of the logs below one base dir. Thread-safe.

    All errors of reading mean that a file is read again from its log.
    """

    def __init__(
        self,
        root: Path,
        base_dir: str,
        *,
        version: str = "",
        verify_all: bool = False,
        max_bytes: int = 1 << 62,
        plugins: Sequence[str] = (),
    ) -> None:
        """`root` is the folder of all base dirs, with at most about `max_bytes`.

        What another `version` of mindviz kept is not read, nor what lists show of a job with
        other `plugins`. `verify_all` as in `Scanner`.
        """
        if not is_object_url(base_dir):
            base_dir = str(Path(base_dir).absolute())
        key = json.dumps([_FORM, version, base_dir, verify_all]).encode()
        self.root = root
        self._folder = root / blake2b(key, digest_size=8).hexdigest()
        self._base_dir = base_dir
        self._max_bytes = max_bytes
        self._plugins = list(plugins)
        self._packs: dict[str, Pack] = {}
        """Those in use."""
        self._lock = Lock()
        self._statistics: dict[str, Sequence[Sequence[int]]] = {}
        """The places of statistics, by pack."""
        self._collected = 0
        """Packs after the last `collect`."""
        self._warned = False

    # Reading ------------------------------------------------------------------------------------

    @cached_property
    def _entries(self) -> dict[str, _Entry]:
        """By path of the log file."""
        return self._known[0]

    @cached_property
    def _known(self) -> tuple[dict[str, _Entry], dict[str, _JobEntry]]:
        """The newest states by path, and jobs by train_id."""
        entries: dict[str, _Entry] = {}
        jobs: dict[str, _JobEntry] = {}
        for name, index in self._indices():
            document, (rows,) = index.document, index.columns
            files = document["files"]
            entries.update((row[0], _Entry(name, row)) for row in files)
            if document["plugins"] != self._plugins:
                continue
            self._statistics[name] = document["statistics"]
            data, traits = rows.tobytes(), [traits_of(listed) for listed in document["traits"]]
            for number, (train_id, kind, first, end) in enumerate(document["jobs"]):
                row = data[number * ROW_SIZE : (number + 1) * ROW_SIZE]
                jobs[train_id] = _JobEntry(name, traits[kind], row, files[first:end])
        return entries, jobs

    def _indices(self) -> Iterator[tuple[str, Section]]:
        """Names and indices of all packs that are not damaged, the oldest first."""
        found = []
        for path in packs_below(self._folder):
            with suppress(DamagedPack):
                index = read_index(path)
                found.append((index.document["written"], path.name, index))
        for _, name, index in sorted(found, key=lambda item: item[:2]):
            yield name, index

    def _pack(self, name: str) -> Pack:
        with self._lock:
            if name not in self._packs:
                self._packs[name] = Pack(self._folder / name)
            return self._packs[name]

    def knows(self, path: str, identity: FileIdentity) -> bool:
        """Whether exactly this file was read."""
        entry = self._entries.get(path)
        return entry is not None and entry.row[2:7] == list(identity.numbers)

    def find_job(self, found: FoundJob) -> KeptJob | None:
        """What was read of a job, if exactly all its files were; only once for each job."""
        job = self._known[1].pop(found.train_id, None)
        if job is None or len(job.files) != len(found.files) or found.findings or found.has_assets:
            return None
        entries = [self._entries.get(file.path) for file in found.files]
        for file, entry, row in zip(found.files, entries, job.files, strict=True):
            if entry is None or entry.row is not row or not entry.is_of(file):
                return None
        for file in found.files:
            del self._entries[file.path]
        self._pack(job.pack)  # in use from now on
        return KeptJob.of_row(job.traits, job.row, [Place(job.pack, *row[7:]) for row in job.files])

    def find(self, found: FoundFile) -> KeptState | None:
        """The state of a file, which may have grown since; None if nothing can be used.

        Only once for each file.
        """
        entry = self._entries.pop(found.path, None)
        if entry is None or entry.row[1] != found.relative_path:
            return None
        before, now = FileIdentity(*entry.row[2:7]), found.identity
        if (before.device, before.inode) != (now.device, now.inode) or before.size > now.size:
            return None
        return KeptState((found.path, found.relative_path), before, entry.place)

    def read(self, found: FoundFile, identity: FileIdentity, place: Place) -> KeptFile:
        """What was read of a file. Raises DamagedPack."""
        try:
            kept = file_of(self._pack(place.pack).read(place), found, identity, place)
        except (LookupError, TypeError, ValueError) as error:
            raise DamagedPack(place.pack) from error
        packs = {place.pack for place in kept.places} - self._packs.keys()
        if not all((self._folder / name).exists() for name in packs):
            raise DamagedPack(place.pack)
        return kept

    def mapped(self, place: Place) -> Batch:
        """A batch whose columns are mapped. Raises DamagedPack."""
        batch = batch_of(self._pack(place.pack).map(place))
        return MappedBatch(batch.segment, batch.scalars, batch.values)

    def batch(self, place: Place) -> Batch:
        """A batch; a small one is read, as nothing can happen to it then. Raises DamagedPack."""
        if place.size > _SMALL:
            return self.mapped(place)
        return batch_of(self._pack(place.pack).read(place))

    def statistics(self, pack: str, tag: str) -> Mapping[int, tuple[float | int, ...]]:
        """As `statistics_in`, of all jobs of a pack that have any; empty if they are damaged."""
        found: dict[int, tuple[float | int, ...]] = {}
        for place in self._statistics.get(pack, ()):
            with suppress(DamagedPack):
                found |= statistics_in(self._pack(pack).read(Place(pack, *place)), tag)
        return found

    # Writing ------------------------------------------------------------------------------------

    def writer(self) -> PackWriter:
        """A new pack. Raises OSError, also if the cache is full of what is in use."""
        self._make_room()
        return PackWriter(self._folder)

    def commit(
        self, writer: PackWriter, jobs: Sequence[JobStates], packs: AbstractSet[str] = _NONE
    ) -> None:
        """Complete a pack with these states of files, which refer to other `packs`.

        Raises OSError.
        """
        rows: list[Sequence[Any]] = []
        traits: dict[int, int] = {}
        listed: list[Sequence[Any]] = []
        kept, numbers = [], []
        for train_id, states, job in jobs:
            if job is not None:
                kind = traits.setdefault(id(job.traits), len(traits))
                if kind == len(listed):
                    listed.append(listed_traits(job.traits))
                kept.append((train_id, kind, len(rows), len(rows) + len(states)))
                numbers.append(job.row)
            rows += ((*state.of, *state.identity.numbers, *state.place[1:]) for state in states)
        document: dict[str, Any] = {
            "base_dir": self._base_dir,
            "written": time.time_ns(),
            "packs": sorted(packs - {""}),
            "files": rows,
            "jobs": kept,
            "traits": listed,
            "plugins": self._plugins,
            "statistics": add_statistics(
                writer, ((states[0].place.offset, job) for _, states, job in jobs if job)
            ),
        }
        self._statistics[writer.name] = document["statistics"]
        writer.commit(Section(document, (np.frombuffer(b"".join(numbers), np.uint8),)))

    def report(self, error: Exception) -> None:
        """Say once that the cache cannot be written."""
        if not self._warned:
            self._warned = True
            reason = getattr(error, "strerror", None) or type(error).__name__
            _LOGGER.warning(
                "Cannot write to the cache %s: %s. Logs are read again at each start.",
                self.root,
                reason,
            )

    # Removing -----------------------------------------------------------------------------------

    def collect(self) -> None:
        """Delete packs without the newest state or columns of any file; the others are in use.

        Not those of the last hour, to which files that are being read may refer.
        """
        newest: dict[str, str] = {}
        references: dict[str, Sequence[str]] = {}
        for name, (document, _) in self._indices():
            references[name] = document["packs"]
            newest.update((row[0], name) for row in document["files"])
        needed = set(newest.values())
        needed.update(pack for name in tuple(needed) for pack in references[name])
        others = []
        for path in packs_below(self._folder):
            if path.name in needed:
                with suppress(OSError):  # gone meanwhile
                    os.utime(path)
            else:
                others.append(path)
        for path in (*others, *packs_below(self._folder, SUFFIX + TEMPORARY)):
            status = status_of(path)
            if status is not None and status.st_mtime < time.time() - _RECENT_SECONDS:
                path.unlink(missing_ok=True)
        self._collected = len(needed) + len(others)

    def collect_if_due(self) -> None:
        """As `collect`, once there are many packs more than after the last time."""
        if sum(1 for _ in packs_below(self._folder)) > 2 * self._collected + 10:
            self.collect()

    def _make_room(self) -> None:
        """Delete the packs that were not used for the longest time. Raises OSError if all are."""
        packs = [(path, status) for path in packs_below(self.root) if (status := status_of(path))]
        size = sum(status.st_size for _, status in packs)
        for path, status in sorted(packs, key=lambda item: item[1].st_mtime):
            if size < self._max_bytes:
                return
            if path.parent != self._folder or path.name not in self._packs:
                path.unlink(missing_ok=True)
                size -= status.st_size
        if size >= self._max_bytes:
            raise OSError(errno.EDQUOT, "It is as large as --cache-size allows")


def packs_below(folder: Path, suffix: str = SUFFIX) -> Iterator[Path]:
    """All packs, of other versions, too."""
    return (path for path in folder.rglob(f"*{suffix}") if path.name.endswith(suffix))


def status_of(path: Path) -> os.stat_result | None:
    """What `stat` says; None if the file is gone."""
    try:
        return path.stat()
    except OSError:
        return None
