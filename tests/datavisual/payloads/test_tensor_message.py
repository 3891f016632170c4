from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from mindviz.datavisual.payloads.narrow_floats import LAYOUTS, widen, widen_bfloat16
from mindviz.datavisual.payloads.tensor_message import (
    mindspore_tensor,
    tensorflow_number,
    tensorflow_strings,
    tensorflow_tensor,
)
from mindviz.errors import DamagedValue
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import delimited, varint, varint_field
from mindviz.wire.fields import Message
from mindviz.wire.proto import mindspore_pb2, tensorboard_pb2
from tests.encoded_values import listed_tensor

SHAPES = st.just(()) | hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)


def arrays_of(dtypes: st.SearchStrategy[str]) -> st.SearchStrategy[NDArray[np.generic]]:
    return st.tuples(dtypes, SHAPES).flatmap(lambda kind: hnp.arrays(np.dtype(kind[0]), kind[1]))


def tensor_of(value: bytes) -> bytes:
    """The TensorProto in a Summary.Value: field 8 in both formats."""
    return bytes(Message(value).bytes(8))


@pytest.mark.parametrize("encode", [tensorboard.tensor, listed_tensor])
@given(array=arrays_of(st.sampled_from(sorted(tensorboard.DATA_TYPES))))
def test_tensorflow_tensors_of_every_dtype_are_read_as_written(
    encode: Callable[[str, NDArray[np.generic]], bytes], array: NDArray[np.generic]
) -> None:
    tensor = tensorflow_tensor(tensor_of(encode("t", array)))
    assert tensor.data.dtype == array.dtype
    np.testing.assert_array_equal(tensor.data, array, strict=True)


EXACT_FIELDS = {
    "bool": "int32_data",
    "int8": "int32_data",
    "int16": "int32_data",
    "int32": "int32_data",
    "int64": "int64_data",
    "uint8": "int32_data",
    "uint16": "int32_data",
    "uint32": "uint64_data",
    "uint64": "uint64_data",
    "float16": "float_data",
    "float32": "float_data",
    "float64": "double_data",
}


@given(array=arrays_of(st.sampled_from(sorted(EXACT_FIELDS))), raw=st.booleans())
def test_mindspore_tensors_in_every_field_are_read_as_written(
    array: NDArray[np.generic], raw: bool
) -> None:
    name = array.dtype.name
    written = mindspore_pb2.TensorProto(dims=array.shape, data_type=f"DT_{name.upper()}")
    if raw:
        written.raw_data = array.astype(array.dtype.newbyteorder("<")).tobytes()
    else:
        elements = array.astype(np.uint8) if name == "bool" else array
        getattr(written, EXACT_FIELDS[name]).extend(elements.ravel().tolist())
    tensor = mindspore_tensor(written.SerializeToString())
    assert tensor.dtype_name == f"DT_{array.dtype.name.upper()}"
    np.testing.assert_array_equal(tensor.data, array, strict=True)


def test_floats_of_integer_tensors_become_integers() -> None:
    array = np.array([[1, -2], [3, 100]], np.int16)
    tensor = mindspore_tensor(tensor_of(mindspore.tensor("t", array)))
    np.testing.assert_array_equal(tensor.data, array, strict=True)
    assert tensor.dtype_name == "DT_INT16"


def test_mindspores_bfloat16_is_widened() -> None:
    bits = np.array([0x3F80, 0xC000, 0x7F80], "<u2")
    value = mindspore_pb2.TensorProto(
        dims=[3], data_type=mindspore_pb2.DT_BFLOAT16, raw_data=bits.tobytes()
    )
    tensor = mindspore_tensor(value.SerializeToString())
    assert tensor.data.tolist() == [1, -2, np.inf]
    assert (tensor.data.dtype.name, tensor.dtype_name) == ("float32", "DT_BFLOAT16")
    listed = mindspore_pb2.TensorProto(
        dims=[2], data_type=mindspore_pb2.DT_BFLOAT16, float_data=[1.5, 2]
    )
    assert mindspore_tensor(listed.SerializeToString()).data.tolist() == [1.5, 2]


