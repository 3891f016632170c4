"""Encodes tensors so that TensorBoard's client can decode them.

A tensor that it cannot decode fails the whole answer. It reads `tensor_content` of any numpy dtype,
but lists of elements only of some, and it reads empty tensors from the list. Source:
tensorboard/util/tensor_util.py, `make_ndarray`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mindviz.wire.encode import delimited, message, varint_field

MAX_RANK = 32
"""Maximum of numpy 1."""

_STRING = 7
_TYPES: Mapping[str, int] = {
    "f4": 1,
    "f8": 2,
    "i4": 3,
    "u1": 4,
    "i2": 5,
    "i1": 6,
    "c8": 8,
    "i8": 9,
    "b1": 10,
    "u2": 17,
    "c16": 18,
    "f2": 19,
    "u4": 22,
    "u8": 23,
}
"""numpy's name of a dtype -> TensorFlow's number."""
_NEVER_LISTED = frozenset({"u4", "u8"})


def tensor_message(tensor: NDArray[np.generic]) -> bytes | None:
    """A TensorProto; None if the client could not decode it."""
    if tensor.ndim > MAX_RANK:
        return None
    shape = b"".join(message(2, varint_field(1, size)) for size in tensor.shape)
    if tensor.dtype == object:
        strings: list[bytes] = tensor.ravel().tolist()
        elements = b"".join([delimited(8, string) for string in strings])
        return varint_field(1, _STRING) + delimited(2, shape) + elements
    name = tensor.dtype.str[1:]
    if name in _NEVER_LISTED and not tensor.size:
        name = "i8"
    if name not in _TYPES:
        return None
    content = tensor.astype(tensor.dtype.newbyteorder("<"), copy=False).tobytes()
    head = varint_field(1, _TYPES[name]) + delimited(2, shape)
    return head + delimited(4, content) if content else head
