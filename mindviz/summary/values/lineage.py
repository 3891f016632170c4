"""Lineage: how a job was trained and evaluated, for comparison with others."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import serialized
from mindviz.summary.writing.recorded_step import Log, PooledValue
from mindviz.wire import encode_lineage, encode_mindspore
from mindviz.wire.encode_lineage import EvalLineage, TrainLineage

T = TypeVar("T")


def train_lineage(name: str, value: object) -> Iterator[PooledValue]:
    """A `TrainLineage`, a mapping of its fields, or MindSpore's message."""
    if isinstance(value, Mapping):
        value = _create(TrainLineage, value, f"train_lineage {name!r}")
    if isinstance(value, TrainLineage):
        _check_types(value, f"train_lineage {name!r}")
        value = _encode("train_lineage", name, encode_lineage.train_lineage, value)
    yield _record("train_lineage", "TrainLineage", name, value)


def eval_lineage(name: str, value: object) -> Iterator[PooledValue]:
    """An `EvalLineage`, a mapping of its fields, or MindSpore's message."""
    if isinstance(value, Mapping):
        value = _create(EvalLineage, value, f"eval_lineage {name!r}")
    if isinstance(value, EvalLineage):
        if not isinstance(value.metric, Mapping):
            raise InvalidValue(f"eval_lineage {name!r} has a metric that is not a mapping.")
        value = _encode("eval_lineage", name, encode_lineage.evaluation_lineage, value)
    yield _record("eval_lineage", "EvaluationLineage", name, value)


def dataset_graph(name: str, value: object) -> Iterator[PooledValue]:
    """A mapping as MindSpore serializes datasets, or its message."""
    if isinstance(value, Mapping):
        value = _encode("dataset_graph", name, encode_lineage.dataset_graph, value)
    yield _record("dataset_graph", "DatasetGraph", name, value)


def custom_lineage_data(name: str, value: object) -> Iterator[PooledValue]:
    """A mapping of names to numbers and strings, or MindSpore's message."""
    if isinstance(value, Mapping):
        check_custom_lineage(f"custom_lineage_data {name!r}", value)
        value = _encode("custom_lineage_data", name, encode_lineage.user_defined_info, value)
    yield _record("custom_lineage_data", "UserDefinedInfo", name, value)


def check_custom_lineage(what: str, values: Mapping[Any, object]) -> None:
    """Raises InvalidValue unless names are strings and values are numbers or strings."""
    for key, value in values.items():
        if not isinstance(key, str) or not isinstance(value, str | int | float):
            raise InvalidValue(
                f"{what} has {key!r}: {value!r:.100}; values must be numbers or strings."
            )


def _create(kind: Callable[..., object], values: Mapping[Any, Any], what: str) -> object:
    try:
        return kind(**values)
    except TypeError as error:
        raise InvalidValue(f"{what} has invalid fields: {error}.") from error


def _check_types(value: TrainLineage, what: str) -> None:
    """Number fields accept anything convertible, such as tensors; string fields only strings."""
    for field_ in fields(value):
        given, is_text = getattr(value, field_.name), str(field_.type).startswith("str")
        if given is not None and isinstance(given, str) is not is_text:
            kind = "string" if is_text else "number"
            raise InvalidValue(f"{what}: {field_.name} is {given!r:.100}; it must be a {kind}.")


def _encode(plugin: str, name: str, encode: Callable[[T], bytes], value: T) -> bytes:
    # In the calling thread: the message is small, and the error points at the caller.
    try:
        return encode(value)
    except (AttributeError, TypeError, ValueError, struct.error) as error:
        raise InvalidValue(f"{plugin} {name!r} cannot be recorded: {error}") from error


def _record(plugin: str, message_name: str, name: str, value: object) -> PooledValue:
    what = f"{plugin} {name!r}"
    content = serialized(value, what, message_name)
    return PooledValue(
        Log.LINEAGE,
        what,
        lambda wall_time, _step: encode_mindspore.lineage_fact(wall_time, message_name, content),
    )