def tensorflow(dtype: tensorboard_pb2.DataType | str, shape: list[int], **fields: object) -> bytes:
    message = tensorboard_pb2.TensorProto(dtype=dtype, **fields)  # type: ignore[arg-type]
    for size in shape:
        message.tensor_shape.dim.add(size=size)
    return message.SerializeToString()


def test_tensorflows_narrow_floats_are_widened() -> None:
    half = tensorflow(tensorboard_pb2.DT_BFLOAT16, [2], half_val=[0x3F80, 0xC000])
    assert tensorflow_tensor(half).data.tolist() == [1, -2]
    content = tensorflow(tensorboard_pb2.DT_BFLOAT16, [1], tensor_content=b"\x80\x3f")
    assert tensorflow_tensor(content).data.tolist() == [1]
    # 0x38: exponent 7, which is the bias, mantissa 0.
    tiny = tensorflow(tensorboard_pb2.DT_FLOAT8_E4M3FN, [2], float8_val=b"\x38\xb8")
    assert tensorflow_tensor(tiny).data.tolist() == [1, -1]


NARROW_INTEGERS = {
    "QINT8": "int8",
    "QUINT8": "uint8",
    "QINT16": "int16",
    "QUINT16": "uint16",
    "QINT32": "int32",
    "INT4": "int8",
    "UINT4": "uint8",
    "INT2": "int8",
    "UINT2": "uint8",
}
"""TensorFlow's name of a dtype -> numpy's dtype of its elements, of at least one byte."""


@given(
    array=arrays_of(st.sampled_from(sorted(set(NARROW_INTEGERS.values())))),
    name=st.sampled_from(sorted(NARROW_INTEGERS)),
    listed=st.booleans(),
)
def test_quantized_and_narrow_integers_are_read_as_written(
    array: NDArray[np.generic], name: str, listed: bool
) -> None:
    array = array.astype(NARROW_INTEGERS[name])
    flat = array.ravel()
    fields: dict[str, object] = (
        {"int_val": flat.tolist()} if listed else {"tensor_content": flat.tobytes()}
    )
    tensor = tensorflow_tensor(tensorflow(f"DT_{name}", list(array.shape), **fields))
    assert tensor.dtype_name == f"DT_{name}"
    np.testing.assert_array_equal(tensor.data, array, strict=True)


@given(
    bits=hnp.arrays(np.uint8, st.integers(2, 12)),
    name=st.sampled_from(sorted(LAYOUTS)),
    listed=st.booleans(),
)
def test_floats_of_8_bits_and_fewer_are_widened_from_either_field(
    bits: NDArray[np.uint8], name: str, listed: bool
) -> None:
    field = "float8_val" if listed else "tensor_content"
    tensor = tensorflow_tensor(tensorflow(f"DT_{name}", [bits.size], **{field: bits.tobytes()}))
    assert tensor.dtype_name == f"DT_{name}"
    np.testing.assert_array_equal(tensor.data, widen(name, bits), strict=True)


@given(bits=hnp.arrays(np.uint16, st.integers(2, 12)), listed=st.booleans())
def test_bfloat16_is_widened_from_either_field(bits: NDArray[np.uint16], listed: bool) -> None:
    fields: dict[str, object] = (
        {"half_val": bits.tolist()} if listed else {"tensor_content": bits.tobytes()}
    )
    tensor = tensorflow_tensor(tensorflow(tensorboard_pb2.DT_BFLOAT16, [bits.size], **fields))
    np.testing.assert_array_equal(tensor.data, widen_bfloat16(bits), strict=True)


