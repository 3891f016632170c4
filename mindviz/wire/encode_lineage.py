"""Encodes MindSpore's lineage messages. Source: mindspore lineage.proto.

Every function returns a message for `encode_mindspore.lineage_fact`. None is omitted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from mindviz.wire.encode import double_field, float_field, message, text_field, varint_field

Number = int | float

MAX_DEPTH = 100
"""Of nested datasets: the recursion limit of protobuf decoders."""

_INT32 = range(-(1 << 31), 1 << 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainLineage:
    """How a network was trained; None for unknown."""

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
    """Path of the checkpoint."""
    model_size: int | None = None
    """Bytes of the checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalLineage:
    """The results of an evaluation; None for unknown."""

    metric: Mapping[str, object] = field(default_factory=dict)
    """Name -> number, or another JSON value."""
    valid_dataset_path: str | None = None
    valid_dataset_size: int | None = None
    """Samples."""


def train_lineage(lineage: TrainLineage) -> bytes:
    """A TrainLineage."""
    hyperparameters = (
        _text(1, lineage.optimizer),
        _float32(2, lineage.learning_rate),
        _text(3, lineage.loss_function),
        _integer(4, lineage.epoch),
        _text(5, lineage.parallel_mode),
        _integer(6, lineage.device_num),
        _integer(8, lineage.batch_size),
    )
    path = None if lineage.model_path is None else json.dumps({"ckpt": lineage.model_path})
    dataset = _text(1, lineage.train_dataset_path), _integer(2, lineage.train_dataset_size)
    return b"".join(
        (
            message(1, *hyperparameters),
            message(2, *dataset),
            message(3, _text(1, lineage.network), _float32(2, lineage.loss)),
            message(4, _text(3, path), _integer(4, lineage.model_size)),
        )
    )


def evaluation_lineage(lineage: EvalLineage) -> bytes:
    """An EvaluationLineage; the metric is stored as JSON."""
    dataset = _text(1, lineage.valid_dataset_path), _integer(2, lineage.valid_dataset_size)
    return _text(2, json.dumps(lineage.metric)) + message(3, *dataset)


def user_defined_info(values: Mapping[str, Number | str]) -> bytes:
    """A UserDefinedInfo: as in MindSpore, one element per key, each a map with one entry.

    Integers of more than 32 bits become doubles.
    """
    return b"".join([message(1, _user_entry(key, value)) for key, value in values.items()])


def _user_entry(key: str, value: Number | str) -> bytes:
    if isinstance(value, str):
        return message(4, _text(1, key), _text(2, value))
    if isinstance(value, int) and value in _INT32:
        return message(3, _text(1, key), varint_field(2, value))
    return message(5, _text(1, key), double_field(2, float(value)))


def dataset_graph(dataset: Mapping[str, object], depth: int = 0) -> bytes:
    """A DatasetGraph from MindSpore's serialization of a dataset.

    `children` are datasets; `operations` and `sampler` are mappings; other keys are parameters.
    Raises ValueError if datasets are nested more than `MAX_DEPTH` deep.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"The dataset is nested more than {MAX_DEPTH} deep.")
    parts = []
    parameters = {}
    for key, value in dataset.items():
        if key == "children" and _is_list(value):
            parts += [
                message(1, dataset_graph(child, depth + 1))
                for child in value
                if isinstance(child, Mapping)
            ]
        elif key == "operations" and _is_list(value):
            parts += [message(3, _operation(item)) for item in value if isinstance(item, Mapping)]
        elif key == "sampler" and isinstance(value, Mapping):
            parts.append(message(4, _operation(value)))
        else:
            parameters[key] = value
    return b"".join((message(2, _parameters(parameters)), *parts))


def _operation(operation: Mapping[str, Any]) -> bytes:
    """An Operation; lists of integers are sizes, other lists of numbers are weights."""
    parameters = {}
    lists = b""
    for key, value in operation.items():
        if _is_list(value) and all(isinstance(size, int) and size in _INT32 for size in value):
            lists += b"".join([varint_field(2, size) for size in value])
        elif _is_list(value) and all(isinstance(weight, int | float) for weight in value):
            lists += b"".join([float_field(3, weight) for weight in value])
        else:
            parameters[key] = value
    return message(1, _parameters(parameters)) + lists


def _parameters(values: Mapping[str, object]) -> bytes:
    return b"".join([_parameter(key, value) for key, value in values.items()])


def _parameter(key: str, value: object) -> bytes:
    """An entry of an OperationParameter map; other types become strings.

    Empty lists have no entry, as in MindSpore.
    """
    name = _text(1, key)
    if isinstance(value, bool):
        return message(3, name, varint_field(2, value))
    if isinstance(value, int) and value in _INT32:
        return message(4, name, varint_field(2, value))
    if isinstance(value, int | float):
        return message(5, name, double_field(2, float(value)))
    if _is_list(value):
        strings = ["" if item is None else json.dumps(item, default=str) for item in value]
        return message(2, name, message(2, *(_text(1, item) for item in strings))) if value else b""
    if isinstance(value, Mapping):
        return message(1, name, _text(2, json.dumps(value, default=str)))
    return message(1, name, _text(2, str(value)))


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def _text(number: int, value: str | None) -> bytes:
    return b"" if value is None else text_field(number, value)


def _integer(number: int, value: int | None) -> bytes:
    return b"" if value is None else varint_field(number, value)


def _float32(number: int, value: float | None) -> bytes:
    return b"" if value is None else float_field(number, value)
