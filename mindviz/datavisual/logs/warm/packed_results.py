"""PackedResults: results that were computed from whole runs, in separate packs.

The index of such a pack has a row per run: a key of its content, its summary, and where its details
are. So nothing is decoded of a run before it is requested.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.kept_results import ResultTable
from mindviz.datavisual.logs.warm.pack import (
    SUFFIX,
    TEMPORARY,
    DamagedPack,
    Pack,
    Place,
    Section,
    decoded,
    encoded,
    read_index,
)
from mindviz.datavisual.logs.warm.warm_cache import (
    RECENT_SECONDS,
    UNUSED_SECONDS,
    WarmCache,
    packs_below,
    status_of,
)
from mindviz.wire.crc32c import crc32c_function

KEY_SIZE = 16
"""Bytes of what identifies the content of a run."""
MOST_PACKS = 8
"""More are merged, without the results of earlier contents."""
_SAVE_SECONDS = 300.0
_SAVE_RESULTS = 1000
_SAVE_BYTES = 16 * 1024 * 1024
_NOWHERE = (0, 0, 0)


Contents = Callable[[], AbstractSet[bytes]]


class _Added(NamedTuple):
    """A result that is in no pack yet."""

    key: bytes
    summary: Any
    details: bytes
    """As a section; empty if there are none."""


class _Row(NamedTuple):
    """A result in a pack."""

    key: bytes
    summary: Any
    place: tuple[int, int, int]
    """Offset, size and checksum of the details."""


class _Table:
    """The index of a pack."""

    def __init__(self, path: Path, section: Section) -> None:
        """Raises LookupError, TypeError or ValueError if it is not one of results."""
        self.path = path
        self.pack = Pack(path)
        self._summaries: Sequence[Any] = section.document["summaries"]
        keys, summaries, places = section.columns
        self._keys = np.frombuffer(keys.tobytes(), f"S{KEY_SIZE}")
        self._numbers = summaries.copy()
        self._places = places.reshape(len(self._keys), len(_NOWHERE)).copy()
        if len(self._numbers) != len(self._keys):
            raise ValueError(path)

    def __len__(self) -> int:
        return len(self._keys)

    def rows(self) -> Iterable[_Row]:
        """All rows."""
        return (self._row(at) for at in range(len(self)))

    def find(self, key: bytes) -> _Row | None:
        """The row of a content."""
        at = int(np.searchsorted(self._keys, key))
        row = self._row(at) if at < len(self) else None
        return row if row is not None and row.key == key else None

    def _row(self, at: int) -> _Row:
        offset, size, checksum = self._places[at].tolist()
        # numpy cuts zeros at the end.
        key = bytes(self._keys[at]).ljust(KEY_SIZE, b"\0")
        return _Row(key, self._summaries[self._numbers[at]], (offset, size, checksum))

    def details(self, row: _Row) -> Section:
        """The details of a row that has any. Raises DamagedPack."""
        return self.pack.read(Place(self.path.name, *row.place))


class PackedResults(ResultTable):
    """Results of one computation for the runs of a base dir.

    All errors of reading mean that a result is computed again.
    """

    def __init__(
        self, warm: WarmCache, of: str, contents: Callable[[], AbstractSet[bytes]]
    ) -> None:
        """`contents` are the keys of all runs now."""
        self._warm = warm
        self._of = blake2b(of.encode(), digest_size=KEY_SIZE).hexdigest()
        self._contents = contents
        self._lock = Lock()
        """Guards the next two."""
        self._added: dict[str, _Added] = {}
        self._tables: Sequence[_Table] | None = None
        """The oldest first; None until they are needed."""
        self._saving = Lock()
        self._saved_at: float | None = None

    def find(self, train_id: str, content: bytes) -> Any | None:
        """As in `ResultTable`."""
        added = self._added.get(train_id)
        if added is not None and added.key == content:
            return added.summary
        found = self._find(content)
        return None if found is None else found[1].summary

    def read(self, train_id: str, content: bytes) -> Any | None:
        """As in `ResultTable`."""
        added = self._added.get(train_id)
        if added is not None and added.key == content:
            return decoded(added.details).document if added.details else None
        found = self._find(content)
        if found is None or found[1].place == _NOWHERE:
            return None
        try:
            table, row = found
            return table.details(row).document
        except DamagedPack:
            return None

    def add(self, train_id: str, content: bytes, summary: Any, details: Any | None) -> None:
        """As in `ResultTable`."""
        data = b"" if details is None else b"".join(encoded(Section(details, ())))
        with self._lock:
            self._added[train_id] = _Added(content, summary, data)

    def save(self, *, now: bool = False) -> None:
        """As in `ResultTable`. If it cannot be written, that is reported once."""
        with self._saving:
            if self._added and (now or self._is_due()):
                self._saved_at = time.monotonic()
                try:
                    self._save()
                except OSError as error:
                    self._warm.report(error)

    def _is_due(self) -> bool:
        if self._saved_at is None or time.monotonic() > self._saved_at + _SAVE_SECONDS:
            return True
        with self._lock:
            added = list(self._added.values())
        size = sum(len(result.details) for result in added)
        return len(added) >= _SAVE_RESULTS or size >= _SAVE_BYTES

    def _find(self, key: bytes) -> tuple[_Table, _Row] | None:
        for table in reversed(self._loaded()):
            row = table.find(key)
            if row is not None:
                return table, row
        return None

    def _loaded(self) -> Sequence[_Table]:
        with self._lock:
            if self._tables is None:
                self._tables = self._read_tables()
            return self._tables

    def _read_tables(self) -> Sequence[_Table]:
        tables = []
        for path in sorted(packs_below(self._warm.results_folder), key=lambda path: path.name):
            table = self._table(path)
            if table is not None:
                tables.append(table)
                with suppress(OSError):  # gone meanwhile, or the folder is read-only
                    os.utime(path)
        return tables

    def _table(self, path: Path) -> _Table | None:
        """None if it is damaged, or of another computation."""
        try:
            section = read_index(path)
            return _Table(path, section) if section.document["of"] == self._of else None
        except (DamagedPack, LookupError, TypeError, ValueError):
            return None

    # Writing ------------------------------------------------------------------------------------

    def _save(self) -> None:
        """Raises OSError."""
        tables = self._loaded()
        merged = tables if len(tables) >= MOST_PACKS else ()
        with self._lock:
            added = dict(self._added)
        with closing(self._warm.writer(self._warm.results_folder)) as writer:
            rows: dict[bytes, _Row] = {}
            for table, row in self._current(merged):
                if row.place == _NOWHERE:
                    rows[row.key] = row
                    continue
                with suppress(DamagedPack):
                    moved = writer.add(table.details(row))
                    rows[row.key] = row._replace(place=(moved.offset, moved.size, moved.checksum))
            for result in added.values():
                place = _NOWHERE
                if result.details:
                    offset = writer.add_encoded(result.details)
                    place = offset, len(result.details), crc32c_function()(result.details, 0)
                rows[result.key] = _Row(result.key, result.summary, place)
            index = self._index(rows)
            writer.commit(index)
        written = _Table(self._warm.results_folder / writer.name, index)
        with self._lock:
            self._tables = [*(table for table in tables if table not in merged), written]
            for train_id, result in added.items():
                if self._added.get(train_id) is result:
                    del self._added[train_id]
        for table in merged:
            table.path.unlink(missing_ok=True)
        self._collect()

    def _current(self, tables: Iterable[_Table]) -> Iterable[tuple[_Table, _Row]]:
        """The rows of what runs have now."""
        if tables:
            contents = self._contents()
            for table in tables:
                for row in table.rows():
                    if row.key in contents:
                        yield table, row

    def _index(self, rows: Mapping[bytes, _Row]) -> Section:
        numbers: dict[str, int] = {}
        ordered = [rows[key] for key in sorted(rows)]
        listed = [json.dumps(row.summary) for row in ordered]
        for text in listed:
            numbers.setdefault(text, len(numbers))
        return Section(
            {
                **self._warm.results_document,
                "of": self._of,
                "summaries": [json.loads(text) for text in numbers],
            },
            (
                np.frombuffer(b"".join(row.key for row in ordered), np.uint8),
                np.array([numbers[text] for text in listed], np.int32),
                np.array([row.place for row in ordered], np.int64).ravel(),
            ),
        )

    def _collect(self) -> None:
        """Delete what other computations kept, once it is not used, and what was not completed."""
        folder, now = self._warm.results_folder, time.time()
        mine = {table.path for table in self._loaded()}
        others = ((path, UNUSED_SECONDS) for path in packs_below(folder) if path not in mine)
        partial = ((path, RECENT_SECONDS) for path in packs_below(folder, SUFFIX + TEMPORARY))
        for path, seconds in (*others, *partial):
            status = status_of(path)
            if status is not None and status.st_mtime < now - seconds:
                with suppress(OSError):  # the folder may be read-only
                    path.unlink(missing_ok=True)
