"""Scalars, tensors, texts, audio, curves and hyperparameters as torch's SummaryWriter writes them.

torch still writes some kinds in fields that TensorBoard has since replaced by tensors; readers
accept both. Source: torch.utils.tensorboard.summary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values import wav
from mindviz.summary.values.arrays import NUMBERS, number, snapshot
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.writing.recorded_step import Log, PooledValue, describe
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_tensorboard_plugins as plugins


def only_number(value: object, what: str) -> float:
    """A number or the element of a one-element array. Raises InvalidValue for other sizes."""
    if not isinstance(value, int | float):
        value = snapshot(value, what)
        if value.size != 1:
            raise InvalidValue(f"{what} is not a single number: its shape is {list(value.shape)}.")
    return number(value, what)


def scalar_tensor(tag: str, value: float, *, double: bool) -> PooledValue:
    """A number as a tensor of rank 0."""
    what = describe("scalar", tag)
    dtype = np.float64 if double else np.float32
    with np.errstate(over="ignore"):
        element = dtype(value)
    return pooled(
        what, lambda: [tensorboard.scalar_tensor(tag, element, listed=True)], droppable=False
    )


def tensor(tag: str, value: object) -> PooledValue:
    """An array with its type."""
    what = describe("tensor", tag)
    array = snapshot(value, what, NUMBERS)
    if array.dtype.name not in tensorboard.DATA_TYPES:  # such as longdouble
        array = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    encode = partial(tensorboard.tensor, tag, array, plugin_name="tensor")
    return pooled(what, lambda: [encode()], array.nbytes)


def text(tag: str, value: object) -> PooledValue:
    """Markdown, under `<tag>/text_summary`."""
    what = describe("text", tag)
    if not isinstance(value, str):
        raise InvalidValue(f"{what} must be a string, not {type(value).__name__}.")
    content = value.encode(errors="replace")

    def encode() -> list[bytes]:
        name = f"{tag}/text_summary"
        return [tensorboard.strings_tensor(name, [content], (1,), plugin_name="text")]

    return pooled(what, encode, len(content), droppable=False)


def audio(tag: str, samples: object, sample_rate: int) -> PooledValue:
    """Audio as WAV."""
    what = describe("audio", tag)
    frames = wav.as_frames(np.atleast_1d(snapshot(samples, what).squeeze()), what)
    rate, (length, channels) = wav.checked_rate(sample_rate, what), frames.shape

    def encode() -> list[bytes]:
        return [tensorboard.audio_v1(tag, wav.encode(frames, rate), rate, channels, length)]

    return pooled(what, encode, frames.nbytes)


def pr_curve_raw(tag: str, rows: Sequence[object]) -> PooledValue:
    """A curve from per-threshold rows: TP, FP, TN, FN, precision, recall."""
    what = describe("pr_curve", tag)
    arrays = [snapshot(row, what) for row in rows]
    shapes = [list(array.shape) for array in arrays]
    if len(set(map(tuple, shapes))) != 1 or arrays[0].ndim != 1 or not arrays[0].size:
        raise InvalidValue(f"{what} has rows of shapes {shapes}; they must be equal and 1-D.")
    counts = np.stack(arrays).astype(np.float32)
    return pooled(what, lambda: [plugins.pr_curve(tag, counts)], counts.nbytes)


def custom_scalars(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> PooledValue:
    """A layout: category -> chart -> [`Multiline`, tags] or [`Margin`, [value, low, high]]."""
    charts = {
        category: {title: _chart(title, *chart) for title, chart in charts.items()}
        for category, charts in layout.items()
    }
    content = plugins.custom_scalars(charts)
    return pooled("custom scalars", lambda: [content], droppable=False)


def session_start() -> PooledValue:
    """Makes viewers hide earlier records at this event's step or later."""
    return PooledValue(Log.EVENTS, "session start", tensorboard.session_event)


def _chart(title: str, kind: str, tags: Sequence[str]) -> tuple[str, list[str]]:
    if kind == "Margin" and len(tags) != 3:
        raise InvalidValue(f"The margin chart {title!r} has {len(tags)} tags; it needs three.")
    return kind, list(tags)


def hparams(
    values: Mapping[str, object],
    metrics: Sequence[str],
    domains: Mapping[str, Sequence[plugins.Hyperparameter]] | None = None,
) -> Iterator[PooledValue]:
    """The three records of a run: experiment, session start with the values, and session end.

    Values are numbers, booleans, strings or one-element arrays; None is omitted. Raises
    InvalidValue for other types.
    """
    if not isinstance(values, Mapping):
        raise InvalidValue(f"Hyperparameters must be a mapping, not {type(values).__name__}.")
    given = {name: _plain(name, value) for name, value in values.items() if value is not None}
    for name, domain in (domains or {}).items():
        if name not in given or any(type(value) is not type(given[name]) for value in domain):
            raise InvalidValue(
                f"The domain of hyperparameter {name!r} is {list(domain)!r:.100}: the "
                "hyperparameter must exist and have the type of these values."
            )
    for content in (
        plugins.hparams_experiment(given, metrics, domains or {}),
        plugins.hparams_session_start(given),
        plugins.hparams_session_end(),
    ):
        yield pooled("hyperparameters", partial(list, [content]), droppable=False)


def _plain(name: str, value: object) -> bool | int | float | str:
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, bool | int | float | str):
        return value
    return only_number(value, f"hyperparameter {name!r}")
