"""Packs repeated numeric fields from numpy columns, without a Python object per element.

What `fields.Message.varints` and `fixed` read. Source: protobuf's encoding guide.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_SEPTET = np.uint64(0x7F)
_NOTHING = memoryview(b"")
"""numpy's views of nothing cannot be cast."""
_SHARED = 16_384
"""Numbers of a column that is remembered: the series of a log mostly have equal steps."""


def packed_varints(numbers: NDArray[np.int64]) -> bytes:
    """The content of a packed int64 field; `numbers` has the shape (n,)."""
    raw = numbers.astype(np.int64, copy=False).tobytes()
    return _remembered(raw) if len(numbers) <= _SHARED else _packed(raw)


def _packed(raw: bytes) -> bytes:
    """Of the numbers as they lie in memory."""
    unsigned = np.frombuffer(raw, np.uint64)
    largest = int(unsigned.max(initial=0))
    if largest < 0x80:
        return unsigned.astype(np.uint8).tobytes()
    width = -(-largest.bit_length() // 7)
    # One row per number, one column per septet, the lowest first. Septets behind the last that is
    # not zero are left out; all but the last carry the mark that more follow.
    shifts = np.arange(0, 7 * width, 7, dtype=np.uint64)
    rest = unsigned[:, np.newaxis] >> shifts
    present = rest != 0
    present[:, 0] = True
    septets = (rest & _SEPTET).astype(np.uint8)
    septets[:, :-1] |= present[:, 1:].astype(np.uint8) << np.uint8(7)
    kept: NDArray[np.uint8] = septets[present]
    return kept.tobytes()


_remembered = lru_cache(maxsize=32)(_packed)


def packed_floats(numbers: NDArray[np.floating]) -> memoryview:
    """The content of a packed float field; what float32 cannot hold becomes infinite."""
    with np.errstate(over="ignore"):
        return numbers.astype("<f4").data.cast("B") if len(numbers) else _NOTHING


def packed_doubles(numbers: NDArray[np.floating]) -> memoryview:
    """The content of a packed double field: where it lies, if it lies there as it is packed."""
    return np.ascontiguousarray(numbers, "<f8").data.cast("B") if len(numbers) else _NOTHING
