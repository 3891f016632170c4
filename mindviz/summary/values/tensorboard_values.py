"""Values that MindSpore's format lacks, as records in TensorBoard's format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue
from mindviz.summary.values import wav
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.writing.recorded_step import Log, PooledValue, describe
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_tensorboard_plugins as plugins


@dataclass(frozen=True, slots=True, eq=False)
class Audio:
    """An audio clip."""

    samples: object
    """Shape (frames,), (channels, frames) or (frames, channels); floats from -1 to 1, or int16."""
    sample_rate: int = 44_100
    """Hertz."""


@dataclass(frozen=True, slots=True, eq=False)
class PrCurve:
    """Predictions and their true labels."""

    labels: object
    """0 or 1."""
    predictions: object
    """Same shape, between 0 and 1."""
    thresholds: int = 127
    weights: object = None
    """Weight of each prediction, same shape; None for equal weights."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A point cloud or mesh, or a batch of them: all arrays have shape ([batch,] count, 3)."""

    vertices: object
    colors: object = None
    """Red, green, blue of each vertex: integers from 0 to 255, or floats from 0 to 1."""
    faces: object = None
    """Triangles, as indices of vertices."""
    config: Mapping[str, object] | None = None
    """Camera and lights, for TensorBoard's plugin."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """High-dimensional points."""

    vectors: object
    """Shape (n, dimensions)."""
    metadata: Sequence[object] = ()
    """The label of each point or, with a header, a sequence of labels."""
    header: Sequence[str] = ()
    """Column names of `metadata`."""


def text(tag: str, value: object) -> Iterator[PooledValue]:
    """Markdown."""
    if not isinstance(value, str):
        raise InvalidValue(f"text {tag!r} must be a string, not {type(value).__name__}.")
    yield pooled(f"text {tag!r}", lambda: [tensorboard.text(tag, value)], droppable=False)


def audio(tag: str, value: object) -> Iterator[PooledValue]:
    """An `Audio`, or its samples."""
    clip = value if isinstance(value, Audio) else Audio(value)
    what = describe("audio", tag)
    frames = wav.as_frames(snapshot(clip.samples, what), what)
    rate = wav.checked_rate(clip.sample_rate, what)
    yield pooled(what, lambda: [tensorboard.audio(tag, [wav.encode(frames, rate)])], frames.nbytes)


def pr_curve(tag: str, value: object) -> Iterator[PooledValue]:
    """A `PrCurve`."""
    what = describe("pr_curve", tag)
    if not isinstance(value, PrCurve):
        raise InvalidValue(f"{what} must be a PrCurve, not {type(value).__name__}.")
    labels, predictions = snapshot(value.labels, what), snapshot(value.predictions, what)
    weights = None if value.weights is None else snapshot(value.weights, what)
    shapes = [list(array.shape) for array in (labels, predictions, weights) if array is not None]
    if any(shape != shapes[0] for shape in shapes):
        raise InvalidValue(f"{what} has labels, predictions and weights of shapes {shapes}.")
    if not 2 <= value.thresholds <= 1 << 20:
        raise InvalidValue(f"{what} has {value.thresholds} thresholds; use 2 to {1 << 20}.")
    count = partial(counted_pr_curve, labels, predictions, value.thresholds, weights)
    nbytes = labels.nbytes + predictions.nbytes
    yield pooled(what, lambda: [plugins.pr_curve(tag, count())], nbytes)


def mesh(tag: str, value: object) -> Iterator[PooledValue]:
    """A `Mesh`, or its vertices."""
    given = value if isinstance(value, Mesh) else Mesh(value)
    what = describe("mesh", tag)
    vertices = _triples(given.vertices, np.float32, what)
    faces = None if given.faces is None else _triples(given.faces, np.int32, what)
    colors = None if given.colors is None else _colors(given.colors, what)
    if colors is not None and colors.shape != vertices.shape:
        raise InvalidValue(
            f"{what} has vertices of shape {list(vertices.shape)} and colors of shape "
            f"{list(colors.shape)}; they must be equal."
        )
    try:
        json.dumps(given.config)
    except (TypeError, ValueError) as error:
        raise InvalidValue(f"{what} has a config that is not JSON: {error}.") from error
    yield pooled(
        what,
        lambda: plugins.mesh(tag, vertices, faces, colors, given.config),
        vertices.nbytes,
    )


def embedding(tag: str, value: object) -> Iterator[PooledValue]:
    """An `Embedding`, or its vectors."""
    given = value if isinstance(value, Embedding) else Embedding(value)
    what = describe("embedding", tag)
    vectors = snapshot(given.vectors, what)
    if vectors.ndim != 2:
        raise InvalidValue(f"{what} has vectors of shape {list(vectors.shape)}; it must be 2-D.")
    rows = label_rows(given.metadata)
    if rows and (len(rows) != len(vectors) or len(set(map(len, rows))) > 1):
        raise InvalidValue(
            f"{what} has {len(vectors)} vectors and metadata of shape "
            f"{[len(rows), *sorted(set(map(len, rows)))]}."
        )
    yield pooled(
        what,
        lambda: [plugins.embedding(tag, vectors.astype(np.float32), rows, given.header)],
        vectors.nbytes,
    )


def label_rows(metadata: Sequence[object]) -> list[list[str]]:
    """The labels of each point."""
    return [
        [str(text) for text in one] if isinstance(one, list | tuple) else [str(one)]
        for one in metadata
    ]


def pooled(
    what: str, encode: Callable[[], list[bytes]], nbytes: int = 0, *, droppable: bool = True
) -> PooledValue:
    """One record in TensorBoard's format; the pool calls `encode`."""
    return PooledValue(
        Log.EVENTS,
        what,
        lambda wall_time, step: tensorboard.event(wall_time, step, encode()),
        nbytes,
        droppable,
    )


