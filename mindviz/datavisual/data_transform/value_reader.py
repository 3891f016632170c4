"""ValueReader: fetches values that the scanner left in the log files, when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mindviz.datavisual.data_transform.columns import Int64s, ValueIndex
from mindviz.datavisual.data_transform.file_snapshot import FileSnapshot
from mindviz.datavisual.data_transform.findings import Finding, FindingKind
from mindviz.datavisual.data_transform.formats import HEAD_SIZE
from mindviz.datavisual.data_transform.log_file import LogFile
from mindviz.datavisual.data_transform.time_series import Value
from mindviz.errors import DamagedValue
from mindviz.wire.framing import unpack_record


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

    def read(self, index: int) -> Value:
        """Value number `index`; the checksum of its record is verified first."""
        file, kind = self._places[int(self._owner[index])]
        try:
            return file.found.format.decode(kind, self._metadata, self._bytes(file, index))
        except DamagedValue as error:
            self._report(
                Finding(
                    FindingKind.BAD_VALUE,
                    file.found.relative_path,
                    int(self._rows.record_offset[index]),
                    str(error),
                    lost_records=1,
                )
            )
            raise

    def _bytes(self, file: FileSnapshot, index: int) -> bytes:
        start, length = (
            int(column[index]) for column in (self._rows.record_offset, self._rows.record_length)
        )
        record = _read(file, start, length)
        schema = file.found.kind.schema
        if schema is not None:
            unpack_record(schema.framing, record)
        first = int(self._rows.value_offset[index]) - start
        return record[first : first + int(self._rows.value_length[index])]

    def read_size(self, index: int) -> tuple[int, int]:
        """Width and height of image number `index`, from its first bytes alone."""
        file, kind = self._places[int(self._owner[index])]
        if file.found.format.image_size is None:
            raise DamagedValue(f"{file.found.format.name} images have no size.")
        length = min(HEAD_SIZE, int(self._rows.value_length[index]))
        head = _read(file, int(self._rows.value_offset[index]), length)
        return file.found.format.image_size(kind, head)


def _read(file: FileSnapshot, offset: int, length: int) -> bytes:
    try:
        with LogFile(file.found.path).opened() as opened:
            data = bytes(opened.read(offset, length))
    except OSError as error:
        raise DamagedValue(
            f"{file.found.relative_path} could not be read: {error.strerror}."
        ) from error
    if len(data) < length:
        raise DamagedValue(f"{file.found.relative_path} is shorter than it was.")
    return data
