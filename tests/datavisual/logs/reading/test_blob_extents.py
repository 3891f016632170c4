from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.reading.blob_extents import (
    BlobExtent,
    blob_extent,
    field_extents,
    tensor_extents,
)
from mindviz.errors import BrokenDataClass
from mindviz.wire.encode import delimited, double_field, float_field, varint_field
from mindviz.wire.fields import BadMessage, read_fields
from mindviz.wire.proto import tensorboard_pb2 as pb


class File:
    """An in-memory file that counts reads; a value in it does not start at 0."""

    BEFORE = b"\xff" * 7

    def __init__(self, value: bytes) -> None:
        self.content = self.BEFORE + value + b"\xff" * 50
        self.place = len(self.BEFORE), len(value)
        self.bytes_read = 0

    def read(self, offset: int, length: int) -> bytes:
        self.bytes_read += length
        return self.content[offset : offset + length]

    def blob(self, extent: BlobExtent) -> bytes:
        return self.content[extent.offset :][: extent.length]


def strings_tensor(strings: Sequence[bytes], dims: Sequence[int]) -> bytes:
    shape = pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in dims])
    tensor = pb.TensorProto(dtype=pb.DT_STRING, tensor_shape=shape, string_val=strings)
    return tensor.SerializeToString()


FIELDS = st.one_of(
    st.builds(varint_field, st.integers(1, 15), st.integers(0, (1 << 63) - 1)),
    st.builds(delimited, st.integers(1, 15), st.binary(max_size=6000)),
    st.builds(double_field, st.integers(1, 15), st.floats()),
    st.builds(float_field, st.integers(1, 15), st.floats(width=32)),
)


@given(parts=st.lists(FIELDS, max_size=6))
def test_fields_are_where_the_reader_of_whole_messages_finds_them(parts: list[bytes]) -> None:
    file = File(b"".join(parts))
    read = [
        (
            field.number,
            field.value if field.offset < 0 else file.content[field.offset :][: field.length],
        )
        for field in field_extents(file.read, *file.place)
    ]
    whole = read_fields(b"".join(parts))
    expected = [
        (number, content if isinstance(content, int) else bytes(content))
        for number, _, content in whole
    ]
    assert read == expected


@given(value=st.binary(max_size=60))
def test_any_bytes_are_a_valid_or_invalid_message(value: bytes) -> None:
    file = File(value)
    try:
        places = list(field_extents(file.read, *file.place))
    except BadMessage:
        return
    assert all(place.offset + place.length <= sum(file.place) for place in places)


def test_large_blobs_are_skipped() -> None:
    large = bytes(1_000_000)
    file = File(strings_tensor([b"5", b"4", large, large, b"end"], [5]))
    extents = tensor_extents(file.read, *file.place)
    assert [file.blob(extent) for extent in extents] == [b"5", b"4", large, large, b"end"]
    assert file.bytes_read < 20_000


def test_one_field_is_found_among_others() -> None:
    message = delimited(4, b"first") + varint_field(1, 4) + delimited(4, b"last")
    file = File(message)
    assert file.blob(blob_extent(file.read, *file.place, 4)) == b"last"
    assert blob_extent(file.read, *file.place, 5).length == 0


def test_tensors_have_to_be_sequences_of_strings() -> None:
    def extents(value: bytes, ranks: range = range(1, 2)) -> list[bytes]:
        file = File(value)
        return [file.blob(extent) for extent in tensor_extents(file.read, *file.place, ranks)]

    assert extents(strings_tensor([], [0])) == []
    assert extents(strings_tensor([b"a"], [3])) == [b"a"] * 3
    assert extents(strings_tensor([b"a"], []), range(2)) == [b"a"]
    rows = strings_tensor([b"a", b"1", b"b", b"2"], [2, 2])
    assert extents(rows, range(1, 9)) == [b"a", b"b"]
    assert extents(strings_tensor([], [0, 2]), range(1, 9)) == []
    numbers = pb.TensorProto(dtype=pb.DT_FLOAT, float_val=[1.0]).SerializeToString()
    for value in (
        rows,
        numbers,
        b"",
        strings_tensor([b"a"], []),
        strings_tensor([b"a", b"b"], [3]),
        strings_tensor([b"a"], [1 << 60]),
        strings_tensor([b"a"], [-1]),
    ):
        with pytest.raises(BrokenDataClass):
            extents(value)
    with pytest.raises(BadMessage):
        extents(rows[:-1])
