"""Packs repeated numeric fields from numpy columns, without a Python object per element.

The inverse of `fields.Message.varints` and `fixed`. Source: protobuf's encoding guide.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_SEPTET = np.uint64(0x7F)
_EMPTY = memoryview(b"")
"""For empty arrays, whose memoryviews cannot be cast."""
_MAX_CACHED = 16_384
"""Length of columns to cache: most series of a log have equal steps."""


def packed_varints(numbers: NDArray[np.int64]) -> bytes:
    """The content of a packed int64 field; `numbers` has shape (n,)."""
    raw = numbers.astype(np.int64, copy=False).tobytes()
    return _pack_cached(raw) if len(numbers) <= _MAX_CACHED else _pack(raw)


def _pack(raw: bytes) -> bytes:
    unsigned = np.frombuffer(raw, np.uint64)
    largest = int(unsigned.max(initial=0))
    if largest < 0x80:
        return unsigned.astype(np.uint8).tobytes()
    width = -(-largest.bit_length() // 7)
    # One row per number, one column per septet, lowest first. Leading zero septets are omitted;
    # all septets but a number's last have the continuation bit.
    shifts = np.arange(0, 7 * width, 7, dtype=np.uint64)
    rest = unsigned[:, np.newaxis] >> shifts
    present = rest != 0
    present[:, 0] = True
    septets = (rest & _SEPTET).astype(np.uint8)
    septets[:, :-1] |= present[:, 1:].astype(np.uint8) << np.uint8(7)
    kept: NDArray[np.uint8] = septets[present]
    return kept.tobytes()


_pack_cached = lru_cache(maxsize=32)(_pack)


def packed_floats(numbers: NDArray[np.floating]) -> memoryview:
    """The content of a packed float field; infinite beyond float32's range."""
    with np.errstate(over="ignore"):
        return numbers.astype("<f4").data.cast("B") if len(numbers) else _EMPTY


def packed_doubles(numbers: NDArray[np.floating]) -> memoryview:
    """The content of a packed double field, copied only if necessary."""
    return np.ascontiguousarray(numbers, "<f8").data.cast("B") if len(numbers) else _EMPTY
