"""ValueReader: fetches values that the scanner left in the log files, when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mindviz.answer_memory import holding
from mindviz.datavisual.logs.formats import HEAD_SIZE
from mindviz.datavisual.logs.log_file import is_gone
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.series.columns import Int64s, ValueIndex
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import Value
from mindviz.errors import DamagedValue, LogUnreadable
from mindviz.wire.framing import unpack_record

MAX_VALUE_SIZE = 256 * 1024 * 1024
"""Bytes of one record. A larger one is not decoded: a sparse file makes it from nothing."""
_LARGE = 1024 * 1024
"""Bytes of one record, from which on reading it counts as memory of an answer."""


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a value lies."""

    file: FileSnapshot
    kind: str
    record_offset: int
    """Of the whole record, framing included: its checksum covers the value."""
    record_length: int
    offset: int
    length: int

    def finding(self, kind: FindingKind, detail: str) -> Finding:
        """That something is wrong with this value."""
        path = self.file.found.relative_path
        return Finding(kind, path, self.record_offset, detail, lost_records=1)


class ValueReader:
    """Reads the values of one series from their places in the log files."""

    def __init__(
        self,
        rows: ValueIndex,
        owner: Int64s,
        places: Sequence[tuple[FileSnapshot, str]],
        metadata: bytes,
        *,
        report: Callable[[Finding], None],
    ) -> None:
        """Row i lies in file `places[owner[i]][0]` and is of the kind that stands beside it.

        What turns out to be damaged is told to `report`.
        """
        self._rows = rows
        self._owner = owner
        self._places = places
        self._metadata = metadata
        self._report = report

    def place(self, index: int) -> ValuePlace:
        """Where value number `index` lies."""
        file, kind = self._places[int(self._owner[index])]
        rows = self._rows
        return ValuePlace(
            file,
            kind,
            int(rows.record_offset[index]),
            int(rows.record_length[index]),
            int(rows.value_offset[index]),
            int(rows.value_length[index]),
        )

    def read(self, index: int) -> Value:
        """Value number `index`; the checksum of its record is verified first.

        Raises DamagedValue, which has been reported, LogUnreadable or MemoryBusy.
        """
        place = self.place(index)
        # The record and a copy of the value; what becomes of it is claimed by who keeps it.
        large = 2 * place.record_length if place.record_length > _LARGE else 0
        try:
            with holding(large if place.record_length <= MAX_VALUE_SIZE else 0):
                return place.file.found.format.decode(place.kind, self._metadata, _bytes(place))
        except DamagedValue as error:
            self._report(place.finding(FindingKind.BAD_VALUE, str(error)))
            raise

    def read_size(self, index: int) -> tuple[int, int]:
        """Width and height of image number `index`, from its first bytes alone."""
        place = self.place(index)
        log_format = place.file.found.format
        if log_format.image_size is None:
            raise DamagedValue(f"{log_format.name} images have no size.")
        head = bytes(_read(place.file, place.offset, min(HEAD_SIZE, place.length)))
        return log_format.image_size(place.kind, head)


def unreadable(file: FileSnapshot, error: OSError) -> LogUnreadable | DamagedValue:
    """What to raise where reading a value fails: it is lost only if the file is gone."""
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
    record = _read(place.file, place.record_offset, place.record_length)
    schema = place.file.found.kind.schema
    if schema is not None:
        unpack_record(schema.framing, record)
    first = place.offset - place.record_offset
    return bytes(record[first : first + place.length])


def _read(file: FileSnapshot, offset: int, length: int) -> memoryview:
    try:
        with file.found.log_file.opened() as opened:
            data = opened.read(offset, length)
    except OSError as error:
        raise unreadable(file, error) from error
    if len(data) < length:
        raise DamagedValue(f"{file.found.relative_path} is shorter than it was.")
    return data
