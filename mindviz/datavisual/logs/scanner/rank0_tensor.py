"""Reads TensorFlow's TensorProto where it holds a single number, for the Python scanner."""

from __future__ import annotations

from typing import Final

import numpy as np

from mindviz.wire.fields import (
    FIXED32,
    FIXED64,
    LENGTH_DELIMITED,
    VARINT,
    BadMessage,
    read_fields,
    read_varint,
)

_NARROW = {1: "<f4", 4: "u1", 5: "<i2", 6: "i1", 10: "?", 14: "<u2", 17: "<u2", 19: "<f2"}
_WIDE = {2: "<f8", 3: "<i4", 9: "<i8", 22: "<u4", 23: "<u8"}
_STORED = {number: np.dtype(name) for number, name in (_NARROW | _WIDE).items()}
"""TensorFlow's DataType -> the dtype of `tensor_content`."""
_BFLOAT16: Final = 14
_LIST = {1: 5, 2: 6, 3: 7, 4: 7, 5: 7, 6: 7, 17: 7, 9: 10, 10: 11, 14: 13, 19: 13, 22: 16, 23: 17}
"""TensorFlow's DataType -> the field that lists elements where `tensor_content` is empty."""


def read_rank0(message: bytes) -> tuple[float, bool] | None:
    """(number, whether it needs a double) of a TensorProto of one number, else None."""
    dtype, content = 0, b""
    listed: dict[int, list[int]] = {}
    try:
        for number, wire_type, value in read_fields(message):
            if isinstance(value, int):
                if number == 1:
                    dtype = value
                elif number in _LIST.values():
                    listed.setdefault(number, []).append(value)
            elif number == 2 and wire_type == LENGTH_DELIMITED:
                if _has_dims(value):
                    return None
            elif number == 4 and wire_type == LENGTH_DELIMITED:
                content = bytes(value)
            else:
                listed.setdefault(number, []).extend(_elements(number, wire_type, value))
    except BadMessage:
        return None
    elements = listed.get(_LIST.get(dtype, 0), [])
    if dtype not in _STORED or (not content and len(elements) != 1):
        return None
    return _number(dtype, content, elements)


def _number(dtype: int, content: bytes, elements: list[int]) -> tuple[float, bool] | None:
    stored = _STORED[dtype]
    if stored == np.bool_:  # any bits but zeros are true
        content = bytes(byte != 0 for byte in content)
        elements = [int(element != 0) for element in elements]
    content = content or elements[0].to_bytes(8, "little")[: stored.itemsize]
    if len(content) != stored.itemsize:
        return None
    if dtype == _BFLOAT16:  # the upper half of a float
        return float(np.frombuffer(b"\0\0" + content, "<f4")[0]), False
    return float(np.frombuffer(content, stored)[0]), dtype in _WIDE


def _has_dims(shape: memoryview) -> bool:
    """Whether a TensorShapeProto has dimensions or an unknown rank. Raises BadMessage."""
    return any(
        (number == 2 and wire_type == LENGTH_DELIMITED)
        or (number == 3 and wire_type == VARINT and bool(value))
        for number, wire_type, value in read_fields(shape)
    )


def _elements(number: int, wire_type: int, value: memoryview) -> list[int]:
    """The bits of the elements in a list field that is no varint. Raises BadMessage."""
    if number in (5, 6) and wire_type in (LENGTH_DELIMITED, FIXED32 if number == 5 else FIXED64):
        size = 4 if number == 5 else 8
        if len(value) % size:
            raise BadMessage("a packed list ends within an element")
        return [int.from_bytes(value[i : i + size], "little") for i in range(0, len(value), size)]
    if number in (5, 6) or number not in _LIST.values() or wire_type != LENGTH_DELIMITED:
        return []
    elements, at = [], 0
    while at < len(value):
        element, at = read_varint(value, at)
        elements.append(element)
    return elements