@given(array=arrays_of(st.sampled_from(["complex64", "complex128", "int8"])))
def test_mindspores_complex_numbers_and_int4_are_read_as_written(
    array: NDArray[np.generic],
) -> None:
    name = "INT4" if array.dtype == np.int8 else array.dtype.name.upper()
    message = mindspore_pb2.TensorProto(
        dims=array.shape,
        data_type=f"DT_{name}",
        raw_data=array.tobytes(),
    )
    tensor = mindspore_tensor(message.SerializeToString())
    assert tensor.dtype_name == f"DT_{name}"
    np.testing.assert_array_equal(tensor.data, array, strict=True)


def test_a_single_element_is_repeated() -> None:
    tensor = tensorflow_tensor(tensorflow(tensorboard_pb2.DT_INT32, [2, 3], int_val=[7]))
    assert tensor.data.tolist() == [[7, 7, 7], [7, 7, 7]]


def test_a_list_that_ends_early_repeats_its_last_element() -> None:
    value = tensorflow(tensorboard_pb2.DT_INT32, [2, 3], int_val=[1, 2, 7])
    assert tensorflow_tensor(value).data.tolist() == [[1, 2, 7], [7, 7, 7]]
    texts = tensorflow(tensorboard_pb2.DT_STRING, [3], string_val=[b"a", b"b"])
    assert tensorflow_tensor(texts).data.tolist() == [b"a", b"b", b"b"]


def test_an_empty_list_means_zeros() -> None:
    value = tensorflow(tensorboard_pb2.DT_FLOAT, [3])
    assert tensorflow_tensor(value).data.tolist() == [0.0, 0.0, 0.0]


def test_a_reference_to_a_tensor_is_read_like_the_tensor() -> None:
    number = tensorboard_pb2.TensorProto(float_val=[1.5]).SerializeToString()
    tensor = tensorflow_tensor(b"\x08\x65" + number)  # dtype 101
    assert (tensor.data.tolist(), tensor.dtype_name) == (1.5, "DT_FLOAT32")


def test_strings_are_bytes_in_an_object_array() -> None:
    value = tensor_of(tensorboard.strings_tensor("t", [b"a", b"\xff\0", b""], (3,)))
    tensor = tensorflow_tensor(value)
    assert tensor.data.tolist() == [b"a", b"\xff\0", b""]
    assert tensor.dtype_name == "DT_STRING"
    assert tensorflow_strings(value) == [b"a", b"\xff\0", b""]


DAMAGED = {
    "far too few": tensorflow(tensorboard_pb2.DT_FLOAT, [1 << 40], float_val=[1, 2]),
    "too few to repeat": tensorflow(tensorboard_pb2.DT_FLOAT, [65_537], float_val=[1, 2]),
    "too few strings to repeat": tensorflow(tensorboard_pb2.DT_STRING, [65_537], string_val=[b"x"]),
    "too few bytes": tensorflow(tensorboard_pb2.DT_FLOAT, [2], tensor_content=bytes(4)),
    "too many": tensorflow(tensorboard_pb2.DT_FLOAT, [1], float_val=[1, 2]),
    "one string for too many": tensorflow(tensorboard_pb2.DT_STRING, [1 << 40], string_val=[b"x"]),
    "no string": tensorflow(tensorboard_pb2.DT_STRING, [3]),
    "half an element": tensorflow(tensorboard_pb2.DT_FLOAT, [1], tensor_content=b"abc"),
    "half a complex": tensorflow(tensorboard_pb2.DT_COMPLEX64, [1], scomplex_val=[1]),
    "negative size": tensorflow(tensorboard_pb2.DT_FLOAT, [-1, -1], float_val=[1]),
    "beyond 64 bits": tensorflow(tensorboard_pb2.DT_FLOAT, [2**40, 2**40], float_val=[1]),
    "beyond 64 bits, but empty": tensorflow(tensorboard_pb2.DT_FLOAT, [2**60, 2**60, 0]),
    "empty, but of many places": tensorflow(tensorboard_pb2.DT_FLOAT, [2**40, 0]),
    "65 dimensions": tensorflow(tensorboard_pb2.DT_FLOAT, [1] * 65, float_val=[1]),
    "no dtype": tensorflow(tensorboard_pb2.DT_INVALID, [1], float_val=[1]),
    "a handle": tensorflow(tensorboard_pb2.DT_RESOURCE, []),
}


