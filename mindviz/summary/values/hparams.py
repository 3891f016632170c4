"""Hyper-parameters as TensorBoard's plugin has them, from what somebody trains with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.values.torch_values import only_number
from mindviz.summary.writing.recorded_step import PooledValue


def hyper_parameters(
    values: Mapping[str, object],
    metrics: Sequence[str],
    domains: Mapping[str, Sequence[object]] | None = None,
) -> Iterator[PooledValue]:
    """The records of one run: what there is, its values, and that it has ended.

    Values are numbers, truths, texts, or arrays of one number; what is None is left out. Raises
    InvalidValue for others.
    """
    if not isinstance(values, Mapping):
        raise InvalidValue(f"Hyper-parameters are a mapping, not of type {type(values).__name__}.")
    known = {name: _plain(name, one) for name, one in values.items() if one is not None}
    for name, domain in (domains or {}).items():
        if name not in known or any(type(one) is not type(known[name]) for one in domain):
            raise InvalidValue(
                f"The domain of hyper-parameter {name!r} is {list(domain)!r:.100}: it has to list "
                "values of the type of one that is there."
            )
    plugins: Any = import_module("mindviz.wire.encode_tensorboard_plugins")
    for content in (
        plugins.hparams_experiment(known, metrics, domains or {}),
        plugins.hparams_session_start(known),
        plugins.hparams_session_end(),
    ):
        yield pooled("hyper-parameters", partial(list, [content]), droppable=False)


def _plain(name: str, value: object) -> bool | int | float | str:
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, bool | int | float | str):
        return value
    return only_number(value, f"hyper-parameter {name!r}")
