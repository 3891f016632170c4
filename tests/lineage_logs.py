"""Logs with lineage in all three formats."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from google.protobuf import struct_pb2

from mindviz.wire import encode_mindspore, encode_tensorboard, encode_visualdl
from mindviz.wire.encode import delimited, double_field, frames, tag_bytes, varint_field
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.proto import visualdl_pb2
from tests.written_logs import write

START = 1_700_000_000
Fact = proto.TrainLineage | proto.EvaluationLineage | proto.DatasetGraph | proto.UserDefinedInfo


# --------------------------------------------------------------------------------- MindSpore


def training(*, learning_rate: float = 0.1, loss: float = 0.5, **others: Any) -> proto.TrainLineage:
    """Parameters of a training; `others` are further hyperparameters."""
    parameters: dict[str, Any] = {
        "optimizer": "Adam",
        "learning_rate": learning_rate,
        "loss_function": "CrossEntropy",
        "epoch": 3,
        "device_num": 1,
        "batch_size": 32,
    }
    return proto.TrainLineage(
        hyper_parameters=proto.TrainLineage.HyperParameters(**(parameters | others)),
        train_dataset=proto.TrainLineage.TrainDataset(
            train_dataset_path="/data/train", train_dataset_size=1000
        ),
        algorithm=proto.TrainLineage.Algorithm(network="LeNet5", loss=loss),
        model=proto.TrainLineage.Model(path='{"ckpt": null}', size=4096),
    )


def evaluation(metric: Mapping[str, Any] | str) -> proto.EvaluationLineage:
    """Results of an evaluation; a metric given as text is taken as JSON, valid or not."""
    text = metric if isinstance(metric, str) else json.dumps(metric)
    dataset = proto.EvaluationLineage.ValidDataset(
        valid_dataset_path="/data/valid", valid_dataset_size=100
    )
    return proto.EvaluationLineage(metric=text, valid_dataset=dataset)


def user_defined(**info: float | str) -> proto.UserDefinedInfo:
    """As MindSpore writes it: an element with one map of one entry per name."""
    message = proto.UserDefinedInfo()
    for name, value in info.items():
        element = message.user_info.add()
        if isinstance(value, str):
            element.map_str[name] = value
        elif isinstance(value, float):
            element.map_double[name] = value
        else:
            element.map_int32[name] = value
    return message


def dataset(batch_size: int = 32) -> proto.DatasetGraph:
    """A graph of two datasets with every kind of operation."""
    graph = proto.DatasetGraph()
    graph.parameter.map_str["op_type"] = "BatchDataset"
    graph.parameter.map_int["batch_size"] = batch_size
    child = graph.children.add()
    child.parameter.map_str["op_type"] = "MnistDataset"
    child.parameter.map_str["num_samples"] = "None"
    child.parameter.map_bool["shuffle"] = True
    child.parameter.map_double["fraction"] = 0.25
    child.parameter.map_str_list["columns"].str_value.extend(["image", ""])
    operation = child.operations.add()
    operation.operation_param.map_str["tensor_op_name"] = "Resize"
    operation.size.extend([32, 32])
    operation.weights.extend([0.1, 0.9])
    child.sampler.operation_param.map_str["sampler_name"] = "RandomSampler"
    return graph


DATASET = {
    "op_type": "BatchDataset",
    "batch_size": 32,
    "children": [
        {
            "op_type": "MnistDataset",
            "num_samples": None,
            "shuffle": True,
            "fraction": 0.25,
            "columns": ["image", None],
            "operations": [
                {"tensor_op_name": "Resize", "size": [32, 32], "weights": [0.1, 0.9]},
            ],
            "sampler": {"sampler_name": "RandomSampler"},
            "children": [],
        }
    ],
}
"""The expected reading of `dataset()`."""


def lineage_event(wall_time: float, fact: Fact) -> bytes:
    """A lineage message as an event."""
    name = fact.DESCRIPTOR.name
    return encode_mindspore.lineage_fact(wall_time, name, fact.SerializeToString())


def mindspore_lineage(*facts: Fact, start: float = START) -> bytes:
    """A lineage file, one event per second."""
    events = [lineage_event(start + i, fact) for i, fact in enumerate(facts)]
    return frames(events, Framing.TFRECORD)


def write_mindspore_job(directory: Path, *facts: Fact, start: int = START, rank: int = 0) -> Path:
    """A job with only a lineage file; its path."""
    name = f"events.out.events.summary.{start}.{rank}.host_lineage"
    return write(directory, name, mindspore_lineage(*facts, start=start))


# -------------------------------------------------------------------------------- TensorBoard


def _hparams(tag: str, content: bytes) -> bytes:
    plugin_data = delimited(1, b"hparams") + delimited(2, content)
    return delimited(1, tag_bytes(tag)) + delimited(9, delimited(1, plugin_data))


def session_start(hparams: Mapping[str, Any], group: str = "") -> bytes:
    """A Summary.Value; hyperparameters as google.protobuf.Value, and the group if given."""
    content = b""
    for name, value in hparams.items():
        message = struct_pb2.Value()
        if value is None:
            message.null_value = struct_pb2.NULL_VALUE
        elif isinstance(value, bool):
            message.bool_value = value
        elif isinstance(value, int | float):
            message.number_value = value
        elif isinstance(value, str):
            message.string_value = value
        elif isinstance(value, list):
            message.list_value.extend(value)
        else:
            message.struct_value.update(value)
        entry = delimited(1, name.encode()) + delimited(2, message.SerializeToString())
        content += delimited(1, entry)
    content += delimited(4, group.encode()) if group else b""
    return _hparams("_hparams_/session_start_info", delimited(3, content))


def session_end(status: int = 1) -> bytes:
    """A Summary.Value: 1 is success, 2 failure."""
    content = varint_field(1, status) + double_field(2, START + 9.0)
    return _hparams("_hparams_/session_end_info", delimited(4, content))


def experiment(*metrics: str | tuple[str, str]) -> bytes:
    """A Summary.Value that names metrics: tags, or (group, tag)."""
    content = b""
    for metric in metrics:
        group, tag = ("", metric) if isinstance(metric, str) else metric
        name = delimited(1, group.encode()) + delimited(2, tag.encode())
        content += delimited(5, delimited(1, name))
    return _hparams("_hparams_/experiment", delimited(2, content))


def tensorboard_log(values: Sequence[bytes], scalars: Mapping[str, float] | None = None) -> bytes:
    """An event file with these values and two points per scalar, of which the last counts."""
    events = [encode_tensorboard.version_event(START), encode_tensorboard.event(START, 0, values)]
    for step, factor in ((1, 2.0), (2, 1.0)):
        logged = [
            encode_tensorboard.scalar(tag, value * factor) for tag, value in (scalars or {}).items()
        ]
        events.append(encode_tensorboard.event(START + step, step, logged))
    return frames(events, Framing.TFRECORD)


def write_tensorboard_job(
    directory: Path, values: Sequence[bytes], scalars: Mapping[str, float] | None = None
) -> Path:
    """A job with one event file; its path."""
    return write(directory, f"events.out.tfevents.{START}.host", tensorboard_log(values, scalars))


def config_text(fields: Mapping[str, Any], tag: str = "args/text_summary") -> bytes:
    """A config as one JSON text, as Hugging Face's Trainer logs it."""
    return encode_tensorboard.text(tag, json.dumps(fields))


