"""The Arrow stream, decoded independently according to the format's definition."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.arrow_stream import METADATA_KEY, columns_arrow, scalars_arrow
from mindviz.datavisual.series.selection import SelectedScalars
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.snapshots.scalar_parts import metadata_of


@dataclass
class Table:
    """A flatbuffers table in `data` at `at`."""

    data: bytes
    at: int

    def field(self, slot: int) -> int | None:
        """Position of a field's bytes; None if absent."""
        (back,) = struct.unpack_from("<i", self.data, self.at)
        vtable = self.at - back
        (size,) = struct.unpack_from("<H", self.data, vtable)
        if 4 + 2 * slot >= size:
            return None
        (offset,) = struct.unpack_from("<H", self.data, vtable + 4 + 2 * slot)
        return self.at + offset if offset else None

    def number(self, slot: int, form: str) -> int:
        at = self.field(slot)
        if at is None:
            return 0
        assert at % struct.calcsize(form) == 0, "numbers are aligned"
        (number,) = struct.unpack_from(f"<{form}", self.data, at)
        return int(number)

    def reference(self, slot: int) -> int:
        at = self.field(slot)
        assert at is not None
        return at + int(struct.unpack_from("<I", self.data, at)[0])

    def table(self, slot: int) -> Table:
        return Table(self.data, self.reference(slot))

    def tables(self, slot: int) -> list[Table]:
        at = self.reference(slot)
        (count,) = struct.unpack_from("<I", self.data, at)
        places = [at + 4 + 4 * i for i in range(count)]
        return [Table(self.data, p + struct.unpack_from("<I", self.data, p)[0]) for p in places]

    def pairs(self, slot: int) -> list[tuple[int, int]]:
        at = self.reference(slot)
        (count,) = struct.unpack_from("<I", self.data, at)
        assert (at + 4) % 8 == 0, "structs of int64 are aligned"
        return [struct.unpack_from("<qq", self.data, at + 4 + 16 * i) for i in range(count)]

    def text(self, slot: int) -> str:
        at = self.reference(slot)
        (size,) = struct.unpack_from("<I", self.data, at)
        assert self.data[at + 4 + size] == 0
        return self.data[at + 4 : at + 4 + size].decode()


def messages(stream: bytes) -> list[tuple[Table, bytes]]:
    """Header and body of each message, up to the end of the stream."""
    found: list[tuple[Table, bytes]] = []
    at = 0
    while True:
        continuation, size = struct.unpack_from("<Ii", stream, at)
        assert continuation == 0xFFFFFFFF
        at += 8
        if size == 0:
            assert at == len(stream)
            return found
        metadata = stream[at : at + size]
        at += size
        assert at % 8 == 0, "bodies are aligned"
        message = Table(metadata, struct.unpack_from("<I", metadata, 0)[0])
        assert message.number(0, "h") == 4  # version V5
        length = message.number(3, "q")
        found.append((message, stream[at : at + length]))
        at += length


def read(stream: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """The custom metadata and the columns."""
    (schema_message, nothing), (batch_message, body) = messages(stream)
    assert nothing == b""
    assert (schema_message.number(1, "B"), batch_message.number(1, "B")) == (1, 3)
    schema, batch = schema_message.table(2), batch_message.table(2)
    (entry,) = schema.tables(2)
    assert entry.text(0) == METADATA_KEY
    rows = batch.number(0, "q")
    buffers = batch.pairs(2)
    columns: dict[str, np.ndarray[Any, Any]] = {}
    for i, field in enumerate(schema.tables(1)):
        kind = field.number(2, "B")
        if kind == 2:
            width = field.table(3).number(0, "i")
            assert (width in (32, 64), field.table(3).number(1, "B")) == (True, 1)
        elif kind == 3:
            width = 32 * field.table(3).number(0, "h")  # single, double
        assert field.number(1, "B") == 0  # not nullable
        assert field.tables(5) == []
        assert batch.pairs(1)[i] == (rows, 0)
        assert buffers[2 * i][1] == 0  # no validity bitmap
        offset, length = buffers[2 * i + 1]
        assert offset % 8 == 0
        data = body[offset : offset + length]
        if kind == 6:
            bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
            columns[field.text(0)] = bits[:rows].astype(bool)
        else:
            columns[field.text(0)] = np.frombuffer(
                data, f"<{'i' if kind == 2 else 'f'}{width // 8}"
            )
            assert len(columns[field.text(0)]) == rows
    return json.loads(entry.text(1)), columns


def selected(points: list[tuple[int, float, float, bool]]) -> SelectedScalars:
    series = ScalarTimeSeries(
        step=np.array([point[0] for point in points], dtype=np.int64),
        wall_time=np.array([point[1] for point in points], dtype=np.float64),
        value=np.array([point[2] for point in points], dtype=np.float64),
        superseded=np.array([point[3] for point in points], dtype=np.bool_),
        total=len(points),
        superseded_count=0,
        epoch="e",
    )
    return SelectedScalars(series, in_range=len(points))


series = st.lists(
    st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(), st.floats(), st.booleans()),
    max_size=9,
)


@given(tables=st.dictionaries(st.text(max_size=5), series, max_size=4), marks=st.booleans())
def test_all_points_are_exact(
    tables: dict[str, list[tuple[int, float, float, bool]]], marks: bool
) -> None:
    items = [({"tag": tag}, selected(points)) for tag, points in tables.items()]
    stream = scalars_arrow(items, "cursor", marks=marks).joined()
    about, columns = read(stream)
    assert metadata_of(stream) == about
    assert about["cursor"] == "cursor"
    assert [one["tag"] for one in about["series"]] == list(tables)
    assert [one["points"] for one in about["series"]] == [len(p) for p in tables.values()]
    everything = [point for points in tables.values() for point in points]
    assert columns["step"].tolist() == [point[0] for point in everything]
    for name, place in (("wall_time", 1), ("value", 2)):
        # By repr: NaN is not equal to itself, and -0.0 is to 0.0.
        assert repr(columns[name].tolist()) == repr([point[place] for point in everything])
    if marks:
        assert columns["superseded"].tolist() == [point[3] for point in everything]
    assert ("superseded" in columns) == marks


def test_columns_have_the_types_of_their_arrays() -> None:
    x = np.array([1.5, np.nan, -0.0], np.float32)
    about, columns = read(columns_arrow({"x": x, "code": np.array([2, 0, -1], np.int32)}, b"{}"))
    assert about == {}
    assert (columns["x"].dtype, columns["code"].dtype) == (np.float32, np.int32)
    assert repr(columns["x"].tolist()) == "[1.5, nan, -0.0]"
    assert columns["code"].tolist() == [2, 0, -1]
