"""Freed memory goes back to the operating system, so that `--max-memory` bounds the process.

glibc raises the size from which it maps blocks one by one with each such block that is freed. Large
arrays soon come from its heaps, where one small block behind them keeps them all.
"""

from __future__ import annotations

import ctypes
import sys

_M_MMAP_THRESHOLD = -3
LARGE_BLOCK = 1 << 20
"""Bytes. 256 KiB frees no more, and 4 MiB leaves three quarters of what the heaps keep."""


def map_large_blocks() -> None:
    """Let each large block be memory of its own from now on; glibc only."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
        if mallopt is not None:
            mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
