"""PackedTensor: a tensor as bytes, shape and dtype, for databases.

Numbers are little-endian, in C order. Strings are all lengths, as 32-bit numbers, then all
strings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from mindviz.errors import DamagedValue

STRING = "string"
"""The dtype of strings; dtypes of numbers have numpy's names, such as `float32`."""


class PackedTensor(NamedTuple):
    """A tensor as three columns."""

    dtype: str
    shape: str
    """JSON: a list of numbers."""
    data: bytes


def packed(tensor: NDArray[np.generic]) -> PackedTensor:
    """Pack a tensor of numbers, or an object array of `bytes`. Raises DamagedValue."""
    shape = orjson.dumps(list(tensor.shape)).decode()
    if tensor.dtype == object:
        strings: list[bytes] = tensor.ravel().tolist()
        lengths = np.array([len(string) for string in strings], "<u4")
        return PackedTensor(STRING, shape, lengths.tobytes() + b"".join(strings))
    if tensor.dtype.kind not in "biufc":
        raise DamagedValue(f"A tensor of type {tensor.dtype} cannot be stored.")
    little = np.ascontiguousarray(tensor.astype(tensor.dtype.newbyteorder("<"), copy=False))
    return PackedTensor(tensor.dtype.name, shape, little.tobytes())


def unpacked(dtype: str, shape: str, data: bytes) -> NDArray[np.generic]:
    """The packed tensor. Raises DamagedValue if dtype, shape and data do not match."""
    try:
        dims = orjson.loads(shape)
        if dtype == STRING:
            return _strings(data, int(np.prod(dims))).reshape(dims)
        numbers: NDArray[np.generic] = np.frombuffer(data, np.dtype(dtype).newbyteorder("<"))
        return numbers.astype(np.dtype(dtype), copy=False).reshape(dims)
    except (TypeError, ValueError) as error:
        raise DamagedValue(f"A stored tensor is damaged: {error}.") from error


def _strings(data: bytes, count: int) -> NDArray[np.object_]:
    lengths = np.frombuffer(data, "<u4", count)
    ends = lengths.nbytes + np.cumsum(lengths, dtype=np.int64)
    strings = np.empty(count, object)
    strings[:] = [
        data[end - length : end]
        for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]
    return strings
