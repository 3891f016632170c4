from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.wire.encode import delimited, double_field, float_field, frame, frames, varint
from mindviz.wire.framing import Framing
from tests.proto import tensorboard_pb2 as proto


def test_a_tfrecord_carries_both_checksums() -> None:
    # Check vectors of TensorFlow's record format: this payload's masked CRC, and that of length 24.
    payload = b"\x1a\x16CRC test, one two wor!"
    record = frame(payload, Framing.TFRECORD)
    assert len(payload) == 24
    assert record[:12] == bytes.fromhex("1800000000000000a37f4b22")
    assert record[12:-4] == payload
    check = b"\x1a\x11CRC test, one two"
    assert frame(check, Framing.TFRECORD)[-4:] == (0x5794D08A).to_bytes(4, "little")


def test_a_length_prefixed_record_carries_none() -> None:
    assert frame(b"abc", Framing.LENGTH_PREFIXED) == b"\x03" + bytes(7) + b"abc"


def test_a_file_is_its_records_one_after_the_other() -> None:
    both = frames([b"a", b""], Framing.TFRECORD)
    assert both == frame(b"a", Framing.TFRECORD) + frame(b"", Framing.TFRECORD)


@given(step=st.integers(-(2**63), 2**63 - 1))
def test_varints_are_those_of_protobuf(step: int) -> None:
    event = proto.Event(step=step).SerializeToString()
    assert event == (b"\x10" + varint(step) if step else b"")


@given(value=st.floats(width=32))
def test_floats_are_those_of_protobuf(value: float) -> None:
    written = proto.Summary.Value.FromString(float_field(2, value)).simple_value
    assert written == value or (math.isnan(written) and math.isnan(value))


@pytest.mark.parametrize(("value", "stored"), [(1e300, math.inf), (-1e300, -math.inf)])
def test_numbers_beyond_float32_are_infinite(value: float, stored: float) -> None:
    assert proto.Summary.Value.FromString(float_field(2, value)).simple_value == stored


def test_doubles_and_long_strings() -> None:
    data = double_field(1, 0.1) + delimited(3, b"v" * 300)
    event = proto.Event.FromString(data)
    assert (event.wall_time, event.file_version) == (0.1, "v" * 300)
