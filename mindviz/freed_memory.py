"""Returns freed memory to the operating system, so that `--max-memory` bounds the process.

glibc raises its threshold for mapping blocks separately whenever it frees such a block. Large
arrays then come from its heaps, where a small block after them keeps their memory.
"""

from __future__ import annotations

import ctypes
import sys

_M_MMAP_THRESHOLD = -3
LARGE_BLOCK = 1 << 20
"""Bytes. 256 KiB frees no more, and 4 MiB leaves three quarters of what the heaps keep."""


def map_large_blocks() -> None:
    """Make glibc map each large block separately."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
        if mallopt is not None:
            mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
