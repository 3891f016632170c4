"""Packing round trips to the bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mindviz.snapshots.packed_words import packed_words, unpacked_words


@given(st.binary(max_size=200))
def test_any_bytes_round_trip(data: bytes) -> None:
    assert unpacked_words(packed_words(data), len(data)) == data


@given(arrays(np.float64, st.integers(0, 40), elements=st.floats(width=64)))
def test_values_keep_their_bits(values: np.ndarray) -> None:
    data = values.tobytes()  # NaN payloads, signed zeros and infinities included
    assert unpacked_words(packed_words(data), len(data)) == data


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40))
def test_steps_keep_their_bits(steps: list[int]) -> None:
    data = np.array(steps, np.int64).tobytes()
    assert unpacked_words(packed_words(data), len(data)) == data


def test_regular_steps_take_almost_nothing() -> None:
    data = np.arange(0, 1_000_000, 10, dtype=np.int64).tobytes()
    assert len(packed_words(data)) < len(data) / 500
