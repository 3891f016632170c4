"""Decodes lineage: how a job was trained.

Sources: mindspore lineage.proto; tensorboard/plugins/hparams/plugin_data.proto and
google/protobuf/struct.proto; visualdl/proto/record.proto. All functions raise DamagedValue.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    Fact,
    LineageFacts,
    MetricTag,
    TrainFacts,
)
from mindviz.errors import DamagedValue
from mindviz.wire.fields import BadMessage, Message

if TYPE_CHECKING:
    from mindviz.wire.proto import mindspore_pb2 as proto

MAX_DEPTH = 100
"""Of nested datasets and values: the limit of protobuf's decoder."""

_NOT_SAID = "None"
"""What MindSpore writes for a parameter that is None."""

_STATUS = {0: "unknown", 1: "success", 2: "failure", 3: "running"}


def mindspore_lineage(kind: str, value: bytes) -> LineageFacts:
    """One event of a lineage file."""
    if kind == "dataset_graph":
        return LineageFacts(dataset_graph=_dataset_graph(value))
    if kind == "user_defined_info":
        return LineageFacts(user_defined=_user_defined(_parsed("UserDefinedInfo", value)))
    if kind == "evaluation_lineage":
        return LineageFacts(evaluation=_evaluation(_parsed("EvaluationLineage", value)))
    return LineageFacts(train=_train(_parsed("TrainLineage", value)))


def _parsed(name: str, value: bytes) -> Any:
    # Imported late: `mindviz start` must not wait for protobuf.
    from google.protobuf.message import DecodeError  # noqa: PLC0415

    from mindviz.wire.proto import mindspore_pb2  # noqa: PLC0415

    try:
        return getattr(mindspore_pb2, name).FromString(value)
    except DecodeError as error:
        raise DamagedValue(f"A lineage event ({name}) cannot be decoded: {error}.") from error


def _said(message: Any, field: str) -> Any:
    return getattr(message, field) if message.HasField(field) else None


def _shortest(value: float | None) -> float | None:
    """A float32 as its shortest decimal: 0.1, not 0.10000000149."""
    return None if value is None else float(str(np.float32(value)))


def _train(message: proto.TrainLineage) -> TrainFacts:
    parameters = message.hyper_parameters
    return TrainFacts(
        optimizer=_said(parameters, "optimizer"),
        learning_rate=_shortest(_said(parameters, "learning_rate")),
        loss_function=_said(parameters, "loss_function"),
        epoch=_said(parameters, "epoch"),
        device_num=_said(parameters, "device_num"),
        batch_size=_said(parameters, "batch_size"),
        train_dataset_path=_said(message.train_dataset, "train_dataset_path"),
        train_dataset_count=_said(message.train_dataset, "train_dataset_size"),
        network=_said(message.algorithm, "network"),
        loss=_shortest(_said(message.algorithm, "loss")),
        model_size=_said(message.model, "size"),
    )


def _evaluation(message: proto.EvaluationLineage) -> EvaluationFacts:
    metric: Any = {}
    if message.metric:
        try:
            metric = _encodable(_METRICS.decode(message.metric))
        except (ValueError, RecursionError) as error:
            raise DamagedValue(f"The metric of an evaluation is not JSON: {error}.") from error
        if not isinstance(metric, dict):
            raise DamagedValue("The metric of an evaluation is not a JSON object.")
    return EvaluationFacts(
        metric=metric,
        test_dataset_path=_said(message.valid_dataset, "valid_dataset_path"),
        test_dataset_count=_said(message.valid_dataset, "valid_dataset_size"),
    )


def _integer(text: str) -> int | float:
    """An integer of JSON; a float if it has more than 64 bits, which few readers support."""
    return float(text) if abs(float(text)) >= 2**63 else int(text)


_METRICS = json.JSONDecoder(parse_int=_integer)
"""Created once; `json.loads` would create one per job."""


def _encodable(value: Fact, depth: int = 0) -> Fact:
    """Decoded JSON that can be encoded again: limited depth, no lone surrogates."""
    if depth > MAX_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_encodable(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(item, depth + 1) for name, item in value.items()}
    return value


def _user_defined(message: proto.UserDefinedInfo) -> dict[str, Fact]:
    """MindSpore writes one `user_info` per name, with one entry in one of the maps."""
    facts: dict[str, Fact] = {}
    _add_user_defined(facts, message)
    return facts


