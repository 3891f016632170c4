from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mindviz.datavisual.payloads.packed_tensor import packed, unpacked
from mindviz.errors import DamagedValue

NUMBERS = st.one_of(
    arrays.integer_dtypes(endianness="?"),
    arrays.unsigned_integer_dtypes(endianness="?"),
    arrays.floating_dtypes(sizes=(16, 32, 64), endianness="?"),
    arrays.complex_number_dtypes(sizes=(64, 128), endianness="?"),
    arrays.boolean_dtypes(),
)
SHAPES = arrays.array_shapes(min_dims=0, min_side=0, max_side=4)


@given(tensor=arrays.arrays(NUMBERS, SHAPES))
def test_numbers_round_trip(tensor: np.ndarray) -> None:
    back = unpacked(*packed(tensor))
    assert (back.shape, back.dtype.name) == (tensor.shape, tensor.dtype.name)
    np.testing.assert_array_equal(back, tensor)


def test_numbers_are_little_endian_in_c_order() -> None:
    tensor = np.array([[1, 3], [2, 4]], ">i2").T
    assert packed(tensor) == ("int16", "[2,2]", bytes.fromhex("0100020003000400"))


@given(strings=st.lists(st.binary(max_size=5), max_size=6))
def test_strings_round_trip(strings: list[bytes]) -> None:
    tensor = np.empty((len(strings), 1), object)
    tensor[:, 0] = strings
    back = unpacked(*packed(tensor))
    assert back.shape == tensor.shape
    assert back.ravel().tolist() == strings


@pytest.mark.parametrize(
    "row",
    [
        ("float32", "[2]", b"1234"),
        ("nonsense", "[]", b""),
        ("float32", "no JSON", b""),
        ("string", "[3]", bytes(4)),
    ],
)
def test_an_inconsistent_row_is_damaged(row: tuple[str, str, bytes]) -> None:
    with pytest.raises(DamagedValue, match="damaged"):
        unpacked(*row)


def test_other_types_than_numbers_and_strings_are_refused() -> None:
    with pytest.raises(DamagedValue, match="datetime64"):
        packed(np.zeros(1, "M8[s]"))
