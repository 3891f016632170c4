from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import tensorboard, visualdl
from mindviz.datavisual.logs.scanner._scan_python_values import (
    SchemaTable,
    Value,
    read_key,
    read_rank0,
    read_size,
    read_varint,
    session_starts,
    skip_field,
    wall_time_of,
)
from mindviz.wire.encode import delimited, double_field, float_field, varint, varint_field
from mindviz.wire.fields import BadMessage


@given(number=st.integers(0, (1 << 64) - 1), before=st.binary(max_size=3))
def test_varints_are_read_back(number: int, before: bytes) -> None:
    data = before + varint(number) + b"rest"
    assert read_varint(data, len(before), len(data)) == (number, len(data) - 4)


def test_a_varint_may_waste_bytes_but_not_more_than_ten() -> None:
    assert read_varint(b"\x81" + b"\x80" * 8 + b"\0", 0, 10) == (1, 10)
    with pytest.raises(BadMessage):
        read_varint(b"\x80" * 10 + b"\0", 0, 11)
    with pytest.raises(BadMessage):
        read_varint(b"\x80\x01", 0, 1)


def test_field_zero_is_refused() -> None:
    with pytest.raises(BadMessage):
        read_key(b"\x02", 0, 1)


@pytest.mark.parametrize(
    "field", [varint_field(9, 1 << 40), double_field(9, 1.0), float_field(9, 1.0), b"\x4a\x02ab"]
)
def test_fields_of_every_wire_type_are_skipped_whole_or_not_at_all(field: bytes) -> None:
    assert skip_field(field, 1, len(field), field[0]) == len(field)
    with pytest.raises(BadMessage):
        skip_field(field, 1, len(field) - 1, field[0])


@pytest.mark.parametrize("wire_type", [3, 4, 6, 7])
def test_groups_are_refused(wire_type: int) -> None:
    with pytest.raises(BadMessage):
        skip_field(bytes(20), 0, 20, 1 << 3 | wire_type)


def test_a_length_beyond_the_message_is_refused() -> None:
    assert read_size(b"\x02ab", 0, 3) == (1, 3)
    with pytest.raises(BadMessage):
        read_size(b"\x03ab", 0, 3)


def test_wall_times_are_seconds() -> None:
    assert wall_time_of(1_700_000_000) == 1.7e9
    assert wall_time_of(1_700_000_000_500) == 1_700_000_000.5
    assert wall_time_of((1 << 64) - 1) == -1.0


def test_only_status_1_is_a_start() -> None:
    assert session_starts(varint_field(1, 1))
    assert not session_starts(b"")
    assert not session_starts(varint_field(1, 1) + varint_field(1, 2))


def test_the_last_content_of_a_value_replaces_the_others() -> None:
    value = Value()
    value.set_number(1.0, wide=True, from_tensor=True)
    value.set_place(2, 10, 20)
    assert (value.number, value.place, value.from_tensor) == (None, (10, 20), False)
    value.set_segment_mark()
    assert (value.place, value.marks_segment) == (None, True)
    value.set_number(2.0)
    assert (value.number, value.place, value.kind, value.marks_segment) == (2.0, None, 0, False)


def test_a_schema_says_what_each_key_means() -> None:
    table = SchemaTable(visualdl.RECORD)
    assert (table.checksums, table.timed_values, table.first_key) == (False, True, 0x0A)
    table = SchemaTable(tensorboard.EVENT)
    assert (table.checksums, table.timed_values) == (True, False)
    assert tensorboard.EVENT.kinds[table.tensor_kind] == "tensor"


def test_a_tensor_of_one_number_is_read_and_any_other_is_not() -> None:
    half = varint_field(1, 19) + delimited(4, b"\x00\x7e")
    number = read_rank0(memoryview(half))
    assert number is not None
    assert math.isnan(number[0])
    assert read_rank0(memoryview(varint_field(1, 7) + delimited(8, b"text"))) is None
    assert read_rank0(memoryview(half + b"\x0b")) is None
