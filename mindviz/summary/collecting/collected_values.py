"""Collected values: what is recorded of what a training shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mindviz.config import training_hyper_config
from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import snapshot


def mean_of(value: object, name: str) -> float:
    """The mean of a number or a tensor. Raises InvalidValue, which calls it by its name."""
    if isinstance(value, int | float):
        return float(value)
    array = snapshot(value, f"scalar {name!r}")
    if not array.size:
        raise InvalidValue(f"scalar {name!r} is empty: its shape is {list(array.shape)}.")
    return float(array.mean(dtype=np.float64))


def plain(metric: object) -> object:
    """What JSON can say, where a metric is a framework's tensor or a number of numpy's."""
    to_list = getattr(metric, "tolist", None)
    return to_list() if callable(to_list) else metric


def images_in(inputs: object) -> object:
    """The first batch of images in what a network is given. Raises InvalidValue if there is none.

    A matrix would be drawn, too; but what a network is given in that shape is no picture.
    """
    found = list(_leaves(inputs))
    for one in found:
        if len(getattr(one, "shape", ())) == 4:
            return one
    shapes = ", ".join(str([*one.shape]) for one in found if hasattr(one, "shape"))
    raise InvalidValue(f"the input is no batch of images, but of shape {shapes or None}.")


def _leaves(inputs: object) -> Iterator[Any]:
    if isinstance(inputs, Mapping | list | tuple):
        for one in inputs.values() if isinstance(inputs, Mapping) else inputs:
            yield from _leaves(one)
    else:
        yield inputs


def custom_lineage(asked: Mapping[str, str | float] | None) -> dict[str, str | float]:
    """What was asked for, over what the environment says. Raises InvalidValue."""
    told = training_hyper_config().get("custom_lineage_data")
    if not isinstance(asked, Mapping | None):
        raise InvalidValue(f"custom_lineage_data is {asked!r:.100}: it must be a dict.")
    merged = {**(told if isinstance(told, dict) else {}), **(asked or {})}
    for key, value in merged.items():
        if not isinstance(key, str) or not isinstance(value, str | int | float):
            raise InvalidValue(
                f"custom_lineage_data has {key!r}: {value!r:.100}; it takes numbers and texts."
            )
    return merged
