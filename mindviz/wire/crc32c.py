"""CRC-32C as in TFRecord files: by the compiled extension, else by google-crc32c."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

Buffer = bytes | bytearray | memoryview


def masked_crc32c(data: Buffer) -> int:
    """The checksum of `data`, masked as in TFRecord files (u32)."""
    return masked(crc32c_function()(data, 0))


def masked(crc: int) -> int:
    """Rotates a checksum and adds a constant, as TFRecord files do."""
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


@cache
def crc32c_function(*, native: bool = True) -> Callable[[Buffer, int], int]:
    """`(data, crc of the preceding data, or 0) -> crc`; `native=False` avoids the extension."""
    if native:
        try:
            function: Callable[[Buffer, int], int] = import_module("mindviz.wire._crc32c").crc32c
        except ImportError:
            pass
        else:
            return function
    extend = import_module("google_crc32c").extend  # imported late: the extension replaces it
    # google-crc32c accepts `bytes` only.
    return lambda data, crc: int(extend(crc, data if isinstance(data, bytes) else bytes(data)))