def _add_user_defined(facts: dict[str, Fact], message: proto.UserDefinedInfo) -> None:
    for plain in (message.map_int32, message.map_str, message.map_double):
        if plain:
            facts.update(sorted(plain.items()))
    for name in sorted(message.map_dict):
        facts[name] = _user_defined(message.map_dict[name])
    for part in message.user_info:
        _add_user_defined(facts, part)


@lru_cache(maxsize=1024)
def _dataset_graph(value: bytes) -> Mapping[str, Fact]:
    # The jobs of a sweep have equal datasets: decode and keep them once.
    return _dataset(_parsed("DatasetGraph", value))


def _dataset(message: proto.DatasetGraph) -> dict[str, Fact]:
    graph = _parameters(message.parameter)
    if message.operations:
        graph["operations"] = [_operation(operation) for operation in message.operations]
    if message.HasField("sampler"):
        graph["sampler"] = _operation(message.sampler)
    graph["children"] = [_dataset(child) for child in message.children]
    return graph


def _operation(message: proto.Operation) -> dict[str, Fact]:
    operation = _parameters(message.operation_param)
    if message.size:
        operation["size"] = list(message.size)
    if message.weights:
        operation["weights"] = [_shortest(weight) for weight in message.weights]
    return operation


def _parameters(message: proto.OperationParameter) -> dict[str, Fact]:
    # Maps have no order on the wire; sorted, equal graphs compare equal.
    parameters: dict[str, Fact] = {
        name: None if text == _NOT_SAID else text for name, text in sorted(message.map_str.items())
    }
    for plain in (message.map_bool, message.map_int, message.map_double):
        if plain:
            parameters.update(sorted(plain.items()))
    for name in sorted(message.map_str_list):
        parameters[name] = [text or None for text in message.map_str_list[name].str_value]
    return parameters


def tensorboard_hparams(content: bytes) -> LineageFacts:
    """HParamsPluginData: experiment 2, session_start_info 3, session_end_info 4."""
    data = Message(content)
    if 3 in data:
        start = data.message(3)
        entries = start.messages(1)
        return LineageFacts(
            hyper_parameters={entry.text(1): _value(entry.bytes(2)) for entry in entries},
            session_group=start.text(4),
            session_start=_time(start, 5),
        )
    if 4 in data:
        end = data.message(4)
        status = _STATUS.get(end.integer(1), "unknown")
        return LineageFacts(session_status=status, session_end=_time(end, 2))
    names = [info.message(1) for info in data.message(2).messages(5)]
    return LineageFacts(metric_tags=tuple(MetricTag(name.text(2), name.text(1)) for name in names))


def _time(message: Message, number: int) -> float | None:
    """Seconds; None if missing or zero, which protobuf does not distinguish."""
    time = message.double(number) if number in message else 0.0
    return time if time and math.isfinite(time) else None


def _value(data: memoryview, depth: int = 0) -> Fact:
    """google.protobuf.Value: null 1, number 2, string 3, bool 4, struct 5, list 6."""
    if depth > MAX_DEPTH:
        raise BadMessage("a value is nested too deeply")
    message = Message(data)
    if 2 in message:
        number = message.double(2)
        # The message has only doubles; a batch size of 64.0 was 64.
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    if 3 in message:
        return message.text(3)
    if 4 in message:
        return bool(message.integer(4))
    if 5 in message:
        entries = message.message(5).messages(1)
        return {entry.text(1): _value(entry.bytes(2), depth + 1) for entry in entries}
    if 6 in message:
        return [_value(item, depth + 1) for item in message.message(6).all_bytes(1)]
    return None


def visualdl_hparams(value: bytes) -> LineageFacts:
    """Record.HParam: hparam_infos 1, metric_infos 2; each: int 1, float 2, string 3, name 4."""
    message = Message(value)
    infos = message.messages(1)
    metrics = message.messages(2)
    return LineageFacts(
        hyper_parameters={info.text(4): _one_of_three(info) for info in infos},
        metric_tags=tuple(MetricTag(info.text(4)) for info in metrics),
    )


def _one_of_three(info: Message) -> Fact:
    if 1 in info:
        return info.integer(1)
    if 2 in info:
        return info.double(2)
    return info.text(3) if 3 in info else None
