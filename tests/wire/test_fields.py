from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.wire import fields
from mindviz.wire.encode import delimited, double_field, varint, varint_field
from mindviz.wire.fields import (
    BadMessage,
    Message,
    read_fields,
    read_varint,
    signed,
    unpack_varints,
)
from mindviz.wire.proto import tensorboard_pb2 as proto

INT64 = st.integers(-(2**63), 2**63 - 1)


@given(number=INT64)
def test_a_varint_is_read_as_it_was_written(number: int) -> None:
    encoded = varint(number)
    value, end = read_varint(memoryview(encoded), 0)
    assert (signed(value), end) == (number, len(encoded))


@given(numbers=st.lists(INT64, max_size=20))
def test_packed_varints_are_read_at_once(numbers: list[int]) -> None:
    packed = b"".join(map(varint, numbers))
    assert unpack_varints(memoryview(packed)).astype(np.int64).tolist() == numbers


@pytest.mark.parametrize("packed", [b"\x80", b"\x01\xff", b"\xff" * 10 + b"\x01"])
def test_packed_varints_that_are_cut_off_or_overlong_are_refused(packed: bytes) -> None:
    with pytest.raises(BadMessage):
        unpack_varints(memoryview(packed))


@given(
    floats=st.lists(st.floats(width=32), max_size=5),
    ints=st.lists(st.integers(-(2**31), 2**31 - 1), max_size=5),
    content=st.binary(max_size=10),
    version=st.integers(-(2**31), 2**31 - 1),
)
def test_a_message_reads_like_the_generated_class(
    floats: list[float], ints: list[int], content: bytes, version: int
) -> None:
    generated = proto.TensorProto(
        version_number=version, tensor_content=content, float_val=floats, int_val=ints
    )
    message = Message(generated.SerializeToString())
    assert message.integer(3) == version
    assert message.bytes(4) == content
    np.testing.assert_array_equal(message.fixed(5, "f4"), np.array(floats, "f4"))
    assert message.varints(7).astype(np.int64).tolist() == ints


def test_repeated_fields_need_not_be_packed() -> None:
    one_by_one = double_field(6, 1.5) + double_field(6, 2.5) + varint_field(7, 3) + b"\x38\x04"
    message = Message(one_by_one + delimited(7, b"\x05\x06"))
    assert message.fixed(6, "f8").tolist() == [1.5, 2.5]
    assert message.varints(7).tolist() == [3, 4, 5, 6]


def test_the_last_of_several_fields_counts_and_absent_ones_have_defaults() -> None:
    message = Message(varint_field(1, 7) + varint_field(1, 8) + double_field(2, 0.5))
    assert message.integer(1) == 8
    assert message.double(2) == 0.5
    assert message.double(9, 3.0) == 3.0
    assert message.integer(9, 4) == 4
    assert not message.bytes(9)
    assert 2 in message
    assert 9 not in message


def test_a_field_of_another_type_is_absent() -> None:
    message = Message(delimited(1, b"abc") + varint_field(2, 1))
    assert message.integer(1) == 0
    assert message.double(1) == 0
    assert not message.bytes(2)


def test_an_array_that_ends_within_an_element_is_refused() -> None:
    with pytest.raises(BadMessage, match="element"):
        Message(delimited(5, b"abc")).fixed(5, "f4")


@pytest.mark.parametrize(
    "data",
    [b"\x0a\x05abc", b"\x80", b"\x09abc", b"\x0b", b"\x00\x01", b"\x08" + b"\xff" * 11],
    ids=["string cut off", "key cut off", "double cut off", "group", "field 0", "overlong"],
)
def test_invalid_messages_are_refused(data: bytes) -> None:
    with pytest.raises(BadMessage):
        Message(data)


@given(data=st.binary(max_size=40))
def test_noise_is_a_message_or_refused(data: bytes) -> None:
    try:
        fields = list(read_fields(data))
    except BadMessage:
        return
    assert sum(1 for _ in fields) <= len(data)


def test_of_a_message_that_is_cut_off_the_beginning_is_read() -> None:
    whole = varint_field(1, 300) + double_field(2, 0.5) + delimited(4, b"x" * 200)
    for end in range(len(whole)):
        message = Message(whole[:end], cut_off=True)
        assert message.integer(1, 300) == 300
        assert message.double(2, 0.5) == 0.5
        assert whole.endswith(b"x" * (200 - len(message.bytes(4))))


def test_a_message_of_very_many_fields_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "MAX_FIELDS", 3)
    assert len(Message(delimited(1, b"") * 3).all_bytes(1)) == 3
    with pytest.raises(BadMessage, match="more than 3 fields"):
        Message(delimited(1, b"") * 4)
