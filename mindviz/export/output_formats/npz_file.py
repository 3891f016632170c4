"""npz: numpy's archive of arrays; `numpy.load` reads it, without pickles.

Series are numbered in the order of the columns `train_id`, `tag` and `writer`, which say what they
are. Series i has one array per column, `<column>_<i>`. A column whose rows are lists has all their
elements in `<column>_<i>`, and `<column>_offsets_<i>` says where each row begins and the last one
ends. Texts are lists of their UTF-8 bytes: numpy's own texts all take as much room as the longest.
Arrays and bytes have an array per row, `<column>_<i>_<row>`, bytes as uint8. A row without a value
has NaN, -1, an empty text, an empty list, or no array.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.export.outbox import Outbox
from mindviz.export.output_formats import OutputFormat
from mindviz.export.table import Cells, Column, Kind, Rows, Table

PIECE = 1 << 20
"""Bytes that are written at once: part of a large array, or many small ones."""

_OWN_ARRAY = (Kind.ARRAY, Kind.BYTES)
_LISTS = (Kind.INTEGERS, Kind.NUMBERS, Kind.TEXT)
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
    """The archive, array by array. What is of one number per row is held for a whole series."""
    outbox = Outbox()
    names: list[tuple[str, ...]] = []
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_STORED) as archive:
        for series, pieces in groupby(table.rows, key=lambda rows: rows.series):
            for name, array in _arrays(table.columns, pieces):
                for _ in _write_array(archive, f"{name[0]}_{len(names)}{name[1]}", array):
                    if outbox.size >= PIECE:
                        yield outbox.take()
            names.append(series)
        for i, column in enumerate(table.series_columns):
            texts = [_utf8(series[i]) for series in names]
            ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
            content = np.concatenate([np.empty(0, np.uint8), *texts])
            for entry, array in ((column, content), (f"{column}_offsets", ends)):
                for _ in _write_array(archive, entry, array):
                    yield outbox.take()
    yield outbox.take()


def _arrays(
    columns: Sequence[Column], pieces: Iterator[Rows]
) -> Iterator[tuple[tuple[str, str], NDArray[Any]]]:
    """The arrays of one series, by what stands before and behind its number in their names."""
    held: list[list[NDArray[Any]]] = [[] for _ in columns]
    lengths: list[list[int]] = [[0] for _ in columns]
    count = 0
    for rows in pieces:
        for i, (column, cells) in enumerate(zip(columns, rows.columns, strict=True)):
            if column.kind in _OWN_ARRAY:
                for row, cell in enumerate(cells):
                    if cell is not None:
                        yield (column.name, f"_{count + row}"), _own_array(column.kind, cell)
            elif column.kind in _LISTS:
                lists = [_list(column.kind, cell) for cell in cells if cell is not None]
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


def _list(kind: Kind, cell: Any) -> NDArray[Any]:
    if kind is Kind.TEXT:
        return _utf8(cell)
    found: NDArray[Any] = cell
    return found


def _utf8(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8", "replace"), np.uint8)


def _own_array(kind: Kind, cell: Any) -> NDArray[Any]:
    return np.frombuffer(cell, np.uint8) if kind is Kind.BYTES else np.asarray(cell)


def _column(kind: Kind, cells: Cells) -> NDArray[Any]:
    if isinstance(cells, np.ndarray):
        return cells
    missing = _MISSING[kind]
    return np.array([missing if cell is None else cell for cell in cells], _DTYPES[kind])


def _write_array(archive: zipfile.ZipFile, name: str, array: NDArray[Any]) -> Iterator[None]:
    """Write an array as an entry of the archive, pausing when there is something to be taken."""
    flat = np.ascontiguousarray(array).reshape(-1)
    with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
        step = max(1, PIECE // max(1, flat.itemsize))
        # One write for a small array: with many of them, the calls are the cost.
        entry.write(_header(array.dtype, array.shape) + flat[:step].tobytes())
        for at in range(step, len(flat), step):
            yield
            entry.write(flat[at : at + step].tobytes())
    yield


@lru_cache(maxsize=256)
def _header(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """The bytes of a .npy file before its elements, which are in row-major order."""
    header = io.BytesIO()
    description = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": shape,
    }
    np.lib.format.write_array_header_2_0(header, description)
    return header.getvalue()


FORMAT = OutputFormat(
    name="npz",
    suffix=".npz",
    content_type="application/octet-stream",
    is_text=False,
    write=write,
    refused={
        "lineage": "arrays have no place for what one job logged and another did not, nor for "
        "texts beside numbers; csv, json and parquet do"
    },
)
