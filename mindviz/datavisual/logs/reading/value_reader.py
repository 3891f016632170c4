"""ValueReader: reads values from the log files on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from mindviz.answer_memory import holding
from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.formats import HEAD_SIZE
from mindviz.datavisual.logs.log_file import OpenLogFile, is_gone
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.series.columns import Int64s, ValueIndex
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import ImageSize, Value
from mindviz.errors import BrokenDataClass, DamagedValue, LogUnreadable
from mindviz.wire.framing import unpack_record

MAX_VALUE_SIZE = 256 * 1024 * 1024
"""Maximum bytes of a record to decode, because a sparse file may claim any size."""
_LARGE = 1024 * 1024
"""Bytes from which reading a record counts as memory of an answer."""


OpenFile = Callable[[FoundFile], AbstractContextManager[OpenLogFile]]
"""Opens a file for a block. Raises OSError, also in the block."""


def opened_anew(file: FoundFile) -> OpenLogFile:
    """The file, closed at the end of the block."""
    return file.log_file.opened()


class KeptOpen:
    """Opens files and keeps the last one open, for many values in order.

    Objects in stores are then read ahead, and all values of an object are of one version.
    """

    def __init__(self) -> None:
        self._path = ""
        self._file: OpenLogFile | None = None

    @contextmanager
    def __call__(self, file: FoundFile) -> Iterator[OpenLogFile]:
        """The file, open until another one is requested."""
        if self._file is None or file.path != self._path:
            self._close()
            expected = file.identity.size  # small objects are read as a whole, with one request
            self._path, self._file = file.path, file.log_file.opened(expected)
        yield self._file

    def _close(self) -> None:
        if self._file is not None:
            self._file.__exit__()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """The place of a value in a file."""

    file: FileSnapshot
    kind: str
    record_offset: int
    """Of the whole record, framing included, because its checksum covers the value."""
    record_length: int
    offset: int
    length: int
    open_file: OpenFile = opened_anew

    def opened(self) -> AbstractContextManager[OpenLogFile]:
        """The file, for a block. Raises OSError."""
        return self.open_file(self.file.found)

    def finding(self, kind: FindingKind, detail: str) -> Finding:
        """A finding about this value."""
        path = self.file.found.relative_path
        return Finding(kind, path, self.record_offset, detail, lost_records=1)


@dataclass(frozen=True, slots=True, eq=False)
class ValueReader:
    """Reads the values of one series."""

    rows: ValueIndex
    owner: Int64s
    """Row i is in file `places[owner[i]][0]`, of the kind next to it."""
    places: Sequence[tuple[FileSnapshot, str]]
    metadata: bytes
    report: Callable[[Finding], None]
    """Called for damaged values."""
    open_file: OpenFile = opened_anew

    def place(self, index: int) -> ValuePlace:
        """The place of value `index`."""
        file, kind = self.places[int(self.owner[index])]
        rows = self.rows
        return ValuePlace(
            file,
            kind,
            int(rows.record_offset[index]),
            int(rows.record_length[index]),
            int(rows.value_offset[index]),
            int(rows.value_length[index]),
            self.open_file,
        )

    def read(self, index: int) -> Value:
        """Value `index`, after verifying the checksum of its record.

        Raises DamagedValue (already reported), LogUnreadable or MemoryBusy.
        """
        place = self.place(index)
        # The record and a copy of the value; callers that keep the value claim its memory.
        large = 2 * place.record_length if place.record_length > _LARGE else 0
        try:
            with holding(large if place.record_length <= MAX_VALUE_SIZE else 0):
                return place.file.found.format.decode(place.kind, self.metadata, _bytes(place))
        except DamagedValue as error:
            is_intact = isinstance(error, BrokenDataClass)
            kind = FindingKind.BROKEN_CLASS if is_intact else FindingKind.BAD_VALUE
            self.report(place.finding(kind, str(error)))
            raise

    def read_size(self, index: int) -> ImageSize:
        """The size of value `index` of an image series, from its first bytes."""
        place = self.place(index)
        log_format = place.file.found.format
        if log_format.image_size is None:
            raise DamagedValue(f"{log_format.name} images have no size.")
        head = bytes(_read(place, place.offset, min(HEAD_SIZE, place.length)))
        return log_format.image_size(place.kind, head)


def unreadable(file: FileSnapshot, error: OSError) -> LogUnreadable | DamagedValue:
    """The error for a failed read: the value is lost only if the file no longer exists."""
    reason = error.strerror or str(error)
    if is_gone(error):
        return DamagedValue(f"{file.found.relative_path} could not be read: {reason}.")
    return LogUnreadable(f"{file.found.relative_path} cannot be read at the moment ({reason}).")


def _bytes(place: ValuePlace) -> bytes:
    if place.record_length > MAX_VALUE_SIZE:
        raise DamagedValue(
            f"The value has {place.record_length} bytes, more than the {MAX_VALUE_SIZE} that are "
            "decoded."
        )
    record = _read(place, place.record_offset, place.record_length)
    schema = place.file.found.kind.schema
    if schema is not None:
        unpack_record(schema.framing, record)
    first = place.offset - place.record_offset
    return bytes(record[first : first + place.length])


def _read(place: ValuePlace, offset: int, length: int) -> memoryview:
    try:
        with place.opened() as opened:
            data = opened.read(offset, length)
    except OSError as error:
        raise unreadable(place.file, error) from error
    if len(data) < length:
        raise DamagedValue(f"{place.file.found.relative_path} is shorter than it was.")
    return data