def _triples(value: object, dtype: type[np.number[Any]] | None, what: str) -> Array:
    """Shape (batch, count, 3)."""
    array = snapshot(value, what)
    if array.ndim not in (2, 3) or array.shape[-1] != 3:
        raise InvalidValue(
            f"{what} is not a mesh: shape {list(array.shape)}; it must be [count, 3] or "
            "[batch, count, 3]."
        )
    return (array if array.ndim == 3 else array[np.newaxis]).astype(
        dtype or array.dtype, copy=False
    )


def _colors(value: object, what: str) -> Array:
    array = _triples(value, None, what)
    if array.dtype.kind == "f":
        array = np.nan_to_num(array, nan=0)
        array = array * 255 if array.size and array.max() <= 1 else array
    return array.clip(0, 255).astype(np.uint8)


_EPSILON = 1e-7
"""Minimum denominator."""


def counted_pr_curve(
    labels: Array, predictions: Array, thresholds: int, weights: Array | None = None
) -> NDArray[np.float32]:
    """Shape (6, thresholds), in the layout of TensorBoard's plugin.

    Rows: true positives, false positives, true negatives, false negatives, precision, recall.
    Column i uses the threshold i / (thresholds - 1). Predictions are clipped to 0..1; NaN counts
    as 0. All arrays have the same shape.
    """
    weight = np.ones(labels.size) if weights is None else weights.ravel().astype(np.float64)
    is_true = labels.ravel().astype(np.float64) != 0
    scores = np.nan_to_num(np.clip(predictions.ravel().astype(np.float64), 0, 1))
    bucket = np.floor(scores * (thresholds - 1)).astype(np.int64)

    def at_least(chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        counted = np.bincount(bucket[chosen], weight[chosen], thresholds)
        return counted[::-1].cumsum()[::-1]

    true_positives, false_positives = at_least(is_true), at_least(~is_true)
    true_negatives = false_positives[0] - false_positives
    false_negatives = true_positives[0] - true_positives
    precision = true_positives / np.maximum(_EPSILON, true_positives + false_positives)
    recall = true_positives / np.maximum(_EPSILON, true_positives + false_negatives)
    counts = (true_positives, false_positives, true_negatives, false_negatives)
    return np.stack([*counts, precision, recall]).astype(np.float32)
