from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindviz.datavisual.payloads.encoded_audio import audio_type, read_wav
from mindviz.errors import DamagedValue
from tests.sounds import SILENCE, wav
from tests.strategies import any_bytes_near


@pytest.mark.parametrize(
    ("stored", "samples"),
    [
        (np.array([0, 128, 192], np.uint8), [-1, 0, 0.5]),
        (np.array([0, 16384, -32768], np.int16), [0, 0.5, -1]),
        (np.array([b"\0\0\x01", b"\0\0\x40", b"\0\0\x80"], "V3"), [2**-7, 0.5, -1]),
        (np.array([0, 1 << 30, -(1 << 31)], np.int32), [0, 0.5, -1]),
        (np.array([0, 0.25, -1.5], np.float32), [0, 0.25, -1.5]),
        (np.array([0, 0.25, -1.5], np.float64), [0, 0.25, -1.5]),
    ],
    ids=["8 bits", "16 bits", "24 bits", "32 bits", "float", "double"],
)
@pytest.mark.parametrize("extensible", [False, True])
def test_samples_of_all_encodings(
    stored: NDArray[Any], samples: list[float], extensible: bool
) -> None:
    sound = read_wav(wav(stored, 44_100, extensible=extensible))
    assert (sound.sample_rate, sound.channels, sound.frames) == (44_100, 1, 3)
    assert sound.samples()[:, 0].tolist() == samples


def test_channels_are_interleaved() -> None:
    sound = read_wav(wav(np.array([[0, 16384], [-16384, 0]], np.int16)))
    assert (sound.channels, sound.frames) == (2, 2)
    assert sound.samples().tolist() == [[0, 0.5], [-0.5, 0]]


def test_other_chunks_are_passed_over() -> None:
    note = b"LIST\x03\0\0\0abc\0"  # of odd length, so padded
    sound = read_wav(SILENCE[:12] + note + SILENCE[12:])
    assert sound.frames == 4


def test_a_truncated_file_has_its_remaining_frames() -> None:
    assert read_wav(SILENCE[:-3]).frames == 2


@pytest.mark.parametrize(
    "encoded",
    [b"", b"RIFF", SILENCE[:20], SILENCE[:36], SILENCE.replace(b"\1\0\1\0", b"\6\0\1\0")],
    ids=["empty", "no WAV", "no format", "no data", "compressed"],
)
def test_unreadable_values_are_damaged(encoded: bytes) -> None:
    with pytest.raises(DamagedValue):
        read_wav(encoded)


@given(encoded=any_bytes_near(st.just(SILENCE)))
def test_any_bytes_are_read_or_damaged(encoded: bytes) -> None:
    try:
        sound = read_wav(encoded)
    except DamagedValue:
        return
    assert sound.samples().shape == (sound.frames, sound.channels)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (SILENCE, "audio/wav"),
        (b"OggS", "audio/ogg"),
        (b"fLaC", "audio/flac"),
        (b"ID3", "audio/mpeg"),
        (b"\xff\xfb\x90", "audio/mpeg"),
        (b"RIFF....AVI ", "application/octet-stream"),
    ],
)
def test_audio_is_recognized_by_its_first_bytes(head: bytes, kind: str) -> None:
    assert audio_type(head) == kind


def test_the_number_of_skipped_chunks_is_limited() -> None:
    empty = b"note\0\0\0\0"
    assert read_wav(SILENCE[:12] + empty * 900 + SILENCE[12:]).frames == 4
    with pytest.raises(DamagedValue, match="no format or no data"):
        read_wav(SILENCE[:12] + empty * 1_000 + SILENCE[12:])
