"""Audio samples as WAV."""

from __future__ import annotations

import io
import wave

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array

MAX_CHANNELS = 32

_FULL_SCALE = 32767


def as_frames(samples: Array, what: str) -> Array:
    """Shape (frames, channels); of two axes, the shorter one is the channels.

    Raises InvalidValue for other shapes, and for too many channels.
    """
    if samples.ndim == 1:
        return samples[:, np.newaxis]
    if samples.ndim == 2 and min(samples.shape) <= MAX_CHANNELS:
        return samples.T if samples.shape[0] <= samples.shape[1] else samples
    raise InvalidValue(
        f"{what} is not audio: shape {list(samples.shape)}. Use [frames], [channels, frames] or "
        f"[frames, channels], with at most {MAX_CHANNELS} channels."
    )


def checked_rate(sample_rate: object, what: str) -> int:
    """The sample rate as an integer. Raises InvalidValue."""
    try:
        rate = int(sample_rate)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        rate = 0
    if not 0 < rate < 1 << 31:
        raise InvalidValue(f"{what} has an invalid sample rate {sample_rate!r:.100}.")
    return int(rate)


def encode(frames: Array, sample_rate: int) -> bytes:
    """Shape (frames, channels) as 16-bit PCM.

    int16 is stored unchanged. Other types are scaled from -1..1 and clipped; NaN is silence.
    """
    if frames.dtype != np.int16:
        finite = np.nan_to_num(frames.astype(np.float64), nan=0, posinf=1, neginf=-1)
        frames = np.rint(np.clip(finite, -1, 1) * _FULL_SCALE).astype(np.int16)
    encoded = io.BytesIO()
    with wave.open(encoded, "wb") as file:
        file.setnchannels(max(1, frames.shape[1]))
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes(np.ascontiguousarray(frames, "<i2").tobytes())
    return encoded.getvalue()
