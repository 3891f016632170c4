"""npz: numpy's archive of arrays; `numpy.load` reads it, without pickles.

The arrays `train_id`, `tag` and `writer` identify the series; series i has one array per column,
`<column>_<i>`. For a column of lists it contains the elements of all rows, and
`<column>_offsets_<i>` the start of each row and the end of the last. Strings are lists of UTF-8
bytes, because numpy pads its strings to the longest. Arrays and bytes have an array per row,
`<column>_<i>_<row>`, bytes as uint8. A missing value is NaN, -1, an empty string or list, or an
omitted array.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mindviz.deadline import check
from mindviz.export.output_formats import OutputFormat
from mindviz.export.stored_zip import StoredZip
from mindviz.export.table import Cells, Column, Kind, Rows, Table

PIECE = 1 << 20
"""Bytes of a large array to write at once."""

_OWN_ARRAY = (Kind.ARRAY, Kind.BYTES)
_LISTS = (Kind.INTEGERS, Kind.NUMBERS, Kind.TEXT)
_BYTES = (Kind.TEXT, Kind.BYTES)
_DTYPES = {
    Kind.INTEGER: np.dtype(np.int64),
    Kind.INTEGERS: np.dtype(np.int64),
    Kind.NUMBER: np.dtype(np.float64),
    Kind.NUMBERS: np.dtype(np.float64),
    Kind.FLAG: np.dtype(np.bool_),
    Kind.TEXT: np.dtype(np.uint8),
}
_MISSING = {Kind.INTEGER: -1, Kind.NUMBER: np.nan, Kind.FLAG: False}


def write(table: Table) -> Iterator[bytes]:
    """The archive, array by array; columns of numbers are held for one series at a time."""
    archive = StoredZip()
    names: list[tuple[str, ...]] = []
    is_plain = all(column.kind in _MISSING for column in table.columns)
    arrays = _plain_arrays if is_plain else _arrays
    for series, pieces in groupby(table.rows, key=attrgetter("series")):
        number = len(names)
        for (column, row), array in arrays(table.columns, pieces):
            yield from _entry(archive, f"{column}_{number}{row}", array)
        names.append(series)
    for i, column in enumerate(table.series_columns):
        texts = [series[i].encode("utf-8", "replace") for series in names]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        yield from _entry(archive, column, np.frombuffer(b"".join(texts), np.uint8))
        yield from _entry(archive, f"{column}_offsets", ends)
    yield from archive.end()


def _plain_arrays(
    columns: Sequence[Column], pieces: Iterator[Rows]
) -> Iterator[tuple[tuple[str, str], NDArray[Any]]]:
    """As `_arrays`, for a table of numbers and flags."""
    held = zip(*(rows.columns for rows in pieces), strict=True)
    for column, parts in zip(columns, held, strict=True):
        arrays = [_column(column.kind, cells) for cells in parts]
        yield (column.name, ""), arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _arrays(
    columns: Sequence[Column], pieces: Iterator[Rows]
) -> Iterator[tuple[tuple[str, str], NDArray[Any]]]:
    """((prefix, suffix) of the name, array) of one series; its number goes between them."""
    held: list[list[NDArray[Any]]] = [[] for _ in columns]
    lengths: list[list[int]] = [[0] for _ in columns]
    count = 0
    for rows in pieces:
        for i, (column, cells) in enumerate(zip(columns, rows.columns, strict=True)):
            if column.kind in _OWN_ARRAY:
                for row, cell in enumerate(cells):
                    if cell is not None:
                        yield (column.name, f"_{count + row}"), _array(column.kind, cell)
            elif column.kind in _LISTS:
                lists = [_array(column.kind, cell) for cell in cells if cell is not None]
                held[i] += lists
                sizes = iter(lists)
                lengths[i] += [0 if cell is None else len(next(sizes)) for cell in cells]
            else:
                held[i].append(_column(column.kind, cells))
        count += len(rows)
    for i, column in enumerate(columns):
        if column.kind in _OWN_ARRAY:
            continue
        if column.kind in _LISTS:
            yield (f"{column.name}_offsets", ""), np.cumsum(lengths[i], dtype=np.int64)
            yield (column.name, ""), np.concatenate([np.empty(0, _DTYPES[column.kind]), *held[i]])
        else:
            whole = held[i][0] if len(held[i]) == 1 else np.concatenate(held[i])
            yield (column.name, ""), whole


def _array(kind: Kind, cell: Any) -> NDArray[Any]:
    if kind is Kind.TEXT:
        cell = cell.encode("utf-8", "replace")
    return np.frombuffer(cell, np.uint8) if kind in _BYTES else np.asarray(cell)


def _column(kind: Kind, cells: Cells) -> NDArray[Any]:
    if isinstance(cells, np.ndarray):
        return cells
    missing = _MISSING[kind]
    return np.array([missing if cell is None else cell for cell in cells], _DTYPES[kind])


def _entry(archive: StoredZip, name: str, array: NDArray[Any]) -> Iterable[bytes]:
    if array.nbytes > PIECE:
        return _large_entry(archive, name, array)
    header, checksum = _header(array.dtype, array.shape)
    content = array.tobytes()
    size = len(header) + len(content)
    path = f"{name}.npy".encode("ascii")
    # One piece, because the calls dominate the cost of small arrays.
    return (archive.entry(path, crc32(content, checksum), size) + header + content,)


def _large_entry(archive: StoredZip, name: str, array: NDArray[Any]) -> Iterator[bytes]:
    header, checksum = _header(array.dtype, array.shape)
    flat = np.ascontiguousarray(array).reshape(-1)
    step = max(1, PIECE // flat.itemsize)
    starts = range(0, len(flat), step)
    for at in starts:
        check()
        checksum = crc32(flat[at : at + step].tobytes(), checksum)
    path = f"{name}.npy".encode("ascii")
    yield archive.entry(path, checksum, len(header) + flat.nbytes) + header
    for at in starts:
        yield flat[at : at + step].tobytes()


@lru_cache(maxsize=256)
def _header(dtype: np.dtype[Any], shape: tuple[int, ...]) -> tuple[bytes, int]:
    """(header of a .npy file in row-major order, its CRC)."""
    header = io.BytesIO()
    description = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": shape,
    }
    np.lib.format.write_array_header_2_0(header, description)
    content = header.getvalue()
    return content, crc32(content)


FORMAT = OutputFormat(
    name="npz",
    suffix=".npz",
    content_type="application/octet-stream",
    is_text=False,
    write=write,
    unsupported={
        "lineage": "npz cannot store missing values and mixed types; use csv, json or parquet"
    },
)
