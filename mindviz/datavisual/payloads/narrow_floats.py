"""Widens floats that numpy lacks to float32: bfloat16 and the 8 and 4 bit formats.

Sources: bfloat16 is the upper half of float32; the others are tables by exponent and mantissa
bits, as in the OCP 8-bit floating point and microscaling specifications and, for the `UZ` forms
(no negative zero: its bits mean NaN), the paper arXiv 2206.02915.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Layout(NamedTuple):
    """Bits of a small float, highest first: sign, exponent, mantissa."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    nan: tuple[int, ...] = ()
    """Bit patterns that mean NaN, besides those of IEEE 754."""
    ieee: bool = False
    """Whether the highest exponent means infinity and NaN."""


LAYOUTS = {
    "FLOAT8_E5M2": Layout(5, 2, 15, ieee=True),
    "FLOAT8_E4M3FN": Layout(4, 3, 7, nan=(0x7F, 0xFF)),
    "FLOAT8_E4M3FNUZ": Layout(4, 3, 8, nan=(0x80,)),
    "FLOAT8_E4M3B11FNUZ": Layout(4, 3, 11, nan=(0x80,)),
    "FLOAT8_E5M2FNUZ": Layout(5, 2, 16, nan=(0x80,)),
    "FLOAT4_E2M1FN": Layout(2, 1, 1),
}
"""By TensorFlow's DataType name, without `DT_`."""


def widen_bfloat16(bits: NDArray[np.uint16]) -> Floats:
    """The floats of bfloat16 bit patterns."""
    widened: NDArray[np.uint32] = bits.astype(np.uint32) << np.uint32(16)
    floats: Floats = widened.view(np.float32)
    return floats


def widen(name: str, bits: NDArray[np.uint8]) -> Floats:
    """The floats of bit patterns, one per byte; `name` is one of `LAYOUTS`."""
    table = _table(name)
    floats: Floats = table[bits & np.uint8(len(table) - 1)]
    return floats


@cache
def _table(name: str) -> Floats:
    exponent_bits, mantissa_bits, bias, nan, ieee = LAYOUTS[name]
    magnitude_bits = exponent_bits + mantissa_bits
    patterns = np.arange(1 << (magnitude_bits + 1))
    exponent = patterns >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = (patterns & (1 << mantissa_bits) - 1) / (1 << mantissa_bits)
    # Exponent 0 has no implicit leading one (subnormal numbers and zero).
    numbers = (mantissa + (exponent > 0)) * np.exp2(np.maximum(exponent, 1) - bias)
    if ieee:
        highest = exponent == (1 << exponent_bits) - 1
        numbers[highest] = np.where(mantissa[highest] == 0, np.inf, np.nan)
    numbers[patterns >> magnitude_bits == 1] *= -1
    numbers[list(nan)] = np.nan
    table: Floats = numbers.astype(np.float32)
    return table
