"""Decodes the two TensorProto messages: TensorFlow's and MindSpore's.

Sources: tensorflow/core/framework/{tensor,types}.proto; mindspore anf_ir.proto. Parsed by hand
rather than by generated classes, so that elements go straight into a numpy array.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.payloads.narrow_floats import LAYOUTS, widen, widen_bfloat16
from mindviz.datavisual.series.time_series import Tensor
from mindviz.errors import DamagedValue
from mindviz.wire.fields import Message

MAX_RANK = 64
"""As in numpy."""
MAX_ELEMENTS = 1 << 58
"""Elements of a shape that numpy can address; nothing is allocated for them."""
MAX_EMPTY = 65_536
"""Product of the other dims of a shape that has a zero."""

MAX_REPEATED = 65_536
"""Elements to which a shorter list may be repeated, or ..."""
MAX_REPEATED_RATIO = 64
"""... this many times its length: a few bytes must not allocate all memory. One number may repeat
without limit, as a broadcast takes no memory; strings may not."""

Array = NDArray[np.generic]


class Element(NamedTuple):
    """The element type of a dtype."""

    name: str
    """MindSpore's dtype name without `DT_`, or TensorFlow's if MindSpore has none."""
    stored: str
    """numpy's dtype of `tensor_content` and `raw_data`."""
    listed: int = 0
    """TensorFlow: the field that lists elements."""


_TENSORFLOW = {
    1: Element("FLOAT32", "f4", 5),
    2: Element("FLOAT64", "f8", 6),
    3: Element("INT32", "i4", 7),
    4: Element("UINT8", "u1", 7),
    5: Element("INT16", "i2", 7),
    6: Element("INT8", "i1", 7),
    8: Element("COMPLEX64", "c8", 9),
    9: Element("INT64", "i8", 10),
    10: Element("BOOL", "?", 11),
    11: Element("QINT8", "i1", 7),
    12: Element("QUINT8", "u1", 7),
    13: Element("QINT32", "i4", 7),
    14: Element("BFLOAT16", "u2", 13),
    15: Element("QINT16", "i2", 7),
    16: Element("QUINT16", "u2", 7),
    17: Element("UINT16", "u2", 7),
    18: Element("COMPLEX128", "c16", 12),
    19: Element("FLOAT16", "f2", 13),
    22: Element("UINT32", "u4", 16),
    23: Element("UINT64", "u8", 17),
    24: Element("FLOAT8_E5M2", "u1", 18),
    25: Element("FLOAT8_E4M3FN", "u1", 18),
    26: Element("FLOAT8_E4M3FNUZ", "u1", 18),
    27: Element("FLOAT8_E4M3B11FNUZ", "u1", 18),
    28: Element("FLOAT8_E5M2FNUZ", "u1", 18),
    # One element per byte; only kernels pack them.
    29: Element("INT4", "i1", 7),
    30: Element("UINT4", "u1", 7),
    31: Element("INT2", "i1", 7),
    32: Element("UINT2", "u1", 7),
    33: Element("FLOAT4_E2M1FN", "u1", 18),
}
_TENSORFLOW_STRING = 7
_TENSORFLOW_NUMBERS = frozenset({1, 2, 3, 4, 5, 6, 9, 10, 14, 17, 19, 22, 23})
"""Dtypes whose rank-0 tensors are scalar points."""
_TENSORFLOW_REFERENCE = 100
"""Added to a dtype's number for a reference to such a tensor."""

_MINDSPORE = {
    1: Element("BOOL", "?"),
    2: Element("INT8", "i1"),
    3: Element("INT16", "i2"),
    4: Element("INT32", "i4"),
    5: Element("INT64", "i8"),
    6: Element("UINT8", "u1"),
    7: Element("UINT16", "u2"),
    8: Element("UINT32", "u4"),
    9: Element("UINT64", "u8"),
    10: Element("FLOAT16", "f2"),
    11: Element("FLOAT32", "f4"),
    12: Element("FLOAT64", "f8"),
    43: Element("COMPLEX64", "c8"),
    44: Element("COMPLEX128", "c16"),
    46: Element("BFLOAT16", "u2"),
    48: Element("INT4", "i1"),
}


def tensorflow_tensor(value: bytes | memoryview) -> Tensor:
    """Decode TensorFlow's TensorProto; strings become an object array of `bytes`.

    Raises DamagedValue.
    """
    message = Message(value)
    number = message.integer(1)
    if number > _TENSORFLOW_REFERENCE:
        number -= _TENSORFLOW_REFERENCE
    dims = [dim.integer(1) for dim in message.message(2).messages(2)]
    count = _element_count(dims)
    if number == _TENSORFLOW_STRING:
        return Tensor(_listed(_strings(message), dims, count), "DT_STRING")
    if number not in _TENSORFLOW:
        raise DamagedValue(f"A tensor of TensorFlow's dtype {number} holds no numbers.")
    element = _TENSORFLOW[number]
    content = message.bytes(4)
    if content:
        array = _exactly(_from_bytes(content, element), dims, count)
    else:
        array = _listed(_from_list(message, element), dims, count)
    return Tensor(array, f"DT_{element.name}")


