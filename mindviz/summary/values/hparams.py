"""Hyperparameters in the format of TensorBoard's HParams plugin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.values.torch_values import only_number
from mindviz.summary.writing.recorded_step import PooledValue
from mindviz.summary.writing.tensorboard_encoders import plugin_encoder


def hparams(
    values: Mapping[str, object],
    metrics: Sequence[str],
    domains: Mapping[str, Sequence[object]] | None = None,
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
    encoder = plugin_encoder()
    for content in (
        encoder.hparams_experiment(given, metrics, domains or {}),
        encoder.hparams_session_start(given),
        encoder.hparams_session_end(),
    ):
        yield pooled("hyperparameters", partial(list, [content]), droppable=False)


def _plain(name: str, value: object) -> bool | int | float | str:
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, bool | int | float | str):
        return value
    return only_number(value, f"hyperparameter {name!r}")
