"""Small WAV files for tests."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray


def wav(samples: NDArray[Any], sample_rate: int = 8000, *, extensible: bool = False) -> bytes:
    """A WAV file of samples of shape (frames,) or (frames, channels), stored unchanged.

    24 bits are given as `S3`: three bytes each.
    """
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    width = samples.dtype.itemsize
    kind = 3 if samples.dtype.kind == "f" else 1
    data = samples.tobytes()
    named = 0xFFFE if extensible else kind
    rate = sample_rate * channels * width
    layout = struct.pack("<HHIIHH", named, channels, sample_rate, rate, channels * width, 8 * width)
    if extensible:
        layout += struct.pack("<HHIH", 22, 8 * width, 0, kind) + bytes(14)
    chunks = b"fmt " + struct.pack("<I", len(layout)) + layout
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


SILENCE = wav(np.zeros(4, np.int16))
