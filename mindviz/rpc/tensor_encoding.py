"""Encodes tensors so that TensorBoard's client can decode them.

A tensor that it cannot decode fails the whole answer. It reads `tensor_content` of any numpy dtype,
but lists of elements only of some, and it reads empty tensors from the list. Source:
tensorboard/util/tensor_util.py, `make_ndarray`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mindviz.wire.encode_tensorboard import DATA_TYPES, numbers_message, strings_message

MAX_RANK = 32
"""Maximum of numpy 1."""

_NEVER_LISTED = frozenset({"uint32", "uint64"})


def tensor_message(tensor: NDArray[np.generic]) -> bytes | None:
    """A TensorProto; None if the client could not decode it."""
    if tensor.ndim > MAX_RANK:
        return None
    if tensor.dtype == object:
        strings: list[bytes] = tensor.ravel().tolist()
        return strings_message(strings, tensor.shape)
    if tensor.dtype.name in _NEVER_LISTED and not tensor.size:
        tensor = tensor.astype(np.int64)
    return numbers_message(tensor) if tensor.dtype.name in DATA_TYPES else None
