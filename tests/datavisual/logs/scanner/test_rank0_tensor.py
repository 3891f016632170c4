from __future__ import annotations

import math
import struct

import pytest

from mindviz.datavisual.logs.scanner.rank0_tensor import read_rank0
from mindviz.wire.encode import delimited, varint, varint_field

HALF_NAN = varint_field(1, 19) + delimited(4, b"\x00\x7e")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (varint_field(1, 1) + delimited(4, struct.pack("<f", 0.5)), (0.5, False)),
        (varint_field(1, 2) + delimited(6, struct.pack("<d", 0.1)), (0.1, True)),
        (varint_field(1, 9) + varint_field(10, (1 << 64) - 7), (-7.0, True)),
        (varint_field(1, 3) + delimited(7, varint(1 << 20)), (float(1 << 20), True)),
        (varint_field(1, 10) + delimited(4, b"\x02"), (1.0, False)),
        (varint_field(1, 14) + delimited(4, b"\x80\x3f"), (1.0, False)),
    ],
)
def test_one_number_is_read_and_said_to_need_a_double_or_not(
    message: bytes, expected: tuple[float, bool]
) -> None:
    assert read_rank0(message) == expected


def test_a_half_may_be_nan() -> None:
    number = read_rank0(HALF_NAN)
    assert number is not None
    assert math.isnan(number[0])


@pytest.mark.parametrize(
    "message",
    [
        varint_field(1, 7) + delimited(8, b"text"),
        varint_field(1, 1),
        HALF_NAN + delimited(2, delimited(2, varint_field(1, 1))),
        HALF_NAN + delimited(2, varint_field(3, 1)),
        HALF_NAN + b"\x0b",
        varint_field(1, 1) + delimited(5, bytes(8)),
        varint_field(1, 1) + delimited(5, bytes(5)),
        varint_field(1, 1) + delimited(4, bytes(5)),
    ],
    ids=["text", "no element", "shape", "no rank", "group", "two", "cut off", "too long"],
)
def test_anything_else_is_not(message: bytes) -> None:
    assert read_rank0(message) is None
