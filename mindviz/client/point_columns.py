"""Converts a provider's answers to one long table: a row per point, or per blob.

Rows are sorted by train job, tag and step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.client.frame import Columns, Labels, objects
from mindviz.datavisual.generic.data_provider import BlobReference, BlobSequencePoints
from mindviz.datavisual.payloads.encoded_image import pixel_size
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.generic_series import ScalarPoints, SeriesListing, TensorPoints
from mindviz.errors import DamagedValue


class _Points(Protocol):
    @property
    def step(self) -> Int64s: ...

    @property
    def wall_time(self) -> Float64s: ...


Points = TypeVar("Points", bound=_Points)
T = TypeVar("T")
Answer = Mapping[str, Mapping[str, T]]
ReadBlob = Callable[[BlobReference], bytes | None]
"""None for unreadable blobs."""


class _Series(NamedTuple):
    """One series of an answer."""

    train_id: str
    tag: str
    points: Any
    rows: Int64s
    """Shape (number of rows,): the point of each row."""


def scalar_columns(answer: Answer[ScalarPoints]) -> Columns:
    """train_id, tag, step, wall_time, value (float64)."""
    series = _in_order(answer, _row_each)
    values = [one.points.value for one in series]
    return {**_keys(series), "value": _joined(values, np.float64)}


def tensor_columns(answer: Answer[TensorPoints]) -> Columns:
    """train_id, tag, step, wall_time, value (objects: arrays; strings are arrays of bytes)."""
    series = _in_order(answer, _row_each)
    return {**_keys(series), "value": objects([v for one in series for v in one.points.value])}


def blob_columns(answer: Answer[BlobSequencePoints], read: ReadBlob) -> Columns:
    """train_id, tag, step, wall_time, index (within the selected blobs), data (bytes)."""
    series = _in_order(answer, _row_per_blob)
    sequences = [sequence for one in series for sequence in one.points.references]
    return {
        **_keys(series),
        "index": _joined([np.arange(len(sequence)) for sequence in sequences], np.int64),
        "data": objects([read(blob) for sequence in sequences for blob in sequence]),
    }


def image_columns(answer: Answer[BlobSequencePoints], read: ReadBlob) -> Columns:
    """As `blob_columns`, with width and height in pixels, 0 if unknown."""
    columns = blob_columns(answer, read)
    data = columns["data"]
    assert isinstance(data, np.ndarray)
    sizes = np.array([_pixel_size(encoded) for encoded in data], np.int64).reshape(-1, 2)
    return {**columns, "width": sizes[:, 0], "height": sizes[:, 1], "data": data}


def listing_columns(plugins: Mapping[str, Answer[SeriesListing]]) -> Columns:
    """train_id, plugin_name, tag, data_class, max_step, max_wall_time, max_length, description."""
    rows = sorted(
        (
            (train_id, plugin_name, tag, one)
            for plugin_name, answer in plugins.items()
            for train_id, tags in answer.items()
            for tag, one in tags.items()
        ),
        key=lambda row: row[:3],
    )
    listed = [row[3] for row in rows]
    return {
        "train_id": _labels([row[0] for row in rows]),
        "plugin_name": _labels([row[1] for row in rows]),
        "tag": _labels([row[2] for row in rows]),
        "data_class": _labels([str(one.data_class) for one in listed]),
        "max_step": np.array([one.max_step for one in listed], np.int64),
        "max_wall_time": np.array([one.max_wall_time for one in listed], np.float64),
        "max_length": np.array([one.max_length for one in listed], np.int64),
        "description": objects([one.summary_metadata.description for one in listed]),
    }


def _in_order(answer: Answer[Points], rows: Callable[[Points], Int64s]) -> list[_Series]:
    return [
        _Series(train_id, tag, points, rows(points))
        for train_id, tags in sorted(answer.items())
        for tag, points in sorted(tags.items())
        if len(points.step)
    ]


def _row_each(points: _Points) -> Int64s:
    return np.arange(len(points.step))


def _row_per_blob(points: BlobSequencePoints) -> Int64s:
    lengths = [len(sequence) for sequence in points.references]
    return np.repeat(np.arange(len(lengths)), lengths)


def _keys(series: Sequence[_Series]) -> Columns:
    lengths = [len(one.rows) for one in series]
    return {
        "train_id": _labels([one.train_id for one in series], lengths),
        "tag": _labels([one.tag for one in series], lengths),
        "step": _joined([one.points.step[one.rows] for one in series], np.int64),
        "wall_time": _joined([one.points.wall_time[one.rows] for one in series], np.float64),
    }


def _labels(texts: Sequence[str], lengths: Sequence[int] | None = None) -> Labels:
    """The texts, each repeated as `lengths` says."""
    names = sorted(set(texts))
    number = {name: code for code, name in enumerate(names)}
    codes = np.array([number[text] for text in texts], np.int32)
    return Labels(tuple(names), codes if lengths is None else np.repeat(codes, lengths))


def _joined(parts: Iterable[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    found = list(parts)
    return np.concatenate(found, dtype=dtype) if found else np.empty(0, dtype)


def _pixel_size(encoded: bytes | None) -> tuple[int, int]:
    try:
        return pixel_size(encoded or b"")
    except DamagedValue:
        return 0, 0
