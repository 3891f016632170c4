"""Arrays: what frameworks call tensors, as numpy arrays of our own.

No framework is imported. A value is asked for `__array__`, else for DLPack; what only some of them
have (gradients, devices, bfloat16) is recognised by the methods and names that they share.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue

Array = NDArray[Any]

_REAL = "biuf"
"""`dtype.kind` of what can be drawn as a number."""

NUMBERS = _REAL + "c"
"""The same and complex numbers."""


def snapshot(value: object, what: str, kinds: str = _REAL) -> Array:
    """A copy of an array of (real) numbers, which stays as it is when the training goes on.

    bfloat16 and other narrow floats that numpy does not know become float32, exactly. `what` names
    the value in messages, `kinds` are numpy's letters of what it may hold. Raises
    InvalidValue if it is no such array.
    """
    array, is_ours = _array(value, what)
    if array.dtype.kind not in kinds:
        raise InvalidValue(
            f"{what} is no array of real numbers: shape {list(array.shape)}, type {array.dtype}."
        )
    return array if is_ours else np.array(array, order="C", copy=True)


def number(value: object, what: str) -> float:
    """A scalar as a float: the first element, if it is an array.

    What no float can hold becomes infinite. Raises InvalidValue if there is no real number.
    """
    if isinstance(value, int | float):
        first: Any = value
    else:
        array, _ = _array(value, what)
        if not array.size:
            raise InvalidValue(f"{what} is empty: its shape is {list(array.shape)}.")
        if array.dtype.kind not in _REAL:
            raise InvalidValue(f"{what} is not a real number, but of type {array.dtype}.")
        first = array.flat[0]
    try:
        return float(first)
    except OverflowError:
        return math.inf if first > 0 else -math.inf


def _array(value: Any, what: str) -> tuple[Array, bool]:
    """An array of the value's elements, and whether nobody else has hold of it."""
    try:
        if isinstance(value, np.ndarray):
            return _widened(value)
        tensor = value.detach() if getattr(value, "requires_grad", False) else value
        host = _on_the_host(tensor)
        if _is_bfloat16(host) and hasattr(host, "float"):  # torch, mindspore
            return np.asarray(host.float()), True
        array = np.asarray(host) if _has_elements(host) else np.from_dlpack(host)
        if _is_bfloat16(host) and array.dtype == np.uint16:  # paddle: the bit patterns
            return (array.astype(np.uint32) << np.uint32(16)).view(np.float32), True
        widened, is_new = _widened(array)
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError) as error:
        kind = type(value).__name__
        raise InvalidValue(f"{what} cannot be read as an array: {kind}: {error}") from error
    return widened, is_new or host is not tensor


def _on_the_host(tensor: Any) -> Any:
    """The tensor in memory that numpy can read; itself if it is there already."""
    kind = getattr(getattr(tensor, "device", None), "type", "cpu")
    return tensor.cpu() if kind != "cpu" and hasattr(tensor, "cpu") else tensor


def _has_elements(value: object) -> bool:
    """Whether numpy sees more in it than one opaque object."""
    return hasattr(value, "__array__") or not hasattr(value, "__dlpack__")


def _is_bfloat16(tensor: object) -> bool:
    return str(getattr(tensor, "dtype", "")).lower().endswith("bfloat16")


def _widened(array: Array) -> tuple[Array, bool]:
    """The array, as float32 if its type is a narrow float of ml_dtypes; whether it is a new one."""
    if array.dtype.kind == "V" and "float" in array.dtype.name:
        return array.astype(np.float32), True
    return array, False
