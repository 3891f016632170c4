"""Strategies for log files: record streams of any wire schema, intact and damaged, and read plans.

Messages have every role of the schema, in any order and number, with unknown fields and sometimes
invalid bytes. Some records are too large to be parsed at once.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import mindspore, tensorboard, visualdl
from mindviz.datavisual.logs.scanner.scan import Scanner
from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.datavisual.series.columns import ScanResult
from mindviz.wire.encode import delimited, frame, varint
from mindviz.wire.framing import Framing

SCHEMAS = (tensorboard.EVENT, mindspore.EVENT, mindspore.LINEAGE_EVENT, visualdl.RECORD)

TAGS = (b"loss", b"accuracy/top-1", b"", b"\xff\xfe", b"a tag of more than eight bytes", b"b")
LARGE = 70_000
"""Bytes of a blob that exceeds any record up to 64 KiB."""


def key(number: int, wire_type: int) -> bytes:
    return varint(number << 3 | wire_type)


bits64 = st.binary(min_size=8, max_size=8)
bits32 = st.binary(min_size=4, max_size=4)
numbers = st.one_of(
    st.integers(0, 300),
    st.sampled_from([1 << 31, 1 << 62, 1 << 63, (1 << 64) - 1, 1_700_000_000_000]),
).map(varint)
overlong = st.integers(1, 11).map(lambda size: b"\x80" * size + b"\x01")
blobs = st.one_of(
    st.binary(max_size=12),
    st.integers(0, LARGE // 1000).map(lambda size: b"blob" * 250 * size),
)
doubles = st.one_of(
    st.floats(1.6e9, 1.8e9), st.sampled_from([float("nan"), float("inf"), 0.0, -1.0])
).map(struct.Struct("<d").pack)
floats = st.one_of(
    st.floats(width=32), st.sampled_from([float("nan"), float("inf"), -float("inf"), -0.0])
).map(struct.Struct("<f").pack)


def packed(number: int, content: bytes) -> bytes:
    return key(number, 2) + varint(len(content)) + content


unknown_fields = st.one_of(
    st.builds(lambda n, v: key(n, 0) + v, st.integers(16, 40), numbers),
    st.builds(lambda n, v: key(n, 1) + v, st.integers(1, 40), bits64),
    st.builds(lambda n, v: key(n, 5) + v, st.integers(1, 40), bits32),
    st.builds(packed, st.integers(16, 40), st.binary(max_size=5)),
)
no_fields = st.one_of(
    st.binary(min_size=1, max_size=4),
    st.builds(key, st.integers(0, 40), st.integers(3, 7)),
    st.builds(lambda v: key(2, 0) + v, overlong),
    st.builds(lambda n: key(n, 2) + varint(1 << 62), st.integers(1, 20)),
)


@st.composite
def tensors(draw: st.DrawFn) -> bytes:
    """A TensorProto, mostly of rank 0."""
    dtype = draw(st.sampled_from([1, 2, 3, 4, 5, 6, 7, 9, 10, 14, 17, 19, 22, 23, 0, 11]))
    listed = {1: 5, 2: 6, 9: 10, 10: 11, 14: 13, 19: 13, 22: 16, 23: 17}.get(dtype, 7)
    size = {1: 4, 2: 8, 4: 1, 5: 2, 6: 1, 9: 8, 10: 1, 14: 2, 17: 2, 19: 2, 23: 8}.get(dtype, 4)
    element = {5: bits32, 6: bits64}.get(listed, numbers)
    alone = {5: 5, 6: 1}.get(listed, 0)
    values = st.one_of(
        st.binary(min_size=size, max_size=size).map(lambda v: packed(4, v)),
        element.map(lambda v: packed(listed, v)),
        element.map(lambda v: key(listed, alone) + v),
        st.binary(max_size=9).map(lambda v: packed(listed, v)),
        st.binary(max_size=300).map(lambda v: packed(4, v)),
    )
    shape = st.sampled_from(
        [b"", b"", packed(2, b""), packed(2, b"\x18\x00"), packed(2, b"\x12\x02\x08\x01"), b"\x12"]
    )
    fields = [key(1, 0) + varint(dtype), draw(shape), draw(values)]
    fields += draw(st.lists(st.one_of(values, unknown_fields), max_size=1))
    return b"".join(draw(st.permutations(fields)))


def contents(field: Field) -> st.SearchStrategy[bytes]:
    """The field, including its key, with content that fits its role."""
    tagged = st.builds(
        lambda tag, value: packed(1, tag) + key(2, 5) + value, st.sampled_from(TAGS), floats
    )
    sessions = st.sampled_from([b"", b"\x08\x01", b"\x08\x02", b"\x12\x01x\x08\x01", b"\x08"])
    by_role: dict[Role, st.SearchStrategy[bytes]] = {
        Role.TAG: st.sampled_from(TAGS),
        Role.BLOB: blobs,
        Role.METADATA: st.sampled_from([b"", b"\x0a\x06scalar", b"m" * 900]),
        Role.TF_TENSOR: st.one_of(tensors(), blobs),
        Role.TAGGED_FLOAT: st.one_of(tagged, st.binary(max_size=4)),
        Role.VERSION: st.just(b"v1"),
        Role.SESSION_LOG: sessions,
    }
    if field.role in by_role:
        return by_role[field.role].map(lambda content: packed(field.number, content))
    if field.role is Role.WALL_TIME_SECONDS:
        return doubles.map(lambda content: key(field.number, 1) + content)
    if field.role is Role.FLOAT:
        return floats.map(lambda content: key(field.number, 5) + content)
    if field.role is Role.IGNORE:
        return st.just(packed(field.number, b"old"))
    return numbers.map(lambda content: key(field.number, 0) + content)


@st.composite
def messages(draw: st.DrawFn, schema: WireSchema, level: str = "record") -> bytes:
    """A message of one level, mostly well formed."""
    fields: tuple[Field, ...] = getattr(schema, level)
    parts: list[bytes] = []
    most = 2 if level == "record" and schema.framing is Framing.LENGTH_PREFIXED else 5
    for _ in range(draw(st.integers(1, most))):
        field = draw(st.sampled_from(fields))
        if field.role is Role.SUMMARY:
            parts.append(packed(field.number, draw(messages(schema, "summary"))))
        elif field.role is Role.VALUE:
            parts.append(packed(field.number, draw(messages(schema, "value"))))
        else:
            parts.append(draw(contents(field)))
    if level == "value":  # a value without a tag is possible, but uninteresting
        tag = next(field for field in fields if field.role is Role.TAG)
        parts.append(draw(contents(tag)))
    noise = draw(st.integers(0, 19))
    if noise < 3:
        parts.append(draw(unknown_fields))
    elif noise == 3:
        parts.append(draw(no_fields))
    if noise % 2:
        parts.reverse()
    return b"".join(parts)


@st.composite
def record_streams(draw: st.DrawFn, schema: WireSchema, *, damaged: bool = True) -> bytes:
    """A whole file; `damaged` allows invalid records and tails."""
    pieces: list[bytes] = []
    for payload in draw(st.lists(messages(schema), max_size=8)):
        content = payload
        if schema.framing is Framing.LENGTH_PREFIXED and draw(st.integers(0, 9)):
            content = delimited(1, draw(messages(schema, "value")))  # as writers write it
        record = frame(content, schema.framing)
        if damaged and len(record) > 20 and draw(st.integers(0, 15)) == 0:
            at = draw(st.integers(12, len(record) - 1))
            record = record[:at] + bytes([record[at] ^ 0x10]) + record[at + 1 :]
        pieces.append(record)
    if damaged:
        tail = st.sampled_from([b"", b"", bytes(8), bytes(40), bytes(13) + b"\x01", b"\x05\0\0"])
        pieces.append(draw(st.one_of(tail, st.binary(max_size=40))))
        if draw(st.integers(0, 9)) == 0:
            pieces.insert(len(pieces) // 2, bytes(draw(st.integers(1, 30))))
    stream = b"".join(pieces)
    if damaged and draw(st.integers(0, 3)) == 0:
        stream = stream[: draw(st.integers(0, len(stream)))]
    return stream


@dataclass(frozen=True)
class Reading:
    """How a file is read: the extra bytes of each read, and how the file grows."""

    extra: tuple[int, ...] = (0,)
    """Extra bytes, in turns."""
    sizes: tuple[float, ...] = ()
    """Sizes of the file at earlier readings, ascending."""
    takes: bool = False
    """Whether results were taken at each of these."""


readings = st.builds(
    Reading,
    st.lists(st.sampled_from([0, 1, 7, 100, 100_000]), min_size=1, max_size=4).map(tuple),
    st.lists(st.floats(0, 1), max_size=4).map(sorted).map(tuple),
    st.booleans(),
)


Read = Callable[[int, int], bytes]


def reader(data: bytes) -> Read:
    """Reads of a file that holds `data`."""
    return lambda offset, size: data[offset : offset + size]


def read(
    scanner: Scanner, data: bytes, reading: Reading | None = None, *, hasty: bool = False
) -> list[ScanResult]:
    """Feed a file to a scanner until it needs more; its results, in order.

    `hasty`: take results after every read, even within records.
    """
    reading = reading or Reading()
    results = []
    turns = 0
    for part in (*reading.sizes, 1.0):
        there = data[: round(len(data) * part)]
        going = True
        while going:
            offset, size = scanner.wanted
            size += reading.extra[turns % len(reading.extra)]
            turns += 1
            assert turns < 10_000, "the scanner asks for the same bytes again and again"
            going = scanner.feed(there[offset : offset + size], offset, len(there))
            if hasty:
                results.append(scanner.take())
        if reading.takes or part == 1.0:
            results.append(scanner.take())
    return results


@st.composite
def repetitive_streams(draw: st.DrawFn, schema: WireSchema) -> bytes:
    """As writers write: the same few records again with other times and numbers.

    Sometimes one differs: a field more or less, a longer step, a flipped bit.
    """
    scalar = next(field.number for field in schema.value if field.role is Role.FLOAT)
    summary = next(field.number for field in schema.record if field.role is Role.SUMMARY)
    names = {
        "wall": doubles.map(lambda content: key(1, 1) + content),
        "step": st.one_of(st.integers(0, 300).map(varint), numbers).map(lambda n: key(2, 0) + n),
        "version": st.just(packed(3, b"v1")),
        "unknown": st.just(packed(20, b"\x15\0\0\0\0")),
    }
    parts_of_values = {
        "tag": st.sampled_from(TAGS).map(lambda tag: packed(1, tag)),
        "number": floats.map(lambda content: key(scalar, 5) + content),
        "image": st.just(packed(4, b"an image")),
        "metadata": st.just(packed(9, b"metadata")),
        "unknown": st.just(packed(20, b"\x15\0\0\0\0")),
    }
    record_shapes = st.sampled_from(
        [
            ("wall", "step", "value"),
            ("wall", "step", "value"),
            ("step", "value", "wall"),
            ("value", "wall", "unknown", "step"),
            ("wall", "step", "step", "value", "wall"),
            ("wall", "value"),
            ("step", "value"),
            ("wall", "step", "value", "value"),
            ("wall", "step", "value", "version"),
        ]
    )
    value_shapes = st.sampled_from(
        [
            ("tag", "number"),
            ("tag", "number"),
            ("number", "tag"),
            ("tag", "number", "number"),
            ("tag", "image", "number"),
            ("tag", "number", "image"),
            ("tag", "number", "metadata"),
            ("tag", "unknown", "number", "unknown"),
            ("tag",),
        ]
    )

    def record(shape: tuple[str, ...], value_shape: tuple[str, ...], tag: bytes) -> bytes:
        fields = []
        for name in shape:
            if name == "value":
                value = b"".join(
                    tag if part == "tag" else draw(parts_of_values[part]) for part in value_shape
                )
                fields.append(packed(summary, packed(1, value)))
            else:
                fields.append(draw(names[name]))
        return frame(b"".join(fields), schema.framing)

    cycle = draw(
        st.lists(
            st.tuples(record_shapes, value_shapes, parts_of_values["tag"]), min_size=1, max_size=3
        )
    )
    pieces = []
    for _ in range(draw(st.integers(2, 8))):
        for usual, usual_value, tag in cycle:
            oddity = draw(st.integers(0, 19))
            if oddity == 0:
                continue
            shape = draw(record_shapes) if oddity == 1 else usual
            value_shape = draw(value_shapes) if oddity == 2 else usual_value
            piece = bytearray(record(shape, value_shape, tag))
            if oddity == 3:
                piece[draw(st.integers(0, len(piece) - 1))] ^= 1 << draw(st.integers(0, 7))
            pieces.append(bytes(piece))
    return b"".join(pieces)


def flattened(results: Iterable[ScanResult]) -> tuple[object, ...]:
    """Everything found, regardless of results and batches."""
    heads: list[object] = []
    metadata: dict[int, bytes] = {}
    points: dict[tuple[int, int], list[object]] = {}
    places: list[object] = []
    records = offset = 0
    for result in results:
        heads += result.new_series
        metadata |= result.metadata
        records += result.records
        offset = result.offset
        for batch in result.batches:
            columns, index = batch.scalars, batch.values.expanded
            for i, series in enumerate(columns.series.tolist()):
                part = slice(None, columns.count[i])
                values = columns.values64 if columns.wide[i] else columns.values32
                rows = zip(
                    columns.steps[columns.step_start[i] :][part].tolist(),
                    map(repr, columns.wall_times[columns.wall_start[i] :][part].tolist()),
                    map(repr, values[columns.value_start[i] :][part].tolist()),
                    strict=True,
                )
                points.setdefault((batch.segment, series), []).extend(rows)
            columns_of_places = (
                index.series,
                index.step,
                index.wall_time.astype(str),
                index.record_offset,
                index.record_length,
                index.value_offset,
                index.value_length,
            )
            places += zip(*(column.tolist() for column in columns_of_places), strict=True)
    return heads, metadata, points, places, records, offset
