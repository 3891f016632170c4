"""Named Hypothesis strategies: valid, odd and damaged contents of logs."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frame, varint
from mindviz.wire.fields import Message
from mindviz.wire.framing import Framing
from mindviz.wire.proto import tensorboard_pb2 as proto
from tests.encoded_values import listed_tensor

T = TypeVar("T")
DOUBLE = struct.Struct("<d")
FLOAT = struct.Struct("<f")


def mostly(
    usual: st.SearchStrategy[T], strange: st.SearchStrategy[T], *, one_in: int
) -> st.SearchStrategy[T]:
    """Mostly `usual`, sometimes `strange`."""
    return st.integers(1, one_in).flatmap(lambda n: strange if n == one_in else usual)


# ---------------------------------------------------------------------------- what a point has


def tags() -> st.SearchStrategy[bytes]:
    """Mostly few different ones, so that series have several points; sometimes odd ones."""
    usual = st.sampled_from([b"loss", b"train/loss", b"acc", b"lr", b"", "损失".encode()])
    strange = st.binary(max_size=12) | st.just(b"x" * 300) | st.just(b"\xff\xfe")
    return mostly(usual, strange, one_in=6)


def steps() -> st.SearchStrategy[int]:
    """Mostly small; also negative ones and the limits of int64."""
    ends = st.sampled_from([-1, -(2**63), 2**63 - 1, 2**31, -(2**31)])
    return mostly(st.integers(0, 20), ends | st.integers(-(2**63), 2**63 - 1), one_in=6)


def wall_times() -> st.SearchStrategy[float]:
    """Mostly realistic; also NaN and infinities."""
    return mostly(st.floats(1.7e9, 1.8e9), st.floats(), one_in=6)


def values() -> st.SearchStrategy[float]:
    """Values of float32, including NaN and infinities."""
    return st.floats(width=32)


@cache
def _tensor_examples() -> list[bytes]:
    values = []
    for name in tensorboard.DATA_TYPES:
        for shape in ((), (1,), (2, 3), (0,)):
            array = (np.arange(math.prod(shape)).reshape(shape) - 0.5).astype(name)
            values += [tensorboard.tensor("t", array), listed_tensor("t", array)]
    values += [
        tensorboard.strings_tensor("t", strings, (len(strings),))
        for strings in ([], [b"text"], [b"3", b"2", b"\x89PNG"])
    ]
    # Rank 0, but too long for a number: a shape whose dimension has a name.
    large = proto.TensorProto(dtype=proto.DT_FLOAT, float_val=[1.0])
    large.tensor_shape.dim.add(size=1, name="n" * 300)
    return [bytes(Message(value).bytes(8)) for value in values] + [large.SerializeToString()]


def tensors() -> st.SearchStrategy[bytes]:
    """TensorProtos: numbers of rank 0 in every dtype and encoding, and others."""
    return st.deferred(lambda: st.sampled_from(_tensor_examples()))


# ---------------------------------------------------------------------------- messages


def field_bytes(number: int, wire_type: int, value: bytes) -> bytes:
    """A field; length-delimited values get their length."""
    length = varint(len(value)) if wire_type == 2 else b""
    return varint(number << 3 | wire_type) + length + value


def unknown_fields() -> st.SearchStrategy[bytes]:
    """Unknown fields of every wire type in use."""
    numbers = st.sampled_from([12, 16, 31, 1000, 2**29 - 1])
    contents = st.one_of(
        st.tuples(st.just(0), st.integers(0, 2**64 - 1).map(varint)),
        st.tuples(st.just(1), st.binary(min_size=8, max_size=8)),
        st.tuples(st.just(2), st.binary(max_size=20)),
        st.tuples(st.just(5), st.binary(min_size=4, max_size=4)),
    )
    return st.builds(lambda n, content: field_bytes(n, *content), numbers, contents)


def mangled_fields() -> st.SearchStrategy[bytes]:
    """Invalid fields: another wire type, truncated, with overlong varints."""
    numbers = st.integers(0, 17)
    wrong = st.builds(field_bytes, numbers, st.integers(0, 7), st.binary(max_size=10))
    overlong = numbers.map(lambda number: varint(number << 3) + b"\xff" * 11 + b"\x01")
    too_long = numbers.map(lambda number: varint(number << 3 | 2) + varint(2**63) + b"abc")
    return wrong | overlong | too_long


_POINT = (
    Role.WALL_TIME_SECONDS,
    Role.WALL_TIME_MILLISECONDS,
    Role.STEP,
    Role.TAG,
    Role.SUMMARY,
    Role.VALUE,
)
"""The fields of every record with a point."""


def _content(field: Field, schema: WireSchema) -> tuple[int, st.SearchStrategy[bytes]]:
    """Wire type and content of a field, by its role."""
    tagged_float = (Field(1, Role.TAG), Field(2, Role.FLOAT))
    by_role: dict[Role, Callable[[], tuple[int, st.SearchStrategy[bytes]]]] = {
        Role.WALL_TIME_SECONDS: lambda: (1, wall_times().map(DOUBLE.pack)),
        Role.WALL_TIME_MILLISECONDS: lambda: (0, st.integers(0, 2**41).map(varint)),
        Role.STEP: lambda: (0, steps().map(varint)),
        Role.FLOAT: lambda: (5, values().map(FLOAT.pack)),
        Role.SUMMARY: lambda: (2, messages(schema.summary, schema)),
        Role.VALUE: lambda: (2, messages(schema.value, schema)),
        Role.TAG: lambda: (2, tags()),
        Role.TAGGED_FLOAT: lambda: (2, messages(tagged_float, schema)),
        Role.TF_TENSOR: lambda: (2, tensors()),
        Role.SESSION_LOG: lambda: (
            2,
            st.sampled_from([b"", b"\x08\x00", b"\x08\x01", b"\x08\x02"]),
        ),
    }
    return by_role.get(field.role, lambda: (2, st.binary(max_size=40)))()


def messages(fields: Sequence[Field], schema: WireSchema) -> st.SearchStrategy[bytes]:
    """Messages of one level: some of its fields, usually in order; sometimes odd ones."""

    def join(parts: Sequence[bytes]) -> bytes:
        return b"".join(parts)

    def one(field: Field) -> st.SearchStrategy[bytes]:
        wire_type, content = _content(field, schema)
        return content.map(lambda value: field_bytes(field.number, wire_type, value))

    contents = [one(field) for field in fields]
    # The fields of a point, then some of all, as writers do.
    first = [
        content for field, content in zip(fields, contents, strict=True) if field.role in _POINT
    ]
    numbers = [
        content for field, content in zip(fields, contents, strict=True) if field.role == Role.FLOAT
    ]
    any_field = st.one_of(contents)
    more = mostly(numbers[0], any_field, one_in=2) if numbers else any_field
    ordered = st.tuples(*first, st.lists(more, max_size=2).map(join)).map(join)
    strange = st.lists(st.one_of(*contents, unknown_fields(), mangled_fields()), max_size=4).map(
        join
    )
    return mostly(ordered, strange, one_in=8)


def payloads(schema: WireSchema) -> st.SearchStrategy[bytes]:
    """Records of a format, most of them valid."""
    usual = messages(schema.record, schema)
    if schema.framing is Framing.LENGTH_PREFIXED:
        # Without checksums, anything but exactly one value ends the file.
        one_value = messages(schema.value, schema).map(lambda value: field_bytes(1, 2, value))
        usual = mostly(one_value, usual, one_in=12)
    return mostly(usual, st.binary(max_size=30), one_in=12)


# ---------------------------------------------------------------------------- files


@st.composite
def record_streams(draw: st.DrawFn, schema: WireSchema, *, max_records: int = 5) -> bytes:
    """Whole files of a format: framed records with any contents."""
    records = draw(st.lists(payloads(schema), max_size=max_records))
    return b"".join(frame(record, schema.framing) for record in records)


@st.composite
def damaged(draw: st.DrawFn, streams: st.SearchStrategy[bytes]) -> bytes:
    """Truncated streams, or with flipped bits, trailing zeros or noise."""
    stream = bytearray(draw(streams))
    kind = draw(st.sampled_from(["cut", "flip", "zeros", "noise", "length"]))
    if kind == "cut":
        return bytes(stream[: draw(st.integers(0, len(stream)))])
    if kind == "flip" and stream:
        for _ in range(draw(st.integers(1, 3))):
            stream[draw(st.integers(0, len(stream) - 1))] ^= 1 << draw(st.integers(0, 7))
    elif kind == "zeros":
        stream += bytes(draw(st.integers(1, 40)))
    elif kind == "noise":
        stream += draw(st.binary(min_size=1, max_size=40))
    else:
        claimed = draw(st.sampled_from([0, 1, 2**31, 2**63, 2**64 - 1]))
        stream += struct.pack("<Q", claimed) + draw(st.binary(max_size=20))
    return bytes(stream)


@st.composite
def chunkings(draw: st.DrawFn, size: int, *, max_cuts: int = 6) -> list[int]:
    """Ascending offsets at which `size` bytes are cut, the last one is `size`."""
    cuts = draw(st.sets(st.integers(0, size), max_size=max_cuts))
    return sorted(cuts | {size})


def framings() -> st.SearchStrategy[Framing]:
    """Either framing."""
    return st.sampled_from(Framing)


def any_bytes_near(valid: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Noise, and valid bytes with changes or omissions, which decoders must survive."""

    def change(drawn: tuple[bytes, list[tuple[int, int]], int]) -> bytes:
        original, changes, drop = drawn
        changed = bytearray(original)
        for place, byte in changes:
            if changed:
                changed[place % len(changed)] = byte
        return bytes(changed[: len(changed) - drop % (len(changed) + 1)])

    edits: Any = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4)
    return st.binary(max_size=60) | st.tuples(valid, edits, st.integers(0, 30)).map(change)
