"""Column codec: columns of 64-bit numbers in a few bytes per number, and back bit by bit.

Neighbors in a column are close, so a column becomes its first number and the differences that
follow. The bytes of the differences are regrouped by significance: the upper ones are constant and
take no space, the middle ones are deflated, and the lowest ones, which are noise, are kept as they
are. Floats are treated as the integers with the same bits; most logged values fit 32 bits.

Bytes, little-endian:

    CRC-32 of the rest        4
    types                     1 per column
    storage of byte planes    2 per column, 2 bits per plane
    first numbers             8 per column
    planes kept               length - 1 each
    deflated                  constants, 8 per column, then planes of length - 1
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Int64s
from mindviz.errors import DamagedValue

Column = NDArray[np.int64] | NDArray[np.float64]

_INTEGERS, _FLOATS, _FLOATS_32 = range(3)
"""Types of columns."""
_CONSTANT, _KEPT, _DEFLATED = range(3)
"""Storage of planes."""

_PLANES = 8
_ONE = np.uint64(1)
_SHIFTS = 2 * np.arange(_PLANES, dtype=np.uint16)
_CRC_BYTES = 4
_HEADER_BYTES = 1 + 2 + 8
"""Per column."""

_LEVEL = 1
"""Of zlib. Higher levels gain 1 % and take twice the time."""
_TESTED_FROM = 256
"""Bytes of a plane; shorter ones are always deflated, which takes microseconds."""
_NOISE = 1 / 64
"""A plane is kept if two of its bytes are equal less often; 1/256 is uniform noise."""


def encoded(*columns: Column) -> bytes:
    """The bytes of columns of equal length, at least 1."""
    count, length = len(columns), len(columns[0])
    types = np.empty(count, np.uint8)
    bits = np.empty((count, length), np.int64)
    for place, column in enumerate(columns):
        types[place], bits[place] = _bits(column)
    difference = bits[:, 1:] - bits[:, :-1]
    # Zigzag: small numbers of either sign have zeros in their upper bytes.
    zigzag = ((difference << 1) ^ (difference >> 63)).astype("<i8", copy=False)
    varying = np.bitwise_or.reduce(zigzag ^ zigzag[:, :1], axis=1).astype("<i8", copy=False)
    octets = zigzag.view(np.uint8).reshape(count, length - 1, _PLANES)
    storage = np.zeros((count, _PLANES), np.uint16)
    constants = octets[:, 0].tobytes() if length > 1 else bytes(count * _PLANES)
    kept: list[bytes] = []
    deflated = [constants]
    for place, plane in np.argwhere(varying.view(np.uint8).reshape(count, _PLANES)).tolist():
        octet = np.ascontiguousarray(octets[place, :, plane])
        is_noise = _is_noise(octet)
        storage[place, plane] = _KEPT if is_noise else _DEFLATED
        (kept if is_noise else deflated).append(octet.tobytes())
    content = b"".join(
        [
            types.tobytes(),
            np.bitwise_or.reduce(storage << _SHIFTS, axis=1).astype("<u2").tobytes(),
            bits[:, 0].astype("<i8").tobytes(),
            *kept,
            zlib.compress(b"".join(deflated), _LEVEL, -zlib.MAX_WBITS),
        ]
    )
    return zlib.crc32(content, length).to_bytes(_CRC_BYTES, "little") + content


def _bits(column: Column) -> tuple[int, Int64s]:
    """The type of a column, and its numbers as integers."""
    if column.dtype.kind != "f":
        return _INTEGERS, column.astype(np.int64, copy=False)
    bits = column.astype(np.float64, copy=False).view(np.int64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        narrow = column.astype(np.float32)
        # Compares bits, because of negative zeros and the payloads of NaN.
        if (narrow.astype(np.float64).view(np.int64) == bits).all():
            return _FLOATS_32, narrow.view(np.int32).astype(np.int64)
    return _FLOATS, bits


def _is_noise(plane: NDArray[np.uint8]) -> bool:
    if len(plane) < _TESTED_FROM:
        return False
    counts = np.bincount(plane)
    return int(counts @ counts) < _NOISE * len(plane) * len(plane)


def decoded(data: bytes, length: int, count: int) -> Sequence[NDArray[Any]]:
    """The `count` columns of this length. Raises DamagedValue for any other bytes."""
    content = memoryview(data)[_CRC_BYTES:]
    if (
        length < 1
        or len(content) < _HEADER_BYTES * count
        or zlib.crc32(content, length) != int.from_bytes(data[:_CRC_BYTES], "little")
    ):
        raise damaged_series()
    types = content[:count]
    packed = np.frombuffer(content, "<u2", count, count).astype(np.uint16, copy=False)
    storage = packed[:, np.newaxis] >> _SHIFTS & np.uint16(3)
    bits = np.empty((count, length), "<i8")
    bits[:, 0] = np.frombuffer(content, "<i8", count, 3 * count)
    # In place: the temporary columns of many series take longer than the arithmetic.
    zigzag = bits[:, 1:].view("<u8")
    _read_zigzag(content[_HEADER_BYTES * count :], storage, zigzag)
    sign = zigzag & _ONE
    zigzag >>= _ONE
    zigzag ^= np.negative(sign, out=sign)
    np.cumsum(bits, axis=1, out=bits)
    native = bits.astype(np.int64, copy=False)
    return [_numbers(kind, column) for kind, column in zip(types, native, strict=True)]


def _read_zigzag(
    content: memoryview, storage: NDArray[np.uint16], zigzag: NDArray[np.uint64]
) -> None:
    """Fill in the differences, shape (columns, size), from the bytes of their planes."""
    count, size = zigzag.shape
    of_kept = size * int(np.count_nonzero(storage == _KEPT))
    of_deflated = _PLANES * count + size * int(np.count_nonzero(storage == _DEFLATED))
    try:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        deflated = inflater.decompress(content[of_kept:], of_deflated + 1)
    except zlib.error:
        raise damaged_series() from None
    if len(content) < of_kept or len(deflated) != of_deflated or (storage > _DEFLATED).any():
        raise damaged_series()
    zigzag[:] = np.frombuffer(deflated, "<u8", count)[:, np.newaxis]
    octets = zigzag.view(np.uint8).reshape(count, size, _PLANES)
    sources = {_KEPT: memoryview(content), _DEFLATED: memoryview(deflated)[_PLANES * count :]}
    for place, plane in np.argwhere(storage).tolist():
        source = sources[kind := int(storage[place, plane])]
        octets[place, :, plane] = np.frombuffer(source[:size], np.uint8)
        sources[kind] = source[size:]


def _numbers(kind: int, bits: Int64s) -> Column:
    if kind == _INTEGERS:
        return bits
    if kind == _FLOATS:
        return bits.view(np.float64)
    if kind == _FLOATS_32:
        return bits.astype(np.int32).view(np.float32).astype(np.float64)
    raise damaged_series()


def damaged_series() -> DamagedValue:
    """The error about a series of which a part is missing or has other bytes."""
    return DamagedValue("Part of a series is damaged in the database.")
