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
from typing import Any, Self

from mindviz.config import Config
from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob
from mindviz.datavisual.logs.directories.unchanged_job import KeptFiles
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_file import KeptFile, batch_of, file_of, file_section
from mindviz.datavisual.logs.warm.kept_job import KeptJob
from mindviz.datavisual.logs.warm.kept_statistics import Statistic, add_statistics, statistics_in
from mindviz.datavisual.logs.warm.known_states import KnownStates
from mindviz.datavisual.logs.warm.live_states import LivePack, live_packs
from mindviz.datavisual.logs.warm.pack import (
    SUFFIX,
    TEMPORARY,
    DamagedPack,
    Pack,
    PackWriter,
    Place,
    Section,
    read_index,
    size_of,
)
from mindviz.datavisual.logs.warm.pack_index import (
    JobStates,
    KeptState,
    PackIndex,
)
from mindviz.datavisual.logs.warm.section_delta import delta_of, states_at
from mindviz.datavisual.series.columns import Batch, Int64s, MappedBatch
from mindviz.object_url import is_object_url

_LOGGER = logging.getLogger(__name__)

_FORM = 7
"""To be incremented when sections or what scanners find change between releases."""
_NONE: AbstractSet[str] = frozenset()
_SMALL = 16_384
"""Bytes of a batch."""
_SMALL_STATE = 4096
"""Bytes of a state that is written as a whole: lists need it at once."""
UNUSED_SECONDS = 86_400.0
"""Packs of other releases may be in use by another server."""
RECENT_SECONDS = 3600.0
"""A pack that has been written for longer belongs to a process that was killed."""


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
        formats: Sequence[str] = (),
        plugins: Sequence[str] = (),
    ) -> None:
        """`root` is the folder of all base dirs, with at most about `max_bytes`.

        What another `version` of mindviz or other `formats` kept is not read, nor what lists show
        of a job with other `plugins`. With `verify_all`, neither is what was not verified.
        """
        self._is_remote = is_object_url(base_dir)
        if not self._is_remote:
            base_dir = str(Path(base_dir).absolute())
        self._form = [_FORM, version, *formats]
        key = json.dumps([self._form, base_dir]).encode()
        self.root = root
        self.folder = root / blake2b(key, digest_size=8).hexdigest()
        # Not what is of other plugins or was not verified: results depend on it.
        self.results_document = {
            "base_dir": base_dir,
            "form": [*self._form, "results", *plugins, verify_all],
        }
        key = json.dumps(self.results_document).encode()
        self.results_folder = root / blake2b(key, digest_size=8).hexdigest()
        self._base_dir = base_dir
        self._verify_all = verify_all
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

    @classmethod
    def of(cls, config: Config, formats: Sequence[str], plugins: Sequence[str]) -> Self | None:
        """The cache for the base dir of a configuration; None if it has no cache."""
        if config.cache_dir is None:
            return None
        return cls(
            config.cache_dir,
            str(config.summary_base_dir),
            version=config.version,
            formats=formats,
            plugins=plugins,
            verify_all=config.checksum == "always",
            max_bytes=config.cache_size,
        )

    @cached_property
    def _known(self) -> KnownStates:
        return KnownStates(self._indices_with_jobs())

    def _indices_with_jobs(self) -> Iterator[tuple[dict[str, Any], PackIndex, Sequence[str]]]:
        for document, table in self.indices():
            self._statistics[table.pack] = document["statistics"]
            yield document, table, self.jobs_in(document)

    def jobs_in(self, document: Mapping[str, Any]) -> Sequence[str]:
        """The train_ids of the jobs in an index, unless they are of other plugins."""
        return document["train_ids"] if document["plugins"] == self._plugins else ()

    def indices(self, *, newest_first: bool = False) -> Iterator[tuple[dict[str, Any], PackIndex]]:
        """The indices of all packs that are not damaged, the oldest first unless reversed."""
        packs = sorted((path.name for path in packs_below(self.folder)), reverse=newest_first)
        for pack in packs:
            with suppress(DamagedPack):
                yield self.index(pack)

    def index(self, pack: str) -> tuple[dict[str, Any], PackIndex]:
        """The index of a pack. Raises DamagedPack, also if it is of another version."""
        try:
            section = read_index(self.folder / pack)
            return section.document, PackIndex(pack, section)
        except (LookupError, TypeError, ValueError) as error:
            raise DamagedPack(pack) from error

    def statistics_of(self, pack: str) -> Sequence[Place]:
        """The places of the statistics in a pack."""
        return [Place(pack, *place) for place in self._statistics.get(pack, ())]

    def _pack(self, name: str) -> Pack:
        with self._lock:
            if name not in self._packs:
                self._packs[name] = Pack(self.folder / name)
            return self._packs[name]

    def knows(self, file: FoundFile) -> bool:
        """Whether exactly this file was read."""
        entry = self._known.find(file)
        return entry is not None and entry.table.identity(entry.number) == file.identity

    def files_of(self, train_id: str) -> KeptFiles | None:
        """As in `Known`."""
        if self._is_remote:  # folders of objects have no times
            return None
        return self._known.job(train_id)

    def find_job(self, found: FoundJob) -> KeptJob | None:
        """What was read of a job, if exactly all its files were; only once for each job."""
        job = self._known.take_job(found, verified=self._verify_all)
        if job is not None and job.table.pack not in self._packs:
            self._pack(job.table.pack)  # in use from now on
        return job

    def find(self, found: FoundFile) -> KeptState | None:
        """The state of a file, which may have grown since; None if nothing can be used.

        Only once for each file.
        """
        path = found.path
        entry = self._known.take(found)
        if entry is None or not entry.table.is_at(entry.number, path, found):
            return None
        before, now = entry.table.identity(entry.number), found.identity
        if (before.device, before.inode) != (now.device, now.inode) or before.size > now.size:
            return None
        place = entry.table.place(entry.number)
        return KeptState((path, found.relative_path), before, place)

    def read(self, found: FoundFile, identity: FileIdentity, place: Place) -> KeptFile:
        """What was read of a file. Raises DamagedPack, also if it was to be verified."""
        try:
            section = states_at(place, self._used_section)[-1][1]
            kept = file_of(section, found, identity, place)
        except (LookupError, TypeError, ValueError) as error:
            raise DamagedPack(place.pack) from error
        packs = {place.pack for place in kept.places} - self._packs.keys()
        if self._verify_all and not kept.verified:
            raise DamagedPack(place.pack)
        if not all((self.folder / name).exists() for name in packs):
            raise DamagedPack(place.pack)
        return kept

    def section(self, place: Place) -> Section:
        """A section of a pack, which need not be in use. Raises DamagedPack."""
        pack = self._packs.get(place.pack) or Pack(self.folder / place.pack)
        return pack.read(place)

    def _used_section(self, place: Place) -> Section:
        return self._pack(place.pack).read(place)

    def mapped(self, place: Place) -> Batch:
        """A batch whose columns are mapped. Raises DamagedPack."""
        batch = batch_of(self._pack(place.pack).map(place))
        return MappedBatch(batch.segment, batch.scalars, batch.values)

    def batch(self, place: Place) -> Batch:
        """A batch; a small one is read, as nothing can happen to it then. Raises DamagedPack."""
        if place.size > _SMALL:
            return self.mapped(place)
        return batch_of(self._pack(place.pack).read(place))

    def statistics(
        self, pack: str, tag: str
    ) -> Iterator[tuple[Int64s, Sequence[Statistic] | None]]:
        """As `statistics_in`, of all jobs of a pack that have any; nothing if they are damaged."""
        for place in self.statistics_of(pack):
            with suppress(DamagedPack):
                yield statistics_in(self._used_section(place), tag)

    # Writing ------------------------------------------------------------------------------------

    def writer(self, folder: Path | None = None) -> PackWriter:
        """A new pack. Raises OSError, also if the cache is full of what is in use."""
        self._make_room()
        return PackWriter(folder or self.folder)

    def add_state(
        self, writer: PackWriter, kept: KeptFile, earlier: Place | None
    ) -> tuple[Place, Sequence[Place]]:
        """Add the state of a file, as a delta of an `earlier` one if that is much smaller.

        Returns its place, and those of the states that it needs. Raises OSError.
        """
        section = file_section(kept)
        if earlier is not None and size_of(section) > _SMALL_STATE:
            with suppress(DamagedPack, LookupError, TypeError, ValueError):
                states = states_at(earlier, self._used_section)
                for number, (place, state) in reversed(list(enumerate(states))):
                    delta = delta_of(state, section)
                    # So the sizes of deltas fall by half, and few follow each other.
                    if 2 * size_of(delta) <= place.size:
                        bases = [base for base, _ in states[: number + 1]]
                        document = {**delta.document, "bases": bases}
                        return writer.add(Section(document, delta.columns)), bases
        return writer.add(section), ()

    def commit(
        self, writer: PackWriter, jobs: Sequence[JobStates], packs: AbstractSet[str] = _NONE
    ) -> None:
        """Complete a pack with these states of files, which refer to other `packs`.

        Raises OSError.
        """
        whole = ((states[0].place.offset, job) for _, states, job, _ in jobs if job is not None)
        statistics = self._statistics[writer.name] = add_statistics(writer, whole)
        document = {
            "base_dir": self._base_dir,
            "form": self._form,
            "packs": sorted(packs - {""}),
            "plugins": self._plugins,
            "statistics": statistics,
        }
        writer.commit(PackIndex.section(jobs, document))

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

    def live(self) -> Sequence[LivePack]:
        """As `live_packs`."""
        return live_packs(self.indices(newest_first=True), self._gone())

    def _gone(self) -> AbstractSet[str]:
        """The paths of logs that were deleted."""
        # Nothing is there while a file system is not mounted.
        if self._is_remote or self._known.is_empty or not _has_entries(self._base_dir):
            return _NONE
        not_found = (self._known.paths_in(document, table) for document, table in self.indices())
        return {path for paths in not_found for path in paths if not os.path.lexists(path)}

    def collect(self, in_use: AbstractSet[str] = _NONE) -> None:
        """Delete packs without the newest state or columns of any file, and close them.

        Not those `in_use` or what they refer to, nor those of the last hour, to which files that
        are being read may refer.
        """
        live = self.live()
        needed = {one.pack for one in live if one.newest} | in_use
        references = {one.pack: one.packs for one in live}
        needed.update(pack for name in tuple(needed) for pack in references.get(name, ()))
        with self._lock:
            self._packs = {name: pack for name, pack in self._packs.items() if name in needed}
        others = []
        for path in packs_below(self.folder):
            if path.name in needed:
                with suppress(OSError):  # gone meanwhile
                    os.utime(path)
            else:
                others.append(path)
        for path in (*others, *packs_below(self.folder, SUFFIX + TEMPORARY)):
            status = status_of(path)
            if status is not None and status.st_mtime < time.time() - RECENT_SECONDS:
                with suppress(OSError):  # the folder may be read-only
                    path.unlink(missing_ok=True)
        self._collected = len(needed) + len(others)
        for folder in self.root.glob("*"):  # nothing has been written if it does not exist
            if folder.is_dir() and folder != self.folder:
                self._collect_other(folder)

    def _collect_other(self, folder: Path) -> None:
        """Delete what an earlier release or other formats kept of the same logs, if unused."""
        packs = [(path, status) for path in packs_below(folder) if (status := status_of(path))]
        if any(status.st_mtime > time.time() - UNUSED_SECONDS for _, status in packs):
            return
        for path, _ in packs:
            with suppress(DamagedPack):
                document = read_index(path).document
                form = document.get("form") or ()
                is_mine = form[: len(self._form)] == self._form  # also results
                if document["base_dir"] != self._base_dir or is_mine:
                    return
                break
        else:
            return
        with suppress(OSError):  # it is read-only, or another server writes there now
            for path, _ in packs:
                path.unlink(missing_ok=True)
            folder.rmdir()

    @property
    def is_collect_due(self) -> bool:
        """Whether there are many packs more than after the last time."""
        return sum(1 for _ in packs_below(self.folder)) > 2 * self._collected + 10

    def _make_room(self) -> None:
        """Delete the packs that were not used for the longest time. Raises OSError if all are."""
        packs = [(path, status) for path in packs_below(self.root) if (status := status_of(path))]
        size = sum(status.st_size for _, status in packs)
        for path, status in sorted(packs, key=lambda item: item[1].st_mtime):
            if size < self._max_bytes:
                return
            if path.parent != self.folder or path.name not in self._packs:
                path.unlink(missing_ok=True)
                size -= status.st_size
        if size >= self._max_bytes:
            raise OSError(errno.EDQUOT, "It is as large as --cache-size allows")


def packs_below(folder: Path, suffix: str = SUFFIX) -> Iterator[Path]:
    """All packs, of other versions, too."""
    return (path for path in folder.rglob(f"*{suffix}") if path.name.endswith(suffix))


def _has_entries(directory: str) -> bool:
    try:
        with os.scandir(directory) as entries:
            return any(True for _ in entries)
    except OSError:
        return False


def status_of(path: Path) -> os.stat_result | None:
    """What `stat` says; None if the file is gone."""
    try:
        return path.stat()
    except OSError:
        return None
