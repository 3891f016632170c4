from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.wav import as_frames, encode


@pytest.mark.parametrize(
    ("shape", "frames"),
    [((9,), (9, 1)), ((2, 9), (9, 2)), ((9, 2), (9, 2)), ((1, 9), (9, 1)), ((0,), (0, 1))],
    ids=str,
)
def test_the_shorter_axis_is_the_channels(shape: tuple[int, ...], frames: tuple[int, int]) -> None:
    assert as_frames(np.zeros(shape), "it").shape == frames


@pytest.mark.parametrize("shape", [(), (2, 3, 4), (100, 100)], ids=str)
def test_the_error_for_an_invalid_shape_names_tag_and_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValue) as raised:
        as_frames(np.zeros(shape), "audio 'a'")
    assert "audio 'a'" in str(raised.value)
    assert str(list(shape)) in str(raised.value)


def test_floats_are_clipped_and_stored_in_16_bits() -> None:
    samples = np.array([0, 0.5, -1, 2, np.nan, np.inf, -np.inf])
    with wave.open(io.BytesIO(encode(samples[:, np.newaxis], 8000))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (8000, 1, 2)
        found = np.frombuffer(file.readframes(100), "<i2")
    assert found.tolist() == [0, 16384, -32767, 32767, 0, 32767, -32767]


def test_int16_is_stored_unchanged() -> None:
    samples = np.array([[1, -2], [3, -32768]], np.int16)
    with wave.open(io.BytesIO(encode(samples, 8000))) as file:
        assert np.frombuffer(file.readframes(100), "<i2").tolist() == [1, -2, 3, -32768]
