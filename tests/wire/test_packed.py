from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mindviz.wire.encode import varint
from mindviz.wire.fields import Message, unpack_varints
from mindviz.wire.packed import packed_doubles, packed_floats, packed_varints
from tests.proto import data_provider_pb2 as proto

INT64S = st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(0, 20_000)


@given(st.lists(INT64S, max_size=50))
def test_packed_varints_are_those_of_each_number(numbers: list[int]) -> None:
    packed = packed_varints(np.array(numbers, np.int64))
    assert packed == b"".join(map(varint, numbers))
    assert unpack_varints(memoryview(packed)).view(np.int64).tolist() == numbers


def test_strided_columns_are_packed() -> None:
    column = np.arange(300, dtype=np.int64)[::2]
    assert packed_varints(column) == b"".join(map(varint, range(0, 300, 2)))


def test_a_long_column_is_packed_as_a_short_one_is() -> None:
    column = np.arange(40_000, dtype=np.int64)
    assert packed_varints(column) == packed_varints(column[:10_000]) + packed_varints(
        column[10_000:20_000]
    ) + packed_varints(column[20_000:30_000]) + packed_varints(column[30_000:])


@given(arrays.arrays(np.float64, st.integers(0, 20)))
def test_doubles_are_exact_and_floats_are_rounded(numbers: np.ndarray) -> None:
    data = proto.ScalarData()
    data.ParseFromString(
        b"\x12" + varint(8 * len(numbers)) + packed_doubles(numbers)
        + b"\x1a" + varint(4 * len(numbers)) + packed_floats(numbers)
    )  # fmt: skip
    np.testing.assert_array_equal(np.array(data.wall_time, np.float64), numbers)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(np.array(data.value, np.float32), numbers.astype(np.float32))


def test_numbers_beyond_float32_become_infinite() -> None:
    assert Message(b"\x0a\x04" + packed_floats(np.array([-1e300]))).fixed(1, "f4") == [-np.inf]
