"""The content of encoded sounds: WAV files, which all log writers make.

Source: Microsoft's and IBM's "Multimedia Programming Interface and Data Specifications" (RIFF),
and WAVEFORMATEXTENSIBLE.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import DamagedValue

_MAX_CHUNKS = 1_000
"""Before the samples. Writers make a handful; an empty chunk takes only eight bytes."""

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE


@dataclass(frozen=True, slots=True)
class Sound:
    """A parsed WAV file."""

    sample_rate: int
    """Hz."""
    channels: int
    encoding: str
    """numpy's name of the stored sample type; `i3` for 24 bits."""
    data: memoryview
    """All frames; a frame has a sample per channel."""

    @property
    def frames(self) -> int:
        """Number of samples per channel."""
        return len(self.data) // (int(self.encoding[1]) * self.channels)

    def samples(self) -> NDArray[np.float32]:
        """Shape (frames, channels), in [-1, 1] except for stored floats outside that range."""
        width = int(self.encoding[1])
        content = self.data[: self.frames * self.channels * width]
        levels: NDArray[np.float32]
        if self.encoding == "u1":
            levels = (
                np.frombuffer(content, np.uint8).astype(np.float32) - np.float32(128)
            ) / np.float32(128)
        elif self.encoding == "i3":
            # The three bytes become the upper bytes of an int32.
            padded = np.zeros((len(content) // 3, 4), np.uint8)
            padded[:, 1:] = np.frombuffer(content, np.uint8).reshape(-1, 3)
            levels = padded.view("<i4")[:, 0].astype(np.float32) / np.float32(1 << 31)
        else:
            levels = np.frombuffer(content, f"<{self.encoding}").astype(np.float32)
            if self.encoding[0] == "i":
                levels /= np.float32(1 << (8 * width - 1))
        return levels.reshape(-1, self.channels)


def audio_type(encoded: bytes) -> str:
    """The media type if browsers can play the sound, else `application/octet-stream`."""
    if encoded.startswith(b"RIFF") and encoded[8:12] == b"WAVE":
        return "audio/wav"
    if encoded.startswith(b"OggS"):
        return "audio/ogg"
    if encoded.startswith(b"fLaC"):
        return "audio/flac"
    if encoded.startswith((b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")):
        return "audio/mpeg"
    return "application/octet-stream"


def read_wav(encoded: bytes) -> Sound:
    """Parse a WAV file. Raises DamagedValue for another type or a compressed file."""
    if audio_type(encoded) != "audio/wav":
        raise DamagedValue("The sound is not a WAV file.")
    view, at = memoryview(encoded), 12
    found: tuple[str, int, int] | None = None
    for _ in range(_MAX_CHUNKS):
        if at + 8 > len(view):
            break
        name, length = bytes(view[at : at + 4]), int.from_bytes(view[at + 4 : at + 8], "little")
        content = view[at + 8 : at + 8 + length]
        if name == b"fmt ":
            found = _format(content)
        elif name == b"data" and found:
            encoding, channels, sample_rate = found
            return Sound(sample_rate, channels, encoding, content)
        at += 8 + length + length % 2  # chunks start at even offsets
    raise DamagedValue("The WAV file has no format or no data.")


def _format(chunk: memoryview) -> tuple[str, int, int]:
    """(encoding, channels, sample rate) of a `fmt ` chunk."""
    if len(chunk) < 16:
        raise DamagedValue("The WAV file's format is cut off.")
    kind, channels, sample_rate, _, _, bits = struct.unpack_from("<HHIIHH", chunk)
    if kind == _EXTENSIBLE and len(chunk) >= 26:
        (kind,) = struct.unpack_from("<H", chunk, 24)
    encoding = {
        (_PCM, 8): "u1",
        (_PCM, 16): "i2",
        (_PCM, 24): "i3",
        (_PCM, 32): "i4",
        (_FLOAT, 32): "f4",
        (_FLOAT, 64): "f8",
    }.get((kind, bits))
    if encoding is None or not channels:
        raise DamagedValue(f"A WAV file of kind {kind} with {bits} bits cannot be read.")
    return encoding, channels, sample_rate
