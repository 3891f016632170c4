"""A minimal reader of scalars, as the reference for mindviz's numbers.

Shares no code with mindviz, ignores checksums, keeps file order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Point(NamedTuple):
    tag: str
    step: int
    value: float


def records(path: Path) -> Iterator[bytes]:
    """The complete records of a file; VisualDL's have no checksums."""
    checksum = 0 if "vdlrecords" in path.name else 4
    data, at = path.read_bytes(), 0
    while at + 8 <= len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        start = at + 8 + checksum
        at = start + length + checksum
        if at > len(data):
            return
        yield data[start : start + length]


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and raw value of each field of a protobuf message."""
    at = 0

    def varint() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(message):
        key = varint()
        number, wire_type = key >> 3, key & 7
        if wire_type == 0:
            yield number, varint()
            continue
        size = {1: 8, 5: 4}.get(wire_type) or varint()
        yield number, message[at : at + size]
        at += size


def scalars(path: Path) -> Iterator[Point]:
    """Every scalar point that is stored as a plain float."""
    visualdl = "vdlrecords" in path.name
    mindspore = "summary." in path.name
    number_of_value = 3 if mindspore else 2
    for record in records(path):
        content = dict(fields(record)) if not visualdl else {}
        if visualdl:
            values = [value for number, value in fields(record) if number == 1]
        else:
            summary = content.get(5, b"")
            assert isinstance(summary, bytes)
            values = [value for number, value in fields(summary) if number == 1]
        for value in values:
            assert isinstance(value, bytes)
            yield from _scalar(value, content, number_of_value, visualdl=visualdl)


def _scalar(
    value: bytes, event: dict[int, int | bytes], number_of_value: int, *, visualdl: bool
) -> Iterator[Point]:
    inner = dict(fields(value))
    tag_number, step_number, float_number = (2, 1, 4) if visualdl else (1, 2, number_of_value)
    raw = inner.get(float_number)
    if isinstance(raw, bytes) and len(raw) == 4:
        step = (inner if visualdl else event).get(step_number, 0)
        tag = inner.get(tag_number, b"")
        assert isinstance(step, int)
        assert isinstance(tag, bytes)
        signed = step - (1 << 64) if step >> 63 else step
        yield Point(tag.decode("utf-8", "replace"), signed, struct.unpack("<f", raw)[0])
