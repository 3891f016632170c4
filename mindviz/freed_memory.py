"""Returns freed memory to the operating system, so that `--max-memory` bounds the process.

glibc raises its threshold for mapping blocks separately whenever it frees such a block. Large
arrays then come from its heaps, where a small block after them keeps their memory.
"""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
LARGE_BLOCK = 1 << 20
"""Bytes. 256 KiB frees no more, and 4 MiB leaves three quarters of what the heaps keep."""

KEPT_FREE = 4 << 20
"""Bytes at the end of each heap that stay for the next answer. Once the other threshold is set,
glibc keeps 128 KiB: the page faults of an answer of 3 MB then take 0.7 ms more."""


def map_large_blocks() -> None:
    """Make glibc map each large block separately, and keep a little of what small ones free."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
        if mallopt is not None:
            mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
            mallopt(_M_TRIM_THRESHOLD, KEPT_FREE)


def trim_heaps() -> None:
    """Return what is free between blocks in use, too: 10 ms per GB."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
