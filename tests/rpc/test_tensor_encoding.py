from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from mindviz.datavisual.payloads.tensor_message import tensorflow_tensor
from mindviz.rpc.tensor_encoding import MAX_RANK, tensor_message
from mindviz.wire.proto import tensorboard_pb2 as proto

NUMBERS = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16"]


def decoded(tensor: NDArray[np.generic]) -> NDArray[np.generic]:
    encoded = tensor_message(tensor)
    assert encoded is not None
    return tensorflow_tensor(encoded).data


@pytest.mark.parametrize("name", NUMBERS)
@given(data=st.data())
def test_numbers_of_every_type_round_trip(name: str, data: st.DataObject) -> None:
    shape = arrays.array_shapes(min_dims=0, max_dims=3, max_side=3)
    tensor = data.draw(arrays.arrays(np.dtype(name), shape))
    seen = decoded(tensor)
    assert seen.dtype == tensor.dtype
    np.testing.assert_array_equal(seen, tensor)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("shape", [(0,), (2, 0, 3)])
def test_an_empty_tensor_keeps_its_shape_and_is_of_a_type_that_may_be_listed(
    name: str, shape: tuple[int, ...]
) -> None:
    encoded = tensor_message(np.zeros(shape, name))
    assert encoded is not None
    message = proto.TensorProto.FromString(encoded)
    assert [dim.size for dim in message.tensor_shape.dim] == list(shape)
    # The client raises TypeError for lists of these two, and loses the whole answer.
    assert message.dtype not in (proto.DT_UINT32, proto.DT_UINT64)


def test_big_endian_numbers_are_turned() -> None:
    np.testing.assert_array_equal(decoded(np.array([1.5, 2.5], ">f4")), [1.5, 2.5])


def test_a_repeated_element_is_expanded() -> None:
    encoded = tensor_message(np.broadcast_to(np.float32(2), (2, 2)))
    assert encoded is not None
    assert len(proto.TensorProto.FromString(encoded).tensor_content) == 16


@given(st.lists(st.binary(max_size=5), max_size=6))
def test_strings_are_listed(strings: list[bytes]) -> None:
    tensor = np.empty(len(strings), object)
    tensor[:] = strings
    encoded = tensor_message(tensor.reshape(1, -1))
    assert encoded is not None
    message = proto.TensorProto.FromString(encoded)
    assert (message.dtype, list(message.string_val)) == (proto.DT_STRING, strings)


@pytest.mark.parametrize(
    "tensor",
    [np.zeros((1,) * (MAX_RANK + 1), np.float32), np.zeros(2, np.longdouble), np.zeros(2, "U3")],
    ids=["rank", "longdouble", "text"],
)
def test_undecodable_values_are_not_sent(tensor: NDArray[np.generic]) -> None:
    assert tensor_message(tensor) is None
