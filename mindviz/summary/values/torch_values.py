"""Numbers, tensors, texts, sounds and curves as torch's SummaryWriter writes them.

What TensorBoard has since moved into tensors, torch still writes into fields of their own; readers
know both. Source: torch.utils.tensorboard.summary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values import sounds
from mindviz.summary.values.arrays import NUMBERS, number, snapshot
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.writing.log_names import Log, named
from mindviz.summary.writing.recorded_step import PooledValue


def only_number(value: object, what: str) -> float:
    """A number, or that of an array of one element. Raises InvalidValue for more or less."""
    if not isinstance(value, int | float):
        value = snapshot(value, what)
        if value.size != 1:
            raise InvalidValue(f"{what} is no single number: its shape is {list(value.shape)}.")
    return number(value, what)


def scalar_tensor(tag: str, value: float, *, double: bool) -> PooledValue:
    """A number as a tensor of rank 0."""
    what = named("scalar", tag)
    dtype = np.float64 if double else np.float32
    with np.errstate(over="ignore"):
        element = dtype(value)
    return pooled(
        what,
        lambda: [_encoder().scalar_tensor(tag, element, listed=True)],
        droppable=False,
    )


def tensor(tag: str, value: object) -> PooledValue:
    """An array, with its type."""
    what = named("tensor", tag)
    array = snapshot(value, what, NUMBERS)
    if array.dtype.name not in _encoder().DATA_TYPES:  # such as longdouble
        array = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    return pooled(what, lambda: [_encoder().tensor(tag, array, plugin_name="tensor")], array.nbytes)


def text(tag: str, value: object) -> PooledValue:
    """Markdown, under `<tag>/text_summary`."""
    what = named("text", tag)
    if not isinstance(value, str):
        raise InvalidValue(f"{what} is not a string, but of type {type(value).__name__}.")
    content = value.encode(errors="replace")

    def encode() -> list[bytes]:
        name = f"{tag}/text_summary"
        return [_encoder().strings_tensor(name, [content], (1,), plugin_name="text")]

    return pooled(what, encode, len(content), droppable=False)


def audio(tag: str, samples: object, sample_rate: int) -> PooledValue:
    """A sound."""
    what = named("audio", tag)
    frames = sounds.frames_of(np.atleast_1d(snapshot(samples, what).squeeze()), what)
    rate, (length, channels) = sounds.rate_of(sample_rate, what), frames.shape

    def encode() -> list[bytes]:
        return [_encoder().audio_v1(tag, sounds.wav(frames, rate), rate, channels, length)]

    return pooled(what, encode, frames.nbytes)


def pr_curve_raw(tag: str, rows: Sequence[object]) -> PooledValue:
    """True and false positives, true and false negatives, precision, recall; each per threshold."""
    what = named("pr_curve", tag)
    arrays = [snapshot(row, what) for row in rows]
    shapes = {one.shape for one in arrays}
    if len(shapes) != 1 or arrays[0].ndim != 1 or not arrays[0].size:
        raise InvalidValue(f"{what} has rows of shapes {[list(one.shape) for one in arrays]}.")
    counts = np.stack(arrays).astype(np.float32)
    return pooled(what, lambda: [_plugins().pr_curve(tag, counts)], counts.nbytes)


def custom_scalars(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> PooledValue:
    """A dashboard: category -> chart -> [`Multiline`, tags], or [`Margin`, [value, low, high]]."""
    charts = {
        category: {title: _chart(title, *chart) for title, chart in charts.items()}
        for category, charts in layout.items()
    }
    content = _plugins().custom_scalars(charts)
    return pooled("custom scalars", lambda: [content], droppable=False)


def session_start() -> PooledValue:
    """A viewer hides what was written before, at the step of this event or later."""
    return PooledValue(Log.EVENTS, "session start", lambda *at: _encoder().session_event(*at))


def _chart(title: str, kind: str, tags: Sequence[str]) -> tuple[str, list[str]]:
    if kind == "Margin" and len(tags) != 3:
        raise InvalidValue(f"The margin chart {title!r} has {len(tags)} tags; it needs three.")
    return kind, list(tags)


def _encoder() -> Any:
    return import_module("mindviz.wire.encode_tensorboard")


def _plugins() -> Any:
    return import_module("mindviz.wire.encode_tensorboard_plugins")
