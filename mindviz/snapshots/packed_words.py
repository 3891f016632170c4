"""Packs columns of 64-bit numbers: gzip of their differences, transposed.

Steps, times and most values change little from point to point, so most bytes of the differences are
zero, and equal bytes lie side by side. `ui/src/api/snapshot/packed_words.ts` unpacks them.
"""

from __future__ import annotations

import gzip
import zlib

import numpy as np

_LEVEL = 6


def packed_words(data: bytes) -> bytes:
    """Any bytes, packed; padded with zeros to whole words."""
    words = np.frombuffer(data + b"\0" * (-len(data) % 8), "<u8")
    differences = np.diff(words, prepend=np.zeros(1, np.uint64)).astype("<u8")
    return packed(differences.view(np.uint8).reshape(-1, 8).T.tobytes())


def unpacked_words(data: bytes, length: int) -> bytes:
    """The first `length` bytes of what was packed."""
    transposed = np.frombuffer(gzip.decompress(data), np.uint8)
    differences = np.ascontiguousarray(transposed.reshape(8, -1).T).view("<u8").reshape(-1)
    return np.cumsum(differences, dtype=np.uint64).astype("<u8").tobytes()[:length]


def packed(data: bytes) -> bytes:
    """As gzip, which browsers unpack; the same for the same data."""
    packer = zlib.compressobj(_LEVEL, wbits=16 + zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()
