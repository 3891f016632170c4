"""WarmCache: the packs of one base dir, shared by all servers of a workspace."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_file import KeptFile, batch_of, file_of, file_section
from mindviz.datavisual.logs.warm.pack import (
    SUFFIX,
    DamagedPack,
    Pack,
    PackWriter,
    Place,
    Section,
)
from mindviz.datavisual.series.columns import Batch, MappedBatch
from mindviz.object_url import is_object_url

_LOGGER = logging.getLogger(__name__)


_FORM = 1
"""To be incremented when sections or what scanners find change between releases."""


class _Entry(NamedTuple):
    """The newest state of a log file."""

    identity: FileIdentity
    relative_path: str
    place: Place


class WarmCache:
    """What was read of the logs below one base dir. Thread-safe.

    All errors of reading mean that a file is read again from its log.
    """

    def __init__(self, folder: Path, base_dir: str, *, verify_all: bool = False) -> None:
        """`folder` is that of all base dirs; `verify_all` as in `Scanner`."""
        if not is_object_url(base_dir):
            base_dir = str(Path(base_dir).absolute())
        key = blake2b(json.dumps([base_dir, verify_all]).encode(), digest_size=8).hexdigest()
        self.folder = folder / key
        self._base_dir = base_dir
        self._packs: dict[str, Pack | None] = {}
        self._lock = Lock()
        self._warned = False

    # Reading ------------------------------------------------------------------------------------

    @cached_property
    def _entries(self) -> dict[str, _Entry]:
        """By path of the log file."""
        entries: dict[str, _Entry] = {}
        with suppress(OSError):
            names = [
                name
                for name in (path.name for path in self.folder.iterdir())
                if name.endswith(SUFFIX)
            ]
            packs = [pack for pack in map(self._pack, names) if pack is not None]
            packs.sort(key=lambda pack: pack.index.document["written"])
            for pack in packs:
                if pack.index.document["version"] == _FORM:
                    entries.update(_entries_of(pack))
        return entries

    def _pack(self, name: str) -> Pack | None:
        """The pack of this name; None if it is damaged or gone."""
        with self._lock:
            if name not in self._packs:
                try:
                    self._packs[name] = Pack(self.folder / name)
                except DamagedPack:
                    self._packs[name] = None
            return self._packs[name]

    def _section(self, place: Place) -> Section:
        """Raises DamagedPack."""
        pack = self._pack(place.pack)
        if pack is None:
            raise DamagedPack(place.pack)
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
        return kept if all(self._pack(place.pack) for place in kept.places) else None

    def mapped(self, place: Place) -> Batch:
        """A batch whose columns are mapped. Raises DamagedPack."""
        batch = batch_of(self._section(place))
        return MappedBatch(batch.segment, batch.scalars, batch.values)

    # Writing ------------------------------------------------------------------------------------

    def writer(self) -> PackWriter:
        """A new pack. Raises OSError."""
        return PackWriter(self.folder)

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
            "version": _FORM,
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
                self.folder.parent,
                reason,
            )


def _entries_of(pack: Pack) -> Iterable[tuple[str, _Entry]]:
    for path, relative_path, *rest in pack.index.document["files"]:
        place = Place(pack.path.name, *rest[5:])
        yield path, _Entry(FileIdentity(*rest[:5]), relative_path, place)
