"""What MindSpore's format does not hold and TensorBoard's does, from a value to its record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values import precision_recall, sounds
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.writing.log_names import Log, named
from mindviz.summary.writing.recorded_step import PooledValue


@dataclass(frozen=True, slots=True, eq=False)
class Audio:
    """A sound."""

    samples: object
    """Shape (frames,), (channels, frames) or (frames, channels); floats from -1 to 1, or int16."""
    sample_rate: int = 44_100
    """Per second."""


@dataclass(frozen=True, slots=True, eq=False)
class PrCurve:
    """Predictions and what would have been right."""

    labels: object
    """What is right: 0 or 1."""
    predictions: object
    """Of the same shape, between 0 and 1."""
    thresholds: int = 127
    weights: object = None
    """How much each prediction counts, of the same shape; None: all the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Points in space, or a batch of such meshes: all arrays have the shape ([batch,] count, 3)."""

    vertices: object
    colors: object = None
    """Red, green, blue of each vertex: integers from 0 to 255, or floats from 0 to 1."""
    faces: object = None
    """Triangles, as indices of vertices."""
    config: Mapping[str, object] | None = None
    """For the camera and light of TensorBoard's plugin."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """Points in a space of many dimensions."""

    vectors: object
    """Shape (n, dimensions)."""
    metadata: Sequence[object] = ()
    """What each point is: a text or, where there is a header, a sequence of texts."""
    header: Sequence[str] = ()
    """What the texts of `metadata` are."""


def text(tag: str, value: object) -> Iterator[PooledValue]:
    """Markdown."""
    if not isinstance(value, str):
        raise InvalidValue(f"text {tag!r} is not a string, but of type {type(value).__name__}.")
    yield pooled(f"text {tag!r}", lambda: [_tensorboard().text(tag, value)], droppable=False)


def audio(tag: str, value: object) -> Iterator[PooledValue]:
    """An `Audio`, or its samples."""
    sound = value if isinstance(value, Audio) else Audio(value)
    what = named("audio", tag)
    frames = sounds.frames_of(snapshot(sound.samples, what), what)
    rate = sounds.rate_of(sound.sample_rate, what)
    yield pooled(
        what, lambda: [_tensorboard().audio(tag, [sounds.wav(frames, rate)])], frames.nbytes
    )


def pr_curve(tag: str, value: object) -> Iterator[PooledValue]:
    """A `PrCurve`."""
    what = named("pr_curve", tag)
    if not isinstance(value, PrCurve):
        raise InvalidValue(f"{what} is no PrCurve, but of type {type(value).__name__}.")
    labels, predictions = (snapshot(one, what) for one in (value.labels, value.predictions))
    weights = None if value.weights is None else snapshot(value.weights, what)
    shapes = [list(one.shape) for one in (labels, predictions, weights) if one is not None]
    if any(shape != shapes[0] for shape in shapes):
        raise InvalidValue(f"{what} has labels, predictions and weights of shapes {shapes}.")
    if not 2 <= value.thresholds <= 1 << 20:
        raise InvalidValue(f"{what} has {value.thresholds} thresholds; it needs at least two.")
    count = partial(precision_recall.pr_curve, labels, predictions, value.thresholds, weights)
    nbytes = labels.nbytes + predictions.nbytes
    yield pooled(what, lambda: [_plugins().pr_curve(tag, count())], nbytes)


def mesh(tag: str, value: object) -> Iterator[PooledValue]:
    """A `Mesh`, or its vertices."""
    given = value if isinstance(value, Mesh) else Mesh(value)
    what = named("mesh", tag)
    vertices = _triples(given.vertices, np.float32, what)
    faces = None if given.faces is None else _triples(given.faces, np.int32, what)
    colors = None if given.colors is None else _colors(given.colors, what)
    if colors is not None and colors.shape != vertices.shape:
        raise InvalidValue(
            f"{what} has vertices of shape {list(vertices.shape)} and colors of shape "
            f"{list(colors.shape)}."
        )
    try:
        json.dumps(given.config)
    except (TypeError, ValueError) as error:
        raise InvalidValue(f"{what} has a config that is not JSON: {error}.") from error
    encode = partial(lambda *parts: _plugins().mesh(*parts), tag, vertices, faces, colors)
    yield pooled(what, partial(encode, given.config), vertices.nbytes)


def embedding(tag: str, value: object) -> Iterator[PooledValue]:
    """An `Embedding`, or its vectors."""
    given = value if isinstance(value, Embedding) else Embedding(value)
    what = named("embedding", tag)
    vectors = snapshot(given.vectors, what)
    if vectors.ndim != 2:
        raise InvalidValue(f"{what} is no list of vectors: shape {list(vectors.shape)}.")
    rows = label_rows(given.metadata)
    if rows and (len(rows) != len(vectors) or len(set(map(len, rows))) > 1):
        raise InvalidValue(
            f"{what} has {len(vectors)} vectors and metadata of shape "
            f"{[len(rows), *sorted(set(map(len, rows)))]}."
        )
    yield pooled(
        what,
        lambda: [_plugins().embedding(tag, vectors.astype(np.float32), rows, given.header)],
        vectors.nbytes,
    )


def label_rows(metadata: Sequence[object]) -> list[list[str]]:
    """What each point is, in as many texts as there are."""
    return [
        [str(text) for text in one] if isinstance(one, list | tuple) else [str(one)]
        for one in metadata
    ]


def pooled(
    what: str, encode: Callable[[], list[bytes]], nbytes: int = 0, *, droppable: bool = True
) -> PooledValue:
    """Values of TensorBoard's format, encoded later, as one record."""
    return PooledValue(
        Log.EVENTS,
        what,
        lambda wall_time, step: _tensorboard().event(wall_time, step, encode()),
        nbytes,
        droppable,
    )


def _triples(value: object, dtype: type[np.number[Any]] | None, what: str) -> Array:
    """Shape (batch, count, 3)."""
    array = snapshot(value, what)
    if array.ndim not in (2, 3) or array.shape[-1] != 3:
        raise InvalidValue(
            f"{what} is no mesh: shape {list(array.shape)}; it needs [count, 3] or "
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


def _tensorboard() -> Any:
    # Late: few need these kinds, and they bring protobuf.
    return import_module("mindviz.wire.encode_tensorboard")


def _plugins() -> Any:
    return import_module("mindviz.wire.encode_tensorboard_plugins")
