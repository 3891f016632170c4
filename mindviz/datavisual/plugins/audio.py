"""Audio: the clips of each step, their properties and samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mindviz.datavisual.analysis.array_parity import compare_arrays, compare_texts
from mindviz.datavisual.analysis.series_parity import (
    StepParity,
    Tolerance,
    both,
    compare_parts,
    described,
)
from mindviz.datavisual.payloads.encoded_audio import Sound, audio_type, read_wav
from mindviz.datavisual.payloads.tensor_message import MAX_RANK, tensorflow_tensor
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.generic_name import Companion, Companions, GenericName, strings
from mindviz.datavisual.series.series_view import check_elements, read_as
from mindviz.datavisual.series.time_series import Audio, DataClass, Value, ValueTimeSeries
from mindviz.errors import DamagedValue


@logged_view("clips", "labels", "content_type", "sample_rate", "channels", "frames")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """Properties of the first clip of a step; None for those that only WAV headers tell.

    `clips` and `labels` are of all clips.
    """
    audio = read_as(series, row, Audio, "audio")
    sound = _sound(audio)
    return {
        "clips": len(audio.clips),
        "labels": list(audio.labels),
        "content_type": audio_type(audio.clips[0]) if audio.clips else None,
        "sample_rate": sound and sound.sample_rate,
        "channels": sound and sound.channels,
        "frames": sound and sound.frames,
    }


@logged_view("size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """The number of frames as `size`; the clips themselves are blobs."""
    sound = _sound(read_as(series, row, Audio, "audio"))
    return {"size": [sound.frames] if sound else []}


def _first_clip(series: ValueTimeSeries, row: int) -> Mapping[str, Any]:
    """A step's first clip as samples in [-1, 1]; of several channels frame by frame.

    `size` is the number of frames and, if more than one, of channels. Raises AnswerTooLarge.
    """
    audio = read_as(series, row, Audio, "audio")
    if not audio.clips:
        raise DamagedValue("There is no clip at this step.")
    sound = read_wav(audio.clips[0])
    check_elements(sound.frames * sound.channels)
    size = [sound.frames] if sound.channels == 1 else [sound.frames, sound.channels]
    return {"data": sound.samples().ravel(), "size": size}


samples = logged_view("data", "size")(_first_clip)


@logged_view("data", "size")
def unit_samples(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """As `samples`, but in [0, 1], where pixels are: silence is at 0.5."""
    clip = _first_clip(series, row)
    return {**clip, "data": (clip["data"] + 1) / 2}


def _sound(audio: Audio) -> Sound | None:
    try:
        return read_wav(audio.clips[0]) if audio.clips else None
    except DamagedValue:
        return None  # a format without a decoder here


_LABELS = "audio_labels"


def _from_proto(value: bytes) -> Audio:
    """Clips as strings of shape (n,), or clips and labels of shape (n, 2)."""
    tensor = tensorflow_tensor(value)
    if tensor.dtype_name != "DT_STRING" or not 1 <= tensor.data.ndim <= 2:
        raise DamagedValue(
            f"Audio cannot have the shape {list(tensor.data.shape)} and type {tensor.dtype_name}."
        )
    if tensor.data.size > len(value):
        raise DamagedValue(f"A tensor claims to hold {tensor.data.size} clips.")
    if tensor.data.ndim == 1:
        return Audio(tuple(tensor.data.tolist()))
    rows = tensor.data.tolist()
    labels = tuple(str(row[1], "utf-8", "replace") if len(row) > 1 else "" for row in rows)
    return Audio(tuple(row[0] for row in rows if row), labels if any(labels) else ())


def _from_blobs(blobs: Sequence[bytes], companions: Companions) -> Audio:
    labels = companions[_LABELS].tolist() if _LABELS in companions else ()
    return Audio(tuple(blobs), tuple(str(label, "utf-8", "replace") for label in labels))


def parity(a: Value, b: Value, tolerance: Tolerance) -> StepParity:
    """The samples in [-1, 1], unless the bytes are equal; then the labels."""
    x, y = both(Audio, a, b)
    if len(x.clips) != len(y.clips):
        return described(lambda audio: f"clips: {len(audio.clips):,}", x, y, shapes=True)
    found = compare_parts(x.clips, y.clips, partial(_compared_samples, tolerance))
    if found.different:
        return found
    labels = compare_texts(x.labels, y.labels)
    return labels if labels.different else found


def _compared_samples(tolerance: Tolerance, a: bytes, b: bytes) -> StepParity:
    try:
        x, y = read_wav(a), read_wav(b)
    except DamagedValue:  # a format without a decoder here
        return described(lambda one: f"{audio_type(one)}, {len(one):,} bytes", a, b)
    if x.sample_rate != y.sample_rate:
        return described(lambda sound: f"{sound.sample_rate:,} Hz", x, y, shapes=True)
    found = compare_arrays(x.samples(), y.samples(), tolerance)
    return replace(found, reencoded=not found.different)


PLUGIN = Plugin(
    "audio",
    "/audio",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": values, "samples": samples, "unit_samples": unit_samples},
    names=(
        GenericName(
            "audio",
            DataClass.BLOB_SEQUENCE,
            fields=("audio",),
            content=b"\x10\x0b\x18\x01",  # AudioPluginData: encoding 2 (WAV), converted 3
            ranks=range(1, MAX_RANK),
            value_class=Audio,
            to_tensor=lambda audio: strings(audio.clips),
            to_blobs=lambda audio: audio.clips,
            from_blobs=_from_blobs,
            from_proto=_from_proto,
            companions=(
                Companion(
                    _LABELS,
                    DataClass.TENSOR,
                    dtype_kinds="O",
                    value_class=Audio,
                    make=lambda audio: strings([label.encode() for label in audio.labels]),
                    logged_in=("tensorboard.tensor",),
                ),
            ),
        ),
    ),
    parity=parity,
)
