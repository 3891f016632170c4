"""JSON: one object, with rows grouped by series. NaN and infinities are strings.

`{"what": ..., "series": [{"train_id": ..., "tag": ..., "writer": ..., "rows": [{...}, ...]}]}`; a
table without series has top-level `rows`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from mindviz.export.json_numbers import json_safe
from mindviz.export.output_formats import OutputFormat
from mindviz.export.table import Cells, Column, Kind, Rows, Table

ELEMENTS = 1 << 16
"""Array elements to encode at once."""
CELLS = 1000
"""Small cells of a row to encode at once."""
_LARGE = {Kind.BYTES, Kind.ARRAY, Kind.NUMBERS, Kind.INTEGERS}
FEW = 8
"""Number of elements up to which checking each is faster than calling numpy."""


def write(table: Table) -> Iterator[bytes]:
    """The object in pieces."""
    yield b'{"what":' + orjson.dumps(table.name)
    yield from _series(table) if table.series_columns else _rows(table)
    yield b"}\n"


def _rows(table: Table) -> Iterator[bytes]:
    yield b',"rows":['
    between = b"\n"
    for rows in table.rows:
        for row in _encoded(table.columns, rows):
            yield between
            yield from row
            between = b",\n"
    yield b"]"


def _series(table: Table) -> Iterator[bytes]:
    yield b',"series":['
    known: tuple[str, ...] | None = None
    for rows in table.rows:
        if rows.series != known:
            head = dict(zip(table.series_columns, rows.series, strict=True))
            yield b"\n" if known is None else b"]},\n"
            yield orjson.dumps(head)[:-1] + b',"rows":['
            known = rows.series
            between = b"\n"
        for row in _encoded(table.columns, rows):
            yield between
            yield from row
            between = b",\n"
    yield b"]" if known is None else b"]}]"


def _encoded(columns: Sequence[Column], rows: Rows) -> Iterator[Iterator[bytes] | list[bytes]]:
    """Pieces of each row, or of many rows at once; the caller writes commas between them."""
    if all(isinstance(cells, np.ndarray) for cells in rows.columns):
        yield [_plain_rows(columns, rows)]
        return
    names = [column.name for column in columns]
    kinds = [column.kind for column in columns]
    are_small = _LARGE.isdisjoint(kinds)
    for row in zip(*rows.columns, strict=True):
        yield _small_cells(names, row) if are_small else _row(names, kinds, row)


def _plain_rows(columns: Sequence[Column], rows: Rows) -> bytes:
    """All rows at once, if all columns are arrays of numbers."""
    cells = [_numbers(column) for column in rows.columns]
    names = [column.name for column in columns]
    items = [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]
    return orjson.dumps(items)[1:-1]


def _numbers(array: Cells) -> list[Any]:
    assert isinstance(array, np.ndarray)
    numbers: list[Any] = array.tolist()
    if array.dtype.kind != "f" or (len(array) > FEW and np.isfinite(array).all()):
        return numbers
    return [json_safe(number) for number in numbers]


def _small_cells(names: Sequence[str], row: Sequence[Any]) -> Iterator[bytes]:
    between = b"{"
    for at in range(0, len(row), CELLS):
        part = zip(names[at : at + CELLS], row[at : at + CELLS], strict=True)
        yield between + orjson.dumps({name: json_safe(cell) for name, cell in part})[1:-1]
        between = b","
    yield b"}"


def _row(names: Sequence[str], kinds: Sequence[Kind], row: Sequence[Any]) -> Iterator[bytes]:
    between = b"{"
    for name, kind, cell in zip(names, kinds, row, strict=True):
        yield between + orjson.dumps(name) + b":"
        between = b","
        yield from _cell(kind, cell)
    yield b"}"


def _cell(kind: Kind, cell: Any) -> Iterator[bytes]:
    if cell is None:
        yield b"null"
    elif kind is Kind.BYTES:
        yield b'"' + b64encode(cell) + b'"'
    elif kind in _LARGE:
        yield from _array(cell)
    else:
        yield orjson.dumps(json_safe(cell))


def _array(array: NDArray[Any]) -> Iterator[bytes]:
    """The elements in row-major order."""
    flat = array.reshape(-1)
    yield b"["
    for at in range(0, len(flat), ELEMENTS):
        yield b"," if at else b""
        yield _elements(flat[at : at + ELEMENTS])[1:-1]
    yield b"]"


def _elements(part: NDArray[Any]) -> bytes:
    if part.dtype.kind == "c":
        return orjson.dumps([str(number) for number in part.tolist()])
    if part.dtype.kind == "f" and not np.isfinite(part).all():
        return orjson.dumps([json_safe(number) for number in part.tolist()])
    if part.dtype.kind in "fiub" and part.dtype.isnative:
        # Writes float32 as the shortest decimal that rounds to it.
        return orjson.dumps(np.ascontiguousarray(part), option=orjson.OPT_SERIALIZE_NUMPY)
    return orjson.dumps(part.tolist())


FORMAT = OutputFormat(
    name="json",
    suffix=".json",
    content_type="application/json",
    is_text=True,
    write=write,
)