def tensorflow_number(value: bytes | memoryview) -> tuple[float, bool] | None:
    """(number, whether it needs a double) of a TensorProto that is one number, else None."""
    try:
        message = Message(value)
        number = message.integer(1)
        shapes = message.messages(2)
        if number not in _TENSORFLOW_NUMBERS:
            return None
        if any(shape.all_bytes(2) or shape.integer(3) for shape in shapes):
            return None  # it has dims or an unknown rank
        element = _TENSORFLOW[number]
        content = message.bytes(4)
        array = _from_bytes(content, element) if content else _from_list(message, element)
    except DamagedValue:
        return None
    wide = element.stored in ("f8", "i4", "i8", "u4", "u8")
    return (float(array[0]), wide) if array.size == 1 else None


def tensorflow_strings(value: bytes | memoryview) -> list[bytes]:
    """The strings of a TensorProto of dtype DT_STRING. Raises DamagedValue."""
    tensor = tensorflow_tensor(value)
    if tensor.dtype_name != "DT_STRING":
        raise DamagedValue(f"Expected a tensor of strings, not of {tensor.dtype_name}.")
    # A few bytes may claim any shape, and one string may repeat.
    if tensor.data.size > len(value):
        raise DamagedValue(f"A tensor claims to hold {tensor.data.size} strings.")
    return list(tensor.data.ravel().tolist())


def mindspore_tensor(value: bytes | memoryview) -> Tensor:
    """Decode MindSpore's TensorProto. Raises DamagedValue."""
    message = Message(value)
    number = message.integer(2)
    if number not in _MINDSPORE:
        raise DamagedValue(f"A tensor of MindSpore's data type {number} holds no numbers.")
    element = _MINDSPORE[number]
    dims = message.varints(1).astype(np.int64).tolist()
    count = _element_count(dims)
    raw = message.bytes(8)
    array = _from_bytes(raw, element) if raw else _from_mindspore_lists(message, element)
    return Tensor(_exactly(array, dims, count), f"DT_{element.name}")


def _element_count(dims: list[int]) -> int:
    sizes = [size for size in dims if size]
    # As nested lists, an empty tensor has a list for each index of the other dims.
    most = MAX_EMPTY if 0 in dims else MAX_ELEMENTS
    if len(dims) > MAX_RANK or min(sizes, default=1) < 0 or math.prod(sizes) > most:
        raise DamagedValue(f"A tensor cannot have the shape {dims[:MAX_RANK]}.")
    return math.prod(dims)


def _listed(array: Array, dims: list[int], count: int) -> Array:
    """A list in its shape: TensorFlow omits trailing repetitions of the last element.

    Source: `Tensor::FromProto` and `tensor_util.MakeNdarray`; an empty list means zeros.
    """
    if array.size >= count:
        return _exactly(array, dims, count)
    if array.size == 0 and array.dtype.kind != "O":
        array = np.zeros(1, array.dtype)
    most = max(MAX_REPEATED, MAX_REPEATED_RATIO * array.size)
    if array.size == 1 and (array.dtype.kind != "O" or count <= most):
        # Takes no memory.
        return np.broadcast_to(array.reshape(()), dims)
    if not array.size or count > most:
        raise DamagedValue(f"A tensor of {count} elements lists only {array.size} of them.")
    return np.pad(array, (0, count - array.size), "edge").reshape(dims)


def _exactly(array: Array, dims: list[int], count: int) -> Array:
    if array.size != count:
        raise DamagedValue(f"A tensor of shape {dims} holds {array.size} elements, not {count}.")
    return array.reshape(dims)


def _from_bytes(content: memoryview, element: Element) -> Array:
    if element.stored == "?":
        return np.frombuffer(content, np.uint8).astype(np.bool_)
    dtype = np.dtype(element.stored).newbyteorder("<")
    if len(content) % dtype.itemsize:
        raise DamagedValue(
            f"{len(content)} bytes are not a whole number of {element.name} elements."
        )
    return _widened(np.frombuffer(content, dtype), element)


def _from_list(message: Message, element: Element) -> Array:
    number = element.listed
    if number in (5, 6):
        return message.fixed(number, element.stored)
    if number in (9, 12):
        parts = message.fixed(number, "f4" if number == 9 else "f8")
        if len(parts) % 2:
            raise DamagedValue("The last element of a complex tensor has no imaginary part.")
        return parts.astype(parts.dtype.newbyteorder("="), copy=False).view(element.stored)
    if number == 18:
        return _widened(np.frombuffer(message.bytes(18), np.uint8), element)
    numbers = message.varints(number)
    if element.stored == "?":
        return numbers.astype(np.bool_)
    if element.stored == "f2":
        return numbers.astype(np.uint16).view(np.float16)
    return _widened(numbers.astype(element.stored), element)


def _from_mindspore_lists(message: Message, element: Element) -> Array:
    for array in (
        message.fixed(3, "f4"),
        message.varints(4).astype(np.int32),
        message.varints(5).astype(np.int64),
        message.fixed(6, "f8"),
        message.varints(7),
    ):
        if array.size:
            # MindSpore lists elements of all types as floats.
            with np.errstate(invalid="ignore", over="ignore"):
                return array.astype("f4" if element.name == "BFLOAT16" else element.stored)
    return np.empty(0, "f4" if element.name == "BFLOAT16" else element.stored)


def _widened(array: Array, element: Element) -> Array:
    if element.name == "BFLOAT16":
        return widen_bfloat16(array.astype(np.uint16, copy=False))
    if element.name in LAYOUTS:
        return widen(element.name, array.astype(np.uint8, copy=False))
    return array


def _strings(message: Message) -> NDArray[np.object_]:
    strings = message.all_bytes(8)
    array = np.empty(len(strings), object)
    array[:] = [bytes(string) for string in strings]
    return array
