from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from mindviz.datavisual.payloads.lineage_message import mindspore_lineage
from mindviz.errors import InvalidValue
from mindviz.summary import EvalLineage, SummaryRecord, TrainLineage
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.summary.recordings import facts

DATASET = {
    "op_type": "BatchDataset",
    "batch_size": 32,
    "drop_remainder": False,
    "ratio": 0.5,
    "columns": ["image", None],
    "nothing": None,
    "far": 1 << 40,
    "nested": {"a": 1},
    "children": [
        {
            "op_type": "MapDataset",
            "children": [],
            "operations": [{"tensor_op_name": "Resize", "size": [32, 32], "weights": [0.5, 0.25]}],
            "sampler": {"sampler_name": "RandomSampler", "replacement": True},
        }
    ],
}


def recorded(directory: Path, plugin: str, value: object) -> proto.LineageEvent:
    with SummaryRecord(directory, clock=lambda: 2.5) as record:
        record.add_value(plugin, plugin, value)
        record.record(1)
    (event,) = facts(directory)
    assert event.wall_time == 2.5
    return event


@pytest.mark.parametrize("as_mapping", [False, True])
def test_how_a_network_was_trained(tmp_path: Path, *, as_mapping: bool) -> None:
    fields = {
        "optimizer": "Adam",
        "learning_rate": 0.1,
        "loss_function": "CrossEntropy",
        "epoch": 0,
        "parallel_mode": "data",
        "device_num": 8,
        "batch_size": 32,
        "train_dataset_path": "/data/训练",
        "train_dataset_size": 60_000,
        "network": "LeNet5",
        "loss": 0.25,
        "model_path": "/ckpt/1",
        "model_size": 1 << 40,
    }
    value = fields if as_mapping else TrainLineage(**fields)  # type: ignore[arg-type]
    train = recorded(tmp_path, "train_lineage", value).train_lineage
    parameters = train.hyper_parameters
    assert (parameters.optimizer, parameters.loss_function) == ("Adam", "CrossEntropy")
    assert parameters.HasField("epoch")
    assert (parameters.epoch, parameters.device_num, parameters.batch_size) == (0, 8, 32)
    assert parameters.learning_rate == pytest.approx(0.1)
    assert parameters.parallel_mode == "data"
    assert train.train_dataset.train_dataset_path == "/data/训练"
    assert train.train_dataset.train_dataset_size == 60_000
    assert (train.algorithm.network, train.algorithm.loss) == ("LeNet5", 0.25)
    assert json.loads(train.model.path) == {"ckpt": "/ckpt/1"}
    assert train.model.size == 1 << 40


def test_unknown_facts_are_omitted(tmp_path: Path) -> None:
    train = recorded(tmp_path, "train_lineage", TrainLineage(optimizer="SGD")).train_lineage
    assert [field.name for field, _ in train.hyper_parameters.ListFields()] == ["optimizer"]


def test_evaluation_results(tmp_path: Path) -> None:
    value = EvalLineage(metric={"accuracy": 0.9}, valid_dataset_path="/v", valid_dataset_size=10)
    evaluation = recorded(tmp_path, "eval_lineage", value).evaluation_lineage
    assert json.loads(evaluation.metric) == {"accuracy": 0.9}
    dataset = evaluation.valid_dataset
    assert (dataset.valid_dataset_path, dataset.valid_dataset_size) == ("/v", 10)


def test_each_custom_value_has_an_element(tmp_path: Path) -> None:
    value = {"author": "me", "version": 3, "ratio": 0.5, "flag": True, "far": 1 << 40}
    event = recorded(tmp_path, "custom_lineage_data", value)
    infos = event.user_defined_info.user_info
    assert [(dict(i.map_str), dict(i.map_int32), dict(i.map_double)) for i in infos] == [
        ({"author": "me"}, {}, {}),
        ({}, {"version": 3}, {}),
        ({}, {}, {"ratio": 0.5}),
        ({}, {"flag": 1}, {}),
        ({}, {}, {"far": float(1 << 40)}),
    ]


def test_a_dataset_graph_round_trips(tmp_path: Path) -> None:
    event = recorded(tmp_path, "dataset_graph", DATASET)
    graph = event.dataset_graph
    assert graph.parameter.map_int["batch_size"] == 32
    assert graph.parameter.map_bool["drop_remainder"] is False
    assert graph.parameter.map_double["ratio"] == 0.5
    assert list(graph.parameter.map_str_list["columns"].str_value) == ['"image"', ""]
    assert graph.parameter.map_str["nothing"] == "None"
    assert graph.parameter.map_str["nested"] == '{"a": 1}'
    assert graph.parameter.map_double["far"] == 1 << 40
    (child,) = graph.children
    (operation,) = child.operations
    assert list(operation.size) == [32, 32]
    assert list(operation.weights) == [0.5, 0.25]
    assert child.sampler.operation_param.map_bool["replacement"] is True
    read = mindspore_lineage("dataset_graph", graph.SerializeToString()).dataset_graph
    assert read is not None


@pytest.mark.parametrize(
    ("plugin", "message", "field"),
    [
        ("train_lineage", proto.TrainLineage(), "train_lineage"),
        ("eval_lineage", proto.EvaluationLineage(metric="{}"), "evaluation_lineage"),
        ("dataset_graph", proto.DatasetGraph(), "dataset_graph"),
        ("custom_lineage_data", proto.UserDefinedInfo(), "user_defined_info"),
    ],
    ids=["train", "eval", "dataset", "custom"],
)
def test_mindspores_messages_are_accepted(
    tmp_path: Path, plugin: str, message: object, field: str
) -> None:
    event = recorded(tmp_path, plugin, message)
    assert event.WhichOneof("what") == field


@pytest.mark.parametrize(
    ("plugin", "value"),
    [
        ("train_lineage", {"optimiser": "Adam"}),
        ("train_lineage", {"learning_rate": "fast"}),
        ("train_lineage", {"epoch": "ten"}),
        ("train_lineage", {"network": 5}),
        ("train_lineage", 5),
        ("train_lineage", proto.DatasetGraph()),
        ("eval_lineage", {"metric": {"a": object()}}),
        ("eval_lineage", {"metric": 0.5}),
        ("custom_lineage_data", {"a": [1]}),
        ("custom_lineage_data", {1: "a"}),
        ("dataset_graph", "text"),
    ],
    ids=itertools.count(),
)
def test_the_error_for_an_invalid_lineage_names_it(
    tmp_path: Path, plugin: str, value: object
) -> None:
    with SummaryRecord(tmp_path) as record, pytest.raises(InvalidValue, match=f"{plugin} 'fact'"):
        record.add_value(plugin, "fact", value)


def test_a_recursive_dataset_is_an_error(tmp_path: Path) -> None:
    dataset: dict[str, object] = {}
    for _ in range(200):
        dataset = {"children": [dataset]}
    with SummaryRecord(tmp_path) as record, pytest.raises(InvalidValue, match="nested"):
        record.add_value("dataset_graph", "d", dataset)
