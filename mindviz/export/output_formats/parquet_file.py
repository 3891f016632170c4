"""Parquet, by pyarrow.

Arrays are stored as bytes, little-endian and in row-major order; other columns contain their dtype
and shape. pyarrow is an optional dependency, imported on demand.
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from mindviz import __version__
from mindviz.errors import ExtraNotInstalled
from mindviz.export.json_numbers import json_safe
from mindviz.export.output_formats import OutputFormat
from mindviz.export.table import Cells, Column, Kind, Rows, Table

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 1 << 14
"""Minimum number of rows per batch; smaller pieces are joined."""
GROUP_ROWS = 1 << 18
GROUP_BYTES = 32 * 1024 * 1024
"""A row group, which is held in memory, is written when it reaches one of these."""

WIDE = 1000
"""Columns above which none is compressed: 40 us each, for a few cells."""
MAX_COLUMNS = 30_000
"""pyarrow takes 30 us and 7 KB per column, and readers no less."""

_DTYPES = {Kind.INTEGER: np.int64, Kind.NUMBER: np.float64, Kind.FLAG: np.bool_}


def check() -> None:
    """Raises ExtraNotInstalled."""
    if importlib.util.find_spec("pyarrow") is None:
        raise ExtraNotInstalled("Parquet", "export")


class NonSeekableWriter(io.RawIOBase):
    """A file object whose content is taken in pieces while a library writes."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        """Always true; the file is neither readable nor seekable."""
        return True

    def write(self, data: Any) -> int:
        """Buffer a copy; returns its size."""
        self._waiting.append(bytes(data))
        return len(self._waiting[-1])

    def take(self) -> bytes:
        """The bytes written since the last call."""
        taken = b"".join(self._waiting)
        self._waiting.clear()
        return taken


def write(table: Table) -> Iterator[bytes]:
    """The file, a row group at a time."""
    import pyarrow as pa  # noqa: PLC0415 -- an extra, and 0.1 s
    import pyarrow.parquet as pq  # noqa: PLC0415

    types = {
        Kind.INTEGER: pa.int64(),
        Kind.NUMBER: pa.float64(),
        Kind.FLAG: pa.bool_(),
        Kind.TEXT: pa.string(),
        Kind.INTEGERS: pa.list_(pa.int64()),
        Kind.NUMBERS: pa.list_(pa.float64()),
        Kind.ARRAY: pa.large_binary(),
        Kind.BYTES: pa.large_binary(),
        Kind.JSON: pa.string(),
    }
    series_fields = [pa.field(name, pa.string(), nullable=False) for name in table.series_columns]
    fields = [pa.field(column.name, types[column.kind]) for column in table.columns]
    schema = pa.schema(
        [*series_fields, *fields],
        metadata={"mindviz": orjson.dumps({"what": table.name, "version": __version__})},
    )
    file = NonSeekableWriter()
    is_wide = len(table.columns) > WIDE
    compression = "none" if is_wide else "zstd"
    with pq.ParquetWriter(
        file, schema, compression=compression, use_dictionary=not is_wide
    ) as writer:
        group: list[Any] = []
        size = count = 0
        for rows in _batches(_slices(table.rows)):
            lengths = [len(piece) for piece in rows]
            # For each row, the index of its series.
            index = _numbers(pa.int64(), np.repeat(np.arange(len(rows), dtype=np.int64), lengths))
            names = zip(*(piece.series for piece in rows), strict=True)
            series_columns = [_texts(name).take(index) for name in names]
            columns = [
                _numbers(types[column.kind], cells.astype(_DTYPES[column.kind], copy=False))
                if isinstance(cells, np.ndarray) and column.kind in _DTYPES
                else pa.array(_cells(column, cells), types[column.kind], from_pandas=False)
                for column, cells in zip(table.columns, _joined(rows), strict=True)
            ]
            group.append(pa.RecordBatch.from_arrays([*series_columns, *columns], schema=schema))
            count += len(group[-1])
            size += group[-1].nbytes
            if count >= GROUP_ROWS or size >= GROUP_BYTES:
                writer.write_table(pa.Table.from_batches(group, schema))
                group.clear()
                size = count = 0
                yield file.take()
        if group:
            writer.write_table(pa.Table.from_batches(group, schema))
    yield file.take()


# The next two avoid `pa.array`, which imports pandas if it is installed (0.3 s).


def _numbers(kind: pa.DataType, cells: NDArray[Any]) -> pa.Array:
    """An Arrow array of numbers or flags; the dtype must match the kind."""
    import pyarrow as pa  # noqa: PLC0415

    bits = np.packbits(cells, bitorder="little") if cells.dtype == np.bool_ else cells
    buffer = pa.py_buffer(np.ascontiguousarray(bits))
    return pa.Array.from_buffers(kind, len(cells), [None, buffer])


def _texts(texts: Sequence[str]) -> pa.StringArray:
    import pyarrow as pa  # noqa: PLC0415

    encoded = [text.encode("utf-8", "replace") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    content = pa.py_buffer(b"".join(encoded))
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), content)


def _slices(pieces: Iterator[Rows]) -> Iterator[Rows]:
    """The rows in slices that bound the size of the series names, which every row repeats."""
    for rows in pieces:
        max_rows = max(1, GROUP_BYTES // max(1, 4 * sum(map(len, rows.series))))
        if len(rows) <= max_rows:
            yield rows
            continue
        for at in range(0, len(rows), max_rows):
            yield Rows(rows.series, tuple(column[at : at + max_rows] for column in rows.columns))


def _batches(pieces: Iterator[Rows]) -> Iterator[list[Rows]]:
    """Joins small pieces of numbers, because a record batch costs more than its rows."""
    batch: list[Rows] = []
    count = size = 0
    for rows in pieces:
        names = 4 * len(rows) * sum(map(len, rows.series))
        small = len(rows) < BATCH_ROWS and all(isinstance(c, np.ndarray) for c in rows.columns)
        if batch and (not small or count >= BATCH_ROWS or size + names > GROUP_BYTES):
            yield batch
            batch, count, size = [], 0, 0
        if not small:
            yield [rows]
            continue
        batch.append(rows)
        count += len(rows)
        size += names
    if batch:
        yield batch


def _joined(batch: Sequence[Rows]) -> Sequence[Cells]:
    if len(batch) == 1:
        return batch[0].columns
    columns = zip(*(rows.columns for rows in batch), strict=True)
    return [np.concatenate(cells) for cells in columns]


def _cells(column: Column, cells: Cells) -> Cells:
    if column.kind is Kind.ARRAY:
        return [cell if cell is None else _little_endian(cell) for cell in cells]
    if column.kind is Kind.NUMBER and not isinstance(cells, np.ndarray):
        # pyarrow rejects integers that float64 cannot represent, such as 2^53 + 1.
        return [cell if cell is None else float(cell) for cell in cells]
    if column.kind is Kind.JSON:
        return [cell if cell is None else orjson.dumps(json_safe(cell)).decode() for cell in cells]
    return cells


def _little_endian(array: np.ndarray[Any, Any]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


FORMAT = OutputFormat(
    name="parquet",
    suffix=".parquet",
    content_type="application/vnd.apache.parquet",
    is_text=False,
    write=write,
    check=check,
    max_columns=MAX_COLUMNS,
)
