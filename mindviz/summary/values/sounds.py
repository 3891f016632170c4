"""Sounds: samples as WAV."""

from __future__ import annotations

import io
import wave

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array

MAX_CHANNELS = 32

_LOUDEST = 32767


def frames_of(samples: Array, what: str) -> Array:
    """Shape (frames, channels). Of two axes the shorter one is that of the channels.

    Raises InvalidValue for any other number of axes, and for too many channels.
    """
    if samples.ndim == 1:
        return samples[:, np.newaxis]
    if samples.ndim == 2 and min(samples.shape) <= MAX_CHANNELS:
        return samples.T if samples.shape[0] <= samples.shape[1] else samples
    raise InvalidValue(
        f"{what} is no sound: shape {list(samples.shape)}. A sound has the shape [frames], "
        f"[channels, frames] or [frames, channels], with at most {MAX_CHANNELS} channels."
    )


def rate_of(sample_rate: object, what: str) -> int:
    """Samples per second, as an integer. Raises InvalidValue."""
    try:
        rate = int(sample_rate)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        rate = 0
    if not 0 < rate < 1 << 31:
        raise InvalidValue(f"{what} has a sample rate of {sample_rate!r:.100}.")
    return int(rate)


def wav(frames: Array, sample_rate: int) -> bytes:
    """Shape (frames, channels) as PCM of 16 bits.

    Floats are between -1 and 1 and cut off beyond, NaN is silence; int16 is taken as it is, other
    integers are floats of the same number.
    """
    if frames.dtype != np.int16:
        finite = np.nan_to_num(frames.astype(np.float64), nan=0, posinf=1, neginf=-1)
        frames = np.rint(np.clip(finite, -1, 1) * _LOUDEST).astype(np.int16)
    encoded = io.BytesIO()
    with wave.open(encoded, "wb") as file:
        file.setnchannels(max(1, frames.shape[1]))
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes(np.ascontiguousarray(frames, "<i2").tobytes())
    return encoded.getvalue()
