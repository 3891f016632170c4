from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.sql.column_codec import Column, decoded, encoded
from mindviz.errors import DamagedValue

LOW, HIGH = -(1 << 63), (1 << 63) - 1
NAN_PAYLOADS = [0x7FF8_0000_0000_0001, 0x7FF0_0000_DEAD_BEEF, -1]
"""Quiet, signaling, and negative NaN as int64."""

integers = st.integers(LOW, HIGH) | st.integers(-300, 300) | st.sampled_from([LOW, HIGH])
floats = st.one_of(
    st.floats(),
    st.floats(width=32),
    st.sampled_from([-0.0, 5e-324, 1e300]),
    st.sampled_from([struct.unpack("<d", struct.pack("<q", bits))[0] for bits in NAN_PAYLOADS]),
)


@st.composite
def tables(draw: st.DrawFn) -> Sequence[Column]:
    """Columns of equal length. Some repeat, so that they have a length with noise."""
    length, repeats = draw(st.integers(1, 20)), draw(st.sampled_from([1, 40]))
    columns: list[Column] = []
    for is_float in draw(st.lists(st.booleans(), min_size=1, max_size=4)):
        numbers = draw(st.lists(floats if is_float else integers, min_size=length, max_size=length))
        column = np.array(numbers) if is_float else np.array(numbers, np.int64)
        columns.append(np.tile(column, repeats))
    return columns


def same(left: Sequence[Column], right: Sequence[Column]) -> bool:
    pairs = list(zip(left, right, strict=True))
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in pairs)


@given(columns=tables())
def test_columns_come_back_bit_by_bit(columns: Sequence[Column]) -> None:
    data = encoded(*columns)
    assert same(decoded(data, len(columns[0]), len(columns)), columns)


@given(bits=st.lists(st.integers(LOW, HIGH), min_size=1, max_size=600))
def test_any_bits_of_floats_come_back(bits: Sequence[int]) -> None:
    column = np.array(bits, np.int64).view(np.float64)
    assert same(decoded(encoded(column), len(bits), 1), [column])


@given(columns=tables(), data=st.data())
def test_changed_bytes_are_refused(columns: Sequence[Column], data: st.DataObject) -> None:
    content = bytearray(encoded(*columns))
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(DamagedValue):
        decoded(bytes(content), len(columns[0]), len(columns))


@given(columns=tables(), data=st.data())
def test_missing_bytes_and_wrong_lengths_are_refused(
    columns: Sequence[Column], data: st.DataObject
) -> None:
    content, length, count = encoded(*columns), len(columns[0]), len(columns)
    for part, of_length in (
        (content[: data.draw(st.integers(0, len(content) - 1))], length),
        (content + b"\0", length),
        (content, length + 1),
        (content, length - 1),
    ):
        with pytest.raises(DamagedValue):
            decoded(part, of_length, count)


@given(content=st.binary(max_size=200), length=st.integers(0, 50), count=st.integers(1, 4))
def test_bytes_with_a_valid_checksum_are_not_trusted(
    content: bytes, length: int, count: int
) -> None:
    checked = zlib_crc(content, length) + content
    try:
        columns = decoded(checked, length, count)
    except DamagedValue:
        return
    assert [len(column) for column in columns] == [length] * count


def zlib_crc(content: bytes, length: int) -> bytes:
    return zlib.crc32(content, length).to_bytes(4, "little")


def test_a_logged_series_takes_less_than_eight_bytes_per_point() -> None:
    random = np.random.default_rng(0)
    step = np.arange(5000) * 10
    wall_time = 1.7e9 + np.cumsum(random.normal(0.1, 0.005, 5000))
    loss = np.exp(-step / 20_000) + random.normal(0, 0.05, 5000)
    logged = loss.astype(np.float32).astype(np.float64)
    assert len(encoded(step, wall_time, logged)) < 6 * 5000
    assert len(encoded(step, step.astype(np.float64), step / 8)) < 500
