"""Pack: an immutable file of sections, each a JSON document and raw columns.

    section*  each at a multiple of 64 bytes: its size, JSON, columns at multiples of 8 bytes
    index     a section
    footer    32 bytes: magic, offset and size of the index, its checksum and that of the footer

Columns are mapped, not decoded. Packs are written under another name and renamed, so a pack is
complete or not there; checksums detect what happens to it later. That includes a power failure,
after which a file may be empty: packs are not synced to the disk.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, overload
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from mindviz.wire.crc32c import crc32c_function

Column = NDArray[Any]

SUFFIX = ".pack"
TEMPORARY = ".writing"

_MAGIC = b"mvcache1"
_ALIGNMENT = 64
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode
_PADDING = [bytes(-size % 8) for size in range(8)]
_SMALL = 65_536
"""Bytes of a column that are copied, which is faster than a view of them."""
_HEAD = struct.Struct("<Q")
"""Bytes of a section's JSON."""
_FOOTER = struct.Struct("<8sQQI")
_CHECKSUM = struct.Struct("<I")


class DamagedPack(Exception):
    """A pack is missing, incomplete, or of another version, or a bit of it has changed."""


class Place(NamedTuple):
    """A section of a pack."""

    pack: str
    """Name of the file."""
    offset: int
    size: int
    checksum: int


class Section(NamedTuple):
    """A JSON document and columns; those that were read are read-only."""

    document: Any
    columns: Sequence[Column]


def encoded(section: Section) -> list[bytes | memoryview]:
    """The bytes of a section, in pieces; a multiple of 8 bytes in all."""
    kinds: list[tuple[str, int]] = []
    pieces: list[bytes | memoryview] = []
    for column in section.columns:
        little, is_native = _little(column.dtype)
        kinds.append((little.str, len(column)))
        if len(column):
            data = column if is_native else column.astype(little)
            is_small = column.nbytes <= _SMALL or not data.flags.c_contiguous
            pieces.append(data.tobytes() if is_small else data.data.cast("B"))
            pieces.append(_PADDING[column.nbytes % 8])
    head = _ENCODE([section.document, kinds]).encode()
    return [_HEAD.pack(len(head)), head, _PADDING[len(head) % 8], *pieces]


def size_of(section: Section) -> int:
    """The bytes of a section."""
    return sum(map(len, encoded(section)))


@cache
def _little(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], bool]:
    """The little-endian type, and whether it is this one."""
    little = dtype.newbyteorder("<")
    return little, little == dtype


def decoded(data: bytes | memoryview) -> Section:
    """A section from its verified bytes, which are read-only; the columns share their memory."""
    (size,) = _HEAD.unpack_from(data)
    start = _HEAD.size
    document, kinds = json.loads(bytes(data[start : start + size]))
    return Section(document, _Columns(data, start + size + -size % 8, kinds))


class _Columns(Sequence[Column]):
    """Columns that are created on access: 100,000 sections of 20 columns take half a gigabyte."""

    __slots__ = ("_data", "_kinds", "_start")

    def __init__(self, data: bytes | memoryview, start: int, kinds: Sequence[Any]) -> None:
        self._data = data
        self._start = start
        self._kinds = tuple(sys.intern(f"{kind} {length}") for kind, length in kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    @overload
    def __getitem__(self, index: int) -> Column: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Column]: ...
    def __getitem__(self, index: int | slice) -> Column | Sequence[Column]:
        return list(self)[index]

    def __iter__(self) -> Iterator[Column]:
        offset = self._start
        for described in self._kinds:
            kind, length = described.split()
            column = np.frombuffer(self._data, kind, int(length), offset)
            yield column
            offset += column.nbytes + -column.nbytes % 8


class PackWriter:
    """Writes a pack: `add` sections, then `commit`; `close` in any case. Methods raise OSError."""

    def __init__(self, folder: Path) -> None:
        # As `parents=True` would create them, other users could read the parents.
        for missing in [path for path in (*reversed(folder.parents), folder) if not path.exists()]:
            missing.mkdir(mode=0o700, exist_ok=True)
        # Sorted by name, the last pack is the newest.
        self.name = f"{time.time_ns():016x}{uuid4().hex[:16]}{SUFFIX}"
        self.size = 0
        self._folder = folder
        self._path = folder / (self.name + TEMPORARY)
        self._file = open(self._path, "xb", opener=_private)  # noqa: SIM115 - closed by `close`

    def add(self, section: Section) -> Place:
        """Append a section."""
        offset, checksum, crc32c = self._begin(), 0, crc32c_function()
        for piece in encoded(section):
            checksum = crc32c(piece, checksum)
            self._write(piece)
        return Place(self.name, offset, self.size - offset, checksum)

    def add_encoded(self, data: bytes) -> int:
        """Append encoded sections; the offset of the first."""
        offset = self._begin()
        self._write(data)
        return offset

    def _begin(self) -> int:
        self._write(bytes(-self.size % _ALIGNMENT))
        return self.size

    def commit(self, index: Section) -> None:
        """Complete the pack and make it visible."""
        place = self.add(index)
        footer = _FOOTER.pack(_MAGIC, place.offset, place.size, place.checksum)
        self._write(footer + _CHECKSUM.pack(crc32c_function()(footer, 0)))
        self._file.close()
        self._path.rename(self._folder / self.name)

    def close(self) -> None:
        """Delete what was not committed."""
        try:
            self._file.close()
        finally:
            self._path.unlink(missing_ok=True)

    def _write(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self.size += len(data)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def read_index(path: Path) -> Section:
    """The index of a pack. Raises DamagedPack."""
    size = _FOOTER.size + _CHECKSUM.size
    try:
        with path.open("rb") as file:
            end = os.fstat(file.fileno()).st_size
            footer = os.pread(file.fileno(), size, max(0, end - size))
            if len(footer) != size:
                raise DamagedPack(path.name)
            magic, offset, length, checksum = _FOOTER.unpack_from(footer)
            (own,) = _CHECKSUM.unpack_from(footer, _FOOTER.size)
            if magic != _MAGIC or own != crc32c_function()(footer[: _FOOTER.size], 0):
                raise DamagedPack(path.name)
            return _verified(memoryview(os.pread(file.fileno(), length, offset)), length, checksum)
    except OSError as error:
        raise DamagedPack(path.name) from error


class Pack:
    """A committed pack. Thread-safe.

    It stays open, so that it can be read after another process has deleted it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._map: mmap.mmap | None = None
        self._lock = Lock()

    def read(self, place: Place) -> Section:
        """A section in memory. Raises DamagedPack."""
        try:
            with self._lock:
                data = os.pread(self._opened(), place.size, place.offset)
        except OSError as error:
            raise DamagedPack(place.pack) from error
        return _verified(memoryview(data), place.size, place.checksum)

    def map(self, place: Place) -> Section:
        """A section whose columns are mapped from the file. Raises DamagedPack."""
        try:
            with self._lock:
                descriptor = self._opened()
                if self._map is None:
                    self._map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
                # Reading beyond the end of a mapped file kills the process.
                if os.fstat(descriptor).st_size < len(self._map):
                    raise DamagedPack(place.pack)
        except (OSError, ValueError) as error:
            raise DamagedPack(place.pack) from error
        data = memoryview(self._map)[place.offset : place.offset + place.size]
        return _verified(data, place.size, place.checksum)

    def _opened(self) -> int:
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            weakref.finalize(self, os.close, self._descriptor)
        return self._descriptor


def _verified(data: memoryview, size: int, checksum: int) -> Section:
    if len(data) != size or crc32c_function()(data, 0) != checksum:
        raise DamagedPack
    return decoded(data)
