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
    values = [row.points.value for row in series]
    return {**_keys(series), "value": _joined(values, np.float64)}


def tensor_columns(answer: Answer[TensorPoints]) -> Columns:
    """train_id, tag, step, wall_time, value (objects: arrays; strings are arrays of bytes)."""
    series = _in_order(answer, _row_each)
    values = [value for row in series for value in row.points.value]
    return {**_keys(series), "value": objects(values)}


def blob_columns(answer: Answer[BlobSequencePoints], read: ReadBlob) -> Columns:
    """train_id, tag, step, wall_time, index (within the selected blobs), data (bytes)."""
    series = _in_order(answer, _row_per_blob)
    sequences = [sequence for row in series for sequence in row.points.references]
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
            (train_id, plugin_name, tag, listing)
            for plugin_name, answer in plugins.items()
            for train_id, tags in answer.items()
            for tag, listing in tags.items()
        ),
        key=lambda row: row[:3],
    )
    listed = [row[3] for row in rows]
    return {
        "train_id": _labels([row[0] for row in rows]),
        "plugin_name": _labels([row[1] for row in rows]),
        "tag": _labels([row[2] for row in rows]),
        "data_class": _labels([str(listing.data_class) for listing in listed]),
        "max_step": np.array([listing.max_step for listing in listed], np.int64),
        "max_wall_time": np.array([listing.max_wall_time for listing in listed], np.float64),
        "max_length": np.array([listing.max_length for listing in listed], np.int64),
        "description": objects([listing.summary_metadata.description for listing in listed]),
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
    lengths = [len(row.rows) for row in series]
    return {
        "train_id": _labels([row.train_id for row in series], lengths),
        "tag": _labels([row.tag for row in series], lengths),
        "step": _joined([row.points.step[row.rows] for row in series], np.int64),
        "wall_time": _joined([row.points.wall_time[row.rows] for row in series], np.float64),
    }


def _labels(texts: Sequence[str], lengths: Sequence[int] | None = None) -> Labels:
    """The texts, each repeated as `lengths` says."""
    names = sorted(set(texts))
    number = {name: code for code, name in enumerate(names)}
    codes = np.array([number[text] for text in texts], np.int32)
    return Labels(tuple(names), codes if lengths is None else np.repeat(codes, lengths))


def _joined(parts: Iterable[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    arrays = list(parts)
    return np.concatenate(arrays, dtype=dtype) if arrays else np.empty(0, dtype)


def _pixel_size(encoded: bytes | None) -> tuple[int, int]:
    try:
        return pixel_size(encoded or b"")
    except DamagedValue:
        return 0, 0
