"""Converts losses, metrics, inputs and lineage to values that can be recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mindviz.config import training_hyper_config
from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import snapshot
from mindviz.summary.values.lineage import check_custom_lineage


def mean_of(value: object, name: str) -> float:
    """The mean of a number or a tensor. Raises InvalidValue, with this name in the message."""
    if isinstance(value, int | float):
        return float(value)
    array = snapshot(value, f"scalar {name!r}")
    if not array.size:
        raise InvalidValue(f"scalar {name!r} is empty: its shape is {list(array.shape)}.")
    return float(array.mean(dtype=np.float64))


def plain(metric: object) -> object:
    """Tensors and numpy numbers as JSON values; other metrics unchanged."""
    to_list = getattr(metric, "tolist", None)
    return to_list() if callable(to_list) else metric


def images_in(inputs: object) -> object:
    """The first 4-D tensor of a network's inputs. Raises InvalidValue if there is none.

    2-D and 3-D tensors could be drawn, too, but as inputs they are rarely images.
    """
    tensors = list(_leaves(inputs))
    for tensor in tensors:
        if len(getattr(tensor, "shape", ())) == 4:
            return tensor
    shapes = ", ".join(str([*tensor.shape]) for tensor in tensors if hasattr(tensor, "shape"))
    raise InvalidValue(f"the input is not a batch of images; its shapes are {shapes or None}.")


def _leaves(inputs: object) -> Iterator[Any]:
    if isinstance(inputs, Mapping | list | tuple):
        for item in inputs.values() if isinstance(inputs, Mapping) else inputs:
            yield from _leaves(item)
    else:
        yield inputs


def custom_lineage(given: Mapping[str, str | float] | None) -> dict[str, str | float]:
    """The given values, which override those of the environment. Raises InvalidValue."""
    if not isinstance(given, Mapping | None):
        raise InvalidValue(f"custom_lineage_data is {given!r:.100}: it must be a dict.")
    configured = training_hyper_config().get("custom_lineage_data")
    merged = {**(configured if isinstance(configured, dict) else {}), **(given or {})}
    check_custom_lineage("custom_lineage_data", merged)
    return merged