@pytest.mark.parametrize("value", DAMAGED.values(), ids=DAMAGED)
def test_an_inconsistent_tensor_is_damaged(value: bytes) -> None:
    with pytest.raises(DamagedValue):
        tensorflow_tensor(value)


@pytest.mark.parametrize(
    "message",
    [
        mindspore_pb2.TensorProto(dims=[2], data_type=mindspore_pb2.DT_FLOAT32, float_data=[1]),
        mindspore_pb2.TensorProto(dims=[2], data_type=mindspore_pb2.DT_FLOAT32, raw_data=b"abcd"),
        mindspore_pb2.TensorProto(dims=[-2], data_type=mindspore_pb2.DT_FLOAT32, float_data=[1]),
        mindspore_pb2.TensorProto(dims=[1], data_type=mindspore_pb2.DT_STRING, float_data=[1]),
        mindspore_pb2.TensorProto(
            dims=[2**40, 2**40], data_type=mindspore_pb2.DT_FLOAT32, float_data=[1]
        ),
    ],
    ids=["too few", "half an element", "negative size", "strings", "beyond 64 bits"],
)
def test_an_inconsistent_mindspore_tensor_is_damaged(
    message: mindspore_pb2.TensorProto,
) -> None:
    with pytest.raises(DamagedValue):
        mindspore_tensor(message.SerializeToString())


def test_numbers_are_no_strings() -> None:
    with pytest.raises(DamagedValue):
        tensorflow_strings(tensorflow(tensorboard_pb2.DT_FLOAT, [1], float_val=[1]))


def test_a_long_list_may_be_extended_in_proportion() -> None:
    value = tensorflow(tensorboard_pb2.DT_UINT8, [128_000], int_val=[1] * 2_000)
    assert tensorflow_tensor(value).data.sum() == 128_000


HALF_NAN = varint_field(1, 19) + delimited(4, b"\x00\x7e")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (varint_field(1, 1) + delimited(4, struct.pack("<f", 0.5)), (0.5, False)),
        (varint_field(1, 2) + delimited(6, struct.pack("<d", 0.1)), (0.1, True)),
        (varint_field(1, 9) + varint_field(10, (1 << 64) - 7), (-7.0, True)),
        (varint_field(1, 3) + delimited(7, varint(1 << 20)), (float(1 << 20), True)),
        (varint_field(1, 10) + delimited(4, b"\x02"), (1.0, False)),
        (varint_field(1, 14) + delimited(4, b"\x80\x3f"), (1.0, False)),
    ],
)
def test_one_number_is_decoded_with_its_width(message: bytes, expected: tuple[float, bool]) -> None:
    assert tensorflow_number(message) == expected


def test_a_half_can_be_nan() -> None:
    number = tensorflow_number(HALF_NAN)
    assert number is not None
    assert math.isnan(number[0])


@pytest.mark.parametrize(
    "message",
    [
        varint_field(1, 7) + delimited(8, b"text"),
        varint_field(1, 1),
        HALF_NAN + delimited(2, delimited(2, varint_field(1, 1))),
        HALF_NAN + delimited(2, varint_field(3, 1)),
        HALF_NAN + b"\x0b",
        varint_field(1, 1) + delimited(5, bytes(8)),
        varint_field(1, 1) + delimited(5, bytes(5)),
        varint_field(1, 1) + delimited(4, bytes(5)),
    ],
    ids=["text", "no element", "shape", "no rank", "group", "two", "cut off", "too long"],
)
def test_other_messages_are_not_one_number(message: bytes) -> None:
    assert tensorflow_number(message) is None
