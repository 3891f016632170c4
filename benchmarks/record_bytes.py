"""Millions of log records: the bytes of many similar records at once, vectorized.

The encoders in `mindviz.wire.encode` write one record at a time. Logs of benchmarks have up to 20
million records, so here a record is a template whose varying fields are columns: n records are one
(n, length) array of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

_ROWS = 1 << 14
"""Rows per step of the checksum, so that its columns fit into the CPU cache."""


def _crc_table() -> NDArray[np.uint32]:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, np.uint32(0x82F63B78) ^ (table >> 1), table >> 1)
    return table


_TABLE = _crc_table()


def masked_crc(rows: Bytes) -> NDArray[np.uint32]:
    """Masked CRC-32C of each row of an (n, length) array; shape (n,)."""
    masked = np.empty(len(rows), np.uint32)
    for start in range(0, len(rows), _ROWS):
        part = np.ascontiguousarray(rows[start : start + _ROWS].T)
        crc = np.full(part.shape[1], 0xFFFFFFFF, np.uint32)
        for column in part:
            crc = _TABLE[(crc ^ column) & 0xFF] ^ (crc >> 8)
        crc = ~crc
        masked[start : start + _ROWS] = ((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)
    return masked


def constant(data: bytes, count: int) -> Bytes:
    """The same bytes in each of `count` rows."""
    return np.broadcast_to(np.frombuffer(data, np.uint8), (count, len(data)))


def doubles(values: NDArray[np.float64]) -> Bytes:
    """Little-endian doubles, shape (n, 8)."""
    return np.ascontiguousarray(values, "<f8").view(np.uint8).reshape(-1, 8)


def floats(values: NDArray[np.float32]) -> Bytes:
    """Little-endian floats, shape (n, 4)."""
    return np.ascontiguousarray(values, "<f4").view(np.uint8).reshape(-1, 4)


def varint_length(value: int) -> int:
    """The length of a varint in bytes."""
    return max(1, -(-value.bit_length() // 7))


def varints(values: NDArray[np.int64], length: int) -> Bytes:
    """Varints of `length` bytes, shape (n, length)."""
    shifts = 7 * np.arange(length, dtype=np.int64)
    digits = (values[:, None] >> shifts) & 0x7F
    digits[:, :-1] |= 0x80
    return digits.astype(np.uint8)


def equal_length_steps(steps: int, start: int = 0) -> Iterator[NDArray[np.int64]]:
    """The steps from `start` to `steps`, in ranges whose varints have equal lengths."""
    while start < steps:
        end = min(steps, 1 << (7 * varint_length(start)))
        yield np.arange(start, end, dtype=np.int64)
        start = end


def field(number: int, wire_type: int) -> bytes:
    """A field's key; numbers up to 15."""
    return bytes([number << 3 | wire_type])


def message(number: int, body: Bytes) -> Bytes:
    """A length-delimited field around each row."""
    head = field(number, 2) + varint(body.shape[1])
    return np.concatenate([constant(head, len(body)), body], axis=1)


def varint(value: int) -> bytes:
    """One varint."""
    return varints(np.array([value], np.int64), varint_length(value)).tobytes()


def tfrecords(payloads: Bytes) -> Bytes:
    """Rows framed as TFRecords: length, its checksum, payload, its checksum."""
    length = np.frombuffer(np.uint64(payloads.shape[1]).tobytes(), np.uint8)[None, :]
    head = length.tobytes() + masked_crc(length).astype("<u4").tobytes()
    footer = masked_crc(payloads).astype("<u4").view(np.uint8).reshape(-1, 4)
    return np.concatenate([constant(head, len(payloads)), payloads, footer], axis=1)


def length_prefixed(payloads: Bytes) -> Bytes:
    """Rows framed as in VisualDL: length, payload."""
    head = np.uint64(payloads.shape[1]).tobytes()
    return np.concatenate([constant(head, len(payloads)), payloads], axis=1)


def large_tfrecords(payloads: Bytes) -> bytes:
    """As `tfrecords`, but faster for large payloads: one checksum per row."""
    import google_crc32c  # noqa: PLC0415  only the image logs need it

    head = tfrecords(payloads[:1])[:, :12].tobytes()
    out = bytearray()
    for row in payloads:
        crc = google_crc32c.value(row.tobytes())
        masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
        out += head + row.tobytes() + masked.to_bytes(4, "little")
    return bytes(out)
