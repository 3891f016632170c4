from __future__ import annotations

import math

import numpy as np
import pytest

from mindviz.datavisual.payloads.narrow_floats import LAYOUTS, widen, widen_bfloat16


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        # From the OCP specification: largest normal, smallest normal, smallest subnormal.
        ("FLOAT8_E5M2", {0x7B: 57344, 0x04: 2**-14, 0x01: 2**-16, 0x7C: math.inf, 0xFC: -math.inf}),
        ("FLOAT8_E4M3FN", {0x7E: 448, 0x08: 2**-6, 0x01: 2**-9, 0x38: 1, 0xB8: -1}),
        ("FLOAT8_E4M3FNUZ", {0x7F: 240, 0x08: 2**-7, 0x01: 2**-10, 0x40: 1}),
        ("FLOAT8_E5M2FNUZ", {0x7F: 57344, 0x04: 2**-15, 0x01: 2**-17, 0x40: 1}),
        ("FLOAT8_E4M3B11FNUZ", {0x7F: 30, 0x58: 1, 0x01: 2**-13}),
        ("FLOAT4_E2M1FN", {0: 0, 1: 0.5, 2: 1, 3: 1.5, 4: 2, 5: 3, 6: 4, 7: 6, 15: -6}),
    ],
)
def test_bit_patterns_mean_the_numbers_of_the_specification(
    name: str, numbers: dict[int, float]
) -> None:
    bits = np.array(list(numbers), np.uint8)
    assert widen(name, bits).tolist() == list(numbers.values())


@pytest.mark.parametrize(
    ("name", "patterns"),
    [
        ("FLOAT8_E5M2", [0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF]),
        ("FLOAT8_E4M3FN", [0x7F, 0xFF]),
        ("FLOAT8_E4M3FNUZ", [0x80]),
        ("FLOAT8_E4M3B11FNUZ", [0x80]),
        ("FLOAT8_E5M2FNUZ", [0x80]),
    ],
)
def test_these_and_no_other_patterns_are_nan(name: str, patterns: list[int]) -> None:
    every = widen(name, np.arange(256, dtype=np.uint8))
    assert np.flatnonzero(np.isnan(every)).tolist() == patterns


@pytest.mark.parametrize("name", sorted(LAYOUTS))
def test_bit_patterns_of_one_sign_are_ordered(name: str) -> None:
    positive = widen(name, np.arange(8 if name.startswith("FLOAT4") else 128, dtype=np.uint8))
    assert (np.diff(positive[np.isfinite(positive)]) > 0).all()


def test_bfloat16_is_the_upper_half_of_float32() -> None:
    numbers = np.array([0.0, 1.0, -2.5, math.inf, 1e30], np.float32)
    bits = (numbers.view(np.uint32) >> 16).astype(np.uint16)
    np.testing.assert_allclose(widen_bfloat16(bits), numbers, rtol=2**-7)
    assert np.isnan(widen_bfloat16(np.array([0x7FC0], np.uint16)))[0]