# ----------------------------------------------------------------------------------- VisualDL


def visualdl_hparam(hparams: Mapping[str, Any], metrics: Sequence[str]) -> bytes:
    """A record of hyperparameters."""
    message = visualdl_pb2.Record.HParam()
    for name, value in hparams.items():
        info = message.hparam_infos.add(name=name)
        if isinstance(value, str):
            info.string_value = value
        elif isinstance(value, float):
            info.float_value = value
        else:
            info.int_value = value
    for name in metrics:
        message.metric_infos.add(name=name, float_value=0)
    value = visualdl_pb2.Record.Value(id=1, tag=b"hparam", timestamp=START * 1000, hparam=message)
    return visualdl_pb2.Record(values=[value]).SerializeToString()


def visualdl_text(tag: str, text: str) -> bytes:
    """A record of a text."""
    logged = visualdl_pb2.Record.Text(encoded_text_string=text)
    value = visualdl_pb2.Record.Value(id=1, tag=tag.encode(), timestamp=START * 1000, text=logged)
    return visualdl_pb2.Record(values=[value]).SerializeToString()


def write_visualdl_job(
    directory: Path,
    hparams: Mapping[str, Any],
    metrics: Sequence[str],
    scalars: Mapping[str, float],
) -> Path:
    """A job with one record file; its path."""
    records = [encode_visualdl.meta(START), visualdl_hparam(hparams, metrics)]
    records += [encode_visualdl.scalar(START, 1, tag, value) for tag, value in scalars.items()]
    return write(directory, f"vdlrecords.{START}.log", frames(records, Framing.LENGTH_PREFIXED))
