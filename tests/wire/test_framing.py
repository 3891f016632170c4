from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.errors import DamagedValue
from mindviz.wire.encode import frame
from mindviz.wire.framing import Framing, unpack_record

framings = pytest.mark.parametrize("framing", Framing)


@framings
@given(payload=st.binary(max_size=100))
def test_framed_records_round_trip(framing: Framing, payload: bytes) -> None:
    assert unpack_record(framing, frame(payload, framing)) == payload


@framings
@given(payload=st.binary(max_size=30), data=st.data())
def test_a_record_of_another_length_is_damaged(
    framing: Framing, payload: bytes, data: st.DataObject
) -> None:
    record = frame(payload, framing)
    other = record[: data.draw(st.integers(0, len(record) - 1))]
    for damaged in (other, record + b"\0"):
        with pytest.raises(DamagedValue):
            unpack_record(framing, damaged)


@given(payload=st.binary(max_size=60), data=st.data())
def test_any_flipped_bit_of_a_record_with_checksums_is_found(
    payload: bytes, data: st.DataObject
) -> None:
    record = bytearray(frame(payload, Framing.TFRECORD))
    record[data.draw(st.integers(0, len(record) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(DamagedValue):
        unpack_record(Framing.TFRECORD, bytes(record))
