"""WarmCache: the packs of one base dir, shared by all servers of a workspace."""

from __future__ import annotations

import errno
import json
import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_file import KeptFile, batch_of, file_of, file_section
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

_FORM = 1
"""To be incremented when sections or what scanners find change between releases."""
_RECENT_SECONDS = 3600.0
"""A pack that has been written for longer belongs to a process that was killed."""


class _Entry(NamedTuple):
    """The newest state of a log file."""

    identity: FileIdentity
    relative_path: str
    place: Place


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
    ) -> None:
        """`root` is the folder of all base dirs, with at most about `max_bytes`.

        What another `version` of mindviz kept is not read. `verify_all` as in `Scanner`.
        """
        if not is_object_url(base_dir):
            base_dir = str(Path(base_dir).absolute())
        key = json.dumps([_FORM, version, base_dir, verify_all]).encode()
        self.root = root
        self._folder = root / blake2b(key, digest_size=8).hexdigest()
        self._base_dir = base_dir
        self._max_bytes = max_bytes
        self._packs: dict[str, Pack] = {}
        """Those in use."""
        self._lock = Lock()
        self._collected = 0
        """Packs after the last `collect`."""
        self._warned = False

    # Reading ------------------------------------------------------------------------------------

    @cached_property
    def _entries(self) -> dict[str, _Entry]:
        """By path of the log file."""
        entries: dict[str, _Entry] = {}
        for name, document in self._indices():
            for path, relative_path, *rest in document["files"]:
                place = Place(name, *rest[5:])
                entries[path] = _Entry(FileIdentity(*rest[:5]), relative_path, place)
        return entries

    def _indices(self) -> Iterator[tuple[str, Any]]:
        """Names and indices of all packs that are not damaged, the oldest first."""
        found = []
        for path in _packs_below(self._folder):
            with suppress(DamagedPack):
                document = read_index(path).document
                found.append((document["written"], path.name, document))
        for _, name, document in sorted(found, key=lambda item: item[:2]):
            yield name, document

    def _section(self, place: Place) -> Section:
        """Raises DamagedPack."""
        with self._lock:
            if place.pack not in self._packs:
                self._packs[place.pack] = Pack(self._folder / place.pack)
            pack = self._packs[place.pack]
        return pack.map(place)

    def knows(self, path: str, identity: FileIdentity) -> bool:
        """Whether exactly this file was read."""
        entry = self._entries.get(path)
        return entry is not None and entry.identity == identity

    def find(self, found: FoundFile) -> KeptFile | None:
        """What was read of a file, which may have grown since; None if nothing can be used.

        Only once for each file.
        """
        entry = self._entries.pop(found.path, None)
        if entry is None or entry.relative_path != found.relative_path:
            return None
        before, now = entry.identity, found.identity
        if (before.device, before.inode) != (now.device, now.inode) or before.size > now.size:
            return None
        try:
            kept = file_of(self._section(entry.place), found, before)
        except (DamagedPack, LookupError, TypeError, ValueError):
            return None
        packs = {place.pack for place in kept.places} - self._packs.keys()
        return kept if all((self._folder / name).exists() for name in packs) else None

    def mapped(self, place: Place) -> Batch:
        """A batch whose columns are mapped. Raises DamagedPack."""
        batch = batch_of(self._section(place))
        return MappedBatch(batch.segment, batch.scalars, batch.values)

    # Writing ------------------------------------------------------------------------------------

    def writer(self) -> PackWriter:
        """A new pack. Raises OSError, also if the cache is full of what is in use."""
        self._make_room()
        return PackWriter(self._folder)

    def commit(self, writer: PackWriter, files: Sequence[KeptFile]) -> None:
        """Complete a pack with the states of files, of which it has the columns. Raises OSError."""
        rows = []
        for kept in files:
            place = writer.add(file_section(kept))
            found, identity = kept.snapshot.found, kept.identity
            rows.append(
                (
                    found.path,
                    found.relative_path,
                    identity.device,
                    identity.inode,
                    identity.size,
                    identity.mtime_ns,
                    identity.ctime_ns,
                    *place[1:],
                )
            )
        packs = {place.pack for kept in files for place in kept.places}
        document = {
            "base_dir": self._base_dir,
            "written": time.time_ns(),
            "packs": sorted(packs),
            "files": rows,
        }
        writer.commit(Section(document, ()))

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
        for name, document in self._indices():
            references[name] = document["packs"]
            newest.update((row[0], name) for row in document["files"])
        needed = set(newest.values())
        needed.update(pack for name in tuple(needed) for pack in references[name])
        others = []
        for path in _packs_below(self._folder):
            if path.name in needed:
                with suppress(OSError):  # gone meanwhile
                    os.utime(path)
            else:
                others.append(path)
        for path in (*others, *_packs_below(self._folder, SUFFIX + TEMPORARY)):
            status = _status(path)
            if status is not None and status.st_mtime < time.time() - _RECENT_SECONDS:
                path.unlink(missing_ok=True)
        self._collected = len(needed) + len(others)

    def collect_if_due(self) -> None:
        """As `collect`, once there are many packs more than after the last time."""
        if sum(1 for _ in _packs_below(self._folder)) > 2 * self._collected + 10:
            self.collect()

    def _make_room(self) -> None:
        """Delete the packs that were not used for the longest time. Raises OSError if all are."""
        packs = [(path, status) for path in _packs_below(self.root) if (status := _status(path))]
        size = sum(status.st_size for _, status in packs)
        for path, status in sorted(packs, key=lambda item: item[1].st_mtime):
            if size < self._max_bytes:
                return
            if path.parent != self._folder or path.name not in self._packs:
                path.unlink(missing_ok=True)
                size -= status.st_size
        if size >= self._max_bytes:
            raise OSError(errno.EDQUOT, "It is as large as --cache-size allows")


def _packs_below(folder: Path, suffix: str = SUFFIX) -> Iterator[Path]:
    """All packs, of other versions, too."""
    return (path for path in folder.rglob(f"*{suffix}") if path.name.endswith(suffix))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


# ------------------------------------------------------------------------------- all base dirs


class KeptLogs(NamedTuple):
    """What a cache has of one base dir."""

    base_dir: str
    files: int
    """Log files."""
    bytes: int
    used: float
    """Unix seconds of the last use."""


def kept_logs(root: Path) -> Sequence[KeptLogs]:
    """All base dirs of a cache, the last used first; damaged packs have no base dir."""
    found: dict[str, tuple[set[str], int, float]] = {}
    for path in _packs_below(root):
        base_dir, names = "", []
        with suppress(DamagedPack):
            document = read_index(path).document
            base_dir, names = document["base_dir"], [row[0] for row in document["files"]]
        status = _status(path)
        if status is not None:
            files, size, used = found.get(base_dir, (set(), 0, 0.0))
            files.update(names)
            found[base_dir] = (files, size + status.st_size, max(used, status.st_mtime))
    listed = [
        KeptLogs(base_dir, len(files), size, used)
        for base_dir, (files, size, used) in found.items()
    ]
    return sorted(listed, key=lambda kept: -kept.used)


def clear(root: Path, base_dir: str | None = None) -> int:
    """Delete what a cache has, or has of one base dir; the bytes. Raises OSError."""
    removed = 0
    for path in _packs_below(root):
        with suppress(DamagedPack):
            if base_dir is not None and read_index(path).document["base_dir"] != base_dir:
                continue
        status = _status(path)
        path.unlink(missing_ok=True)
        removed += status.st_size if status is not None else 0
    return removed
