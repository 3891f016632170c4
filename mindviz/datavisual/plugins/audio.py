"""Audio: the clips of each step, their properties and samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindviz.datavisual.payloads.encoded_audio import Sound, audio_type, read_wav
from mindviz.datavisual.payloads.tensor_message import MAX_RANK, tensorflow_tensor
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.generic_name import Companion, Companions, GenericName, strings
from mindviz.datavisual.series.series_view import ValuesView, check_elements, read_as
from mindviz.datavisual.series.time_series import Audio, DataClass, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Properties of the first clip of each step; None for those that only WAV headers tell.

    `clips` and `labels` are of all clips.
    Raises TrainJobNotFound, TagNotFound.
    """
    series = store.read_values(train_id, "audio", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
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

    names = ("clips", "labels", "content_type", "sample_rate", "channels", "frames")
    return ValuesView.of(series, names, look)


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The number of frames as `size`; the clips themselves are blobs. Raises as `view`."""
    series = store.read_values(train_id, "audio", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        sound = _sound(read_as(series, row, Audio, "audio"))
        return {"size": [sound.frames] if sound else []}

    return ValuesView.of(series, ("size",), look)


def samples(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's first clip as samples in [-1, 1]; of several channels frame by frame.

    `size` is the number of frames and, if more than one, of channels. Raises as `view`;
    AnswerTooLarge.
    """
    series = store.read_values(train_id, "audio", tag, writer=writer)
    return ValuesView.of(series, ("data", "size"), lambda row: _samples(series, row))


def unit_samples(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The same in [0, 1], where pixels are: silence is at 0.5. Raises as `samples`."""
    series = store.read_values(train_id, "audio", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        found = _samples(series, row)
        return {**found, "data": (found["data"] + 1) / 2}

    return ValuesView.of(series, ("data", "size"), look)


def _samples(series: ValueTimeSeries, row: int) -> Mapping[str, Any]:
    audio = read_as(series, row, Audio, "audio")
    if not audio.clips:
        raise DamagedValue("There is no clip at this step.")
    sound = read_wav(audio.clips[0])
    check_elements(sound.frames * sound.channels)
    size = [sound.frames] if sound.channels == 1 else [sound.frames, sound.channels]
    return {"data": sound.samples().ravel(), "size": size}


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
)
