"""Columns of numbers as an Arrow IPC stream, written without pyarrow.

The stream is a schema and one record batch; no column is nullable. The schema's custom metadata
`mindviz` is a JSON object that describes the rows.

For scalars, the batch concatenates the points of all series, in the columns `step` (int64),
`wall_time` and `value` (float64, NaN and infinities exact) and, if requested, `superseded` (bool),
`smoothed` and `x` (float64). The metadata is `{"cursor": ..., "series": [...]}`, where `points` is
the number of rows of each series. With a single batch, readers get each series as a view.

Source: the Arrow columnar format, "Serialization and Interprocess Communication", and its
flatbuffers definitions Message.fbs and Schema.fbs (format version V5).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from mindviz.backend.responses import Pieces
from mindviz.datavisual.series.selection import SelectedScalars

ARROW_STREAM = "application/vnd.apache.arrow.stream"
METADATA_KEY = "mindviz"

_CONTINUATION = b"\xff\xff\xff\xff"
_END_OF_STREAM = _CONTINUATION + b"\0\0\0\0"
_VERSION_V5 = 4
_SCHEMA, _RECORD_BATCH = 1, 3
"""Members of the union MessageHeader."""
_INT, _FLOATING_POINT, _BOOL = 2, 3, 6
"""Members of the union Type."""
_SINGLE, _DOUBLE = 1, 2


def scalars_arrow(
    items: Sequence[tuple[Mapping[str, Any], SelectedScalars]], cursor: str, *, marks: bool
) -> Pieces:
    """The stream of series with their metadata. Copies no numbers."""
    selected = [series for _, series in items]
    described = [{**facts, "points": len(series.points.step)} for facts, series in items]
    about = orjson.dumps({"cursor": cursor, "series": described})
    columns: dict[str, _Chunks] = {
        "step": _Chunks("int64", [series.points.step for series in selected]),
        "wall_time": _Chunks("float64", [series.points.wall_time for series in selected]),
        "value": _Chunks("float64", [series.points.value for series in selected]),
    }
    if marks:
        columns["superseded"] = _Chunks("bool", [series.points.superseded for series in selected])
    smoothed = [series.smoothed for series in selected if series.smoothed is not None]
    if smoothed:
        columns["smoothed"] = _Chunks("float64", smoothed)
    x = [series.x for series in selected if series.x is not None]
    if x:
        columns["x"] = _Chunks("float64", x)
    return _stream(columns, about)


def columns_arrow(columns: Mapping[str, np.ndarray[Any, Any]], about: bytes) -> bytes:
    """The stream of columns of equal length, each int32, int64, float32, float64 or bool.

    `about` is the metadata as JSON.
    """
    chunks = {name: _Chunks(column.dtype.name, [column]) for name, column in columns.items()}
    return _stream(chunks, about).joined()


@dataclass(frozen=True, slots=True)
class _Chunks:
    """A column in several arrays."""

    type: str
    arrays: Sequence[np.ndarray[Any, Any]]

    def __len__(self) -> int:
        return sum(map(len, self.arrays))

    def buffers(self) -> Sequence[bytes | memoryview]:
        """The bytes of the column; contiguous little-endian arrays are not copied."""
        if self.type == "bool":
            whole = np.concatenate(self.arrays) if self.arrays else np.empty(0, np.bool_)
            return [np.packbits(whole, bitorder="little").tobytes()]
        dtype = np.dtype(self.type).newbyteorder("<")
        return [
            np.ascontiguousarray(array, dtype).view(np.uint8).data
            for array in self.arrays
            if len(array)
        ]


def _stream(columns: Mapping[str, _Chunks], about: bytes) -> Pieces:
    rows = max((len(column) for column in columns.values()), default=0)
    types = {name: _TYPES[column.type] for name, column in columns.items()}
    buffers: list[bytes | memoryview] = []
    extents: list[tuple[int, int]] = []
    offset = 0
    for column in columns.values():
        data = column.buffers()
        length = sum(map(len, data))
        extents += [(offset, 0), (offset, length)]  # no validity bitmap: nothing is null
        padding = -length % 8
        buffers += [*data, b"\0" * padding]
        offset += length + padding
    schema = _message(_SCHEMA, _schema(types, about), 0)
    batch = _message(_RECORD_BATCH, _record_batch(rows, len(columns), extents), offset)
    return Pieces.of([schema, batch, *buffers, _END_OF_STREAM])


# A minimal flatbuffers encoder --------------------------------------------------------------------
# An object is a function that appends it and returns its position. References point forward, so a
# table is written before the objects it refers to, and patched.

_Object = Callable[[bytearray], int]
_Type = tuple[int, _Object]
"""(member of the union Type, its table)"""
_Slot = tuple[str, int] | _Object | None
"""A table's field: a struct format and number, another object, or absent."""


