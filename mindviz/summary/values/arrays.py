"""Copies the tensors of any framework into numpy arrays.

Uses `__array__`, else DLPack, without importing a framework. Gradients, devices and bfloat16 are
recognized by attributes that the frameworks share.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue

Array = NDArray[Any]

_REAL = "biuf"
"""`dtype.kind` of booleans, integers and floats."""

NUMBERS = _REAL + "c"
"""As above, and complex numbers."""


def snapshot(value: object, what: str, kinds: str = _REAL) -> Array:
    """A copy of an array, independent of later changes by the training.

    bfloat16 and other narrow floats that numpy lacks become float32, without loss. `what`
    describes the value in messages; `kinds` are the allowed `dtype.kind`s. Raises InvalidValue.
    """
    array, is_copy = _as_array(value, what)
    if array.dtype.kind not in kinds:
        raise InvalidValue(
            f"{what} is not an array of real numbers: shape {list(array.shape)}, type "
            f"{array.dtype}."
        )
    return array if is_copy else np.array(array, order="C", copy=True)


def number(value: object, what: str) -> float:
    """A number, or the first element of an array, as a float; infinite beyond float64's range.

    Raises InvalidValue if there is no real number.
    """
    if isinstance(value, int | float):
        first: Any = value
    else:
        array, _ = _as_array(value, what)
        if not array.size:
            raise InvalidValue(f"{what} is empty: its shape is {list(array.shape)}.")
        if array.dtype.kind not in _REAL:
            raise InvalidValue(f"{what} must be a real number, not {array.dtype}.")
        first = array.flat[0]
    try:
        return float(first)
    except OverflowError:
        return math.inf if first > 0 else -math.inf


def _as_array(value: Any, what: str) -> tuple[Array, bool]:
    """(array, whether it is a copy)."""
    try:
        if isinstance(value, np.ndarray):
            return _widen(value)
        tensor = value.detach() if getattr(value, "requires_grad", False) else value
        on_host = _to_host(tensor)
        if _is_bfloat16(on_host) and hasattr(on_host, "float"):  # torch, mindspore
            return np.asarray(on_host.float()), True
        array = np.from_dlpack(on_host) if _needs_dlpack(on_host) else np.asarray(on_host)
        if _is_bfloat16(on_host) and array.dtype == np.uint16:  # paddle: the bit patterns
            return (array.astype(np.uint32) << np.uint32(16)).view(np.float32), True
        widened, is_copy = _widen(array)
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError) as error:
        kind = type(value).__name__
        raise InvalidValue(f"{what} cannot be read as an array: {kind}: {error}") from error
    return widened, is_copy or on_host is not tensor


def _to_host(tensor: Any) -> Any:
    """The tensor in host memory; itself if it is there already."""
    kind = getattr(getattr(tensor, "device", None), "type", "cpu")
    return tensor.cpu() if kind != "cpu" and hasattr(tensor, "cpu") else tensor


def _needs_dlpack(value: object) -> bool:
    """Whether `np.asarray` would make one opaque object of it."""
    return hasattr(value, "__dlpack__") and not hasattr(value, "__array__")


def _is_bfloat16(tensor: object) -> bool:
    return str(getattr(tensor, "dtype", "")).lower().endswith("bfloat16")


def _widen(array: Array) -> tuple[Array, bool]:
    """(array, whether it is a copy): narrow floats of ml_dtypes become float32."""
    if array.dtype.kind == "V" and "float" in array.dtype.name:
        return array.astype(np.float32), True
    return array, False
