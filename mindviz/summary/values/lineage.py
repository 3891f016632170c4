"""Lineage: how a training came about, to be compared with others."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import serialized
from mindviz.summary.writing.log_names import Log
from mindviz.summary.writing.recorded_step import PooledValue
from mindviz.wire import encode_lineage, encode_mindspore


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainLineage:
    """How a network was trained; None: not known."""

    optimizer: str | None = None
    learning_rate: float | None = None
    loss_function: str | None = None
    epoch: int | None = None
    parallel_mode: str | None = None
    device_num: int | None = None
    batch_size: int | None = None
    train_dataset_path: str | None = None
    train_dataset_size: int | None = None
    """Samples."""
    network: str | None = None
    loss: float | None = None
    model_path: str | None = None
    """Of the checkpoint."""
    model_size: int | None = None
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalLineage:
    """How well a network did; None: not known."""

    metric: Mapping[str, object] = field(default_factory=dict)
    """Name -> number, or anything else that JSON can say."""
    valid_dataset_path: str | None = None
    valid_dataset_size: int | None = None
    """Samples."""


def train_lineage(name: str, value: object) -> Iterator[PooledValue]:
    """A `TrainLineage`, a mapping of its fields, or MindSpore's message."""
    if isinstance(value, Mapping):
        value = _made(TrainLineage, value, f"train_lineage {name!r}")
    if isinstance(value, TrainLineage):
        _check_types(value, f"train_lineage {name!r}")
        value = _packed("train_lineage", name, encode_lineage.train_lineage, **asdict(value))
    yield _fact("train_lineage", "TrainLineage", name, value)


def eval_lineage(name: str, value: object) -> Iterator[PooledValue]:
    """An `EvalLineage`, a mapping of its fields, or MindSpore's message."""
    if isinstance(value, Mapping):
        value = _made(EvalLineage, value, f"eval_lineage {name!r}")
    if isinstance(value, EvalLineage):
        if not isinstance(value.metric, Mapping):
            raise InvalidValue(f"eval_lineage {name!r} has a metric that is no mapping.")
        value = _packed("eval_lineage", name, encode_lineage.evaluation_lineage, **asdict(value))
    yield _fact("eval_lineage", "EvaluationLineage", name, value)


def dataset_graph(name: str, value: object) -> Iterator[PooledValue]:
    """A mapping as MindSpore serialises datasets, or its message."""
    if isinstance(value, Mapping):
        value = _packed("dataset_graph", name, encode_lineage.dataset_graph, dataset=value)
    yield _fact("dataset_graph", "DatasetGraph", name, value)


def custom_lineage_data(name: str, value: object) -> Iterator[PooledValue]:
    """A mapping of names to numbers and texts, or MindSpore's message."""
    what = f"custom_lineage_data {name!r}"
    if isinstance(value, Mapping):
        for key, one in value.items():
            if not isinstance(key, str) or not isinstance(one, str | int | float):
                raise InvalidValue(f"{what} has {key!r}: {one!r:.100}; it takes numbers and texts.")
        value = _packed("custom_lineage_data", name, encode_lineage.user_defined_info, values=value)
    yield _fact("custom_lineage_data", "UserDefinedInfo", name, value)


def _made(kind: Callable[..., object], given: Mapping[Any, Any], what: str) -> object:
    try:
        return kind(**given)
    except TypeError as error:
        raise InvalidValue(f"{what} has other fields than it may have: {error}.") from error


def _check_types(value: TrainLineage, what: str) -> None:
    """Numbers may be anything that becomes one, tensors as well; texts may not."""
    for one in fields(value):
        given, is_text = getattr(value, one.name), str(one.type).startswith("str")
        if given is not None and isinstance(given, str) is not is_text:
            kind = "text" if is_text else "number"
            raise InvalidValue(f"{what}: {one.name} is {given!r:.100}, which is no {kind}.")


def _packed(plugin: str, name: str, encode: Callable[..., bytes], **values: object) -> bytes:
    # Small, and a mistake in it should be told where it is made: not a matter for the pool.
    try:
        return encode(**values)
    except (AttributeError, TypeError, ValueError, struct.error) as error:
        raise InvalidValue(f"{plugin} {name!r} cannot be recorded: {error}") from error


def _fact(plugin: str, message_name: str, name: str, value: object) -> PooledValue:
    what = f"{plugin} {name!r}"
    content = serialized(value, what, message_name)
    return PooledValue(
        Log.LINEAGE,
        what,
        lambda wall_time, _step: encode_mindspore.lineage_fact(wall_time, message_name, content),
    )
