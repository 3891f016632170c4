"""CRC-32C as TFRecord files use it: native where it was built, else through google-crc32c."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

Buffer = bytes | bytearray | memoryview


def masked_crc32c(data: Buffer) -> int:
    """Checksum of `data`, rotated and offset as TFRecord files store it (u32)."""
    return masked(crc32c_function()(data, 0))


def masked(crc: int) -> int:
    """A checksum, rotated and offset."""
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


@cache
def crc32c_function(*, native: bool = True) -> Callable[[Buffer, int], int]:
    """`(data, crc of what comes before it, else 0) -> crc`; `native=False` never takes ours."""
    if native:
        try:
            function: Callable[[Buffer, int], int] = import_module("mindviz.wire._crc32c").crc32c
        except ImportError:
            pass
        else:
            return function
    extend = import_module("google_crc32c").extend  # late: it costs time that most don't need
    # google-crc32c's C code takes `bytes` and nothing else.
    return lambda data, crc: int(extend(crc, data if isinstance(data, bytes) else bytes(data)))