def _align(out: bytearray, size: int, ahead: int = 0) -> None:
    """Pad so that the position after `ahead` more bytes is a multiple of `size`."""
    out.extend(b"\0" * (-(len(out) + ahead) % size))


def _table(*slots: _Slot) -> _Object:
    def write(out: bytearray) -> int:
        formats = [slot[0] if isinstance(slot, tuple) else "I" for slot in slots]
        offsets, end = [], 4
        for slot, form in zip(slots, formats, strict=True):
            size = struct.calcsize(form)
            end += -end % size
            offsets.append(0 if slot is None else end)
            end += 0 if slot is None else size
        vtable_size = 4 + 2 * len(slots)
        _align(out, 8, vtable_size)
        vtable = len(out)
        out += struct.pack(f"<HH{len(slots)}H", vtable_size, end, *offsets)
        start = len(out)
        out += struct.pack("<i", start - vtable) + b"\0" * (end - 4)
        for slot, form, offset in zip(slots, formats, offsets, strict=True):
            if isinstance(slot, tuple):
                struct.pack_into(f"<{form}", out, start + offset, slot[1])
            elif slot is not None:
                _refer(out, start + offset, slot)
        return start

    return write


def _refer(out: bytearray, position: int, target: _Object) -> None:
    struct.pack_into("<I", out, position, target(out) - position)


def _text(text: bytes) -> _Object:
    def write(out: bytearray) -> int:
        _align(out, 4)
        start = len(out)
        out.extend(struct.pack("<I", len(text)) + text + b"\0")
        return start

    return write


def _vector(items: Sequence[_Object]) -> _Object:
    def write(out: bytearray) -> int:
        _align(out, 4)
        start = len(out)
        out.extend(struct.pack("<I", len(items)) + b"\0" * (4 * len(items)))
        for i, item in enumerate(items):
            _refer(out, start + 4 + 4 * i, item)
        return start

    return write


def _pairs(pairs: Sequence[tuple[int, int]]) -> _Object:
    """A vector of structs of two int64: FieldNode or Buffer."""

    def write(out: bytearray) -> int:
        _align(out, 8, 4)
        start = len(out)
        out.extend(struct.pack("<I", len(pairs)))
        for pair in pairs:
            out.extend(struct.pack("<qq", *pair))
        return start

    return write


_TYPES: dict[str, _Type] = {
    "int32": (_INT, _table(("i", 32), ("B", 1))),
    "int64": (_INT, _table(("i", 64), ("B", 1))),
    "float32": (_FLOATING_POINT, _table(("h", _SINGLE))),
    "float64": (_FLOATING_POINT, _table(("h", _DOUBLE))),
    "bool": (_BOOL, _table()),
}


def _schema(columns: dict[str, _Type], about: bytes) -> _Object:
    fields = [
        _table(_text(name.encode()), ("B", 0), ("B", kind), table, None, _vector([]))
        for name, (kind, table) in columns.items()
    ]
    metadata = _vector([_table(_text(METADATA_KEY.encode()), _text(about))])
    return _table(("h", 0), _vector(fields), metadata)


def _record_batch(rows: int, columns: int, extents: Sequence[tuple[int, int]]) -> _Object:
    return _table(("q", rows), _pairs([(rows, 0)] * columns), _pairs(extents))


def _message(kind: int, header: _Object, body_length: int) -> bytes:
    out = bytearray(4)
    root = _table(("h", _VERSION_V5), ("B", kind), header, ("q", body_length))(out)
    struct.pack_into("<I", out, 0, root)
    _align(out, 8)
    return _CONTINUATION + struct.pack("<i", len(out)) + bytes(out)
