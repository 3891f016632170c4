from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.payloads.lineage_message import (
    mindspore_lineage,
    tensorboard_hparams,
    visualdl_hparams,
)
from mindviz.datavisual.series.lineage_facts import LineageFacts, MetricTag, TrainFacts
from mindviz.errors import DamagedValue
from mindviz.wire.fields import Message
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.lineage_logs import (
    DATASET,
    START,
    dataset,
    evaluation,
    experiment,
    session_end,
    session_start,
    training,
    user_defined,
    visualdl_hparam,
)


def metadata_of(value: bytes) -> bytes:
    """The plugin's: SummaryMetadata 9, its plugin_data 1, their content 2."""
    return bytes(Message(Message(Message(value).bytes(9)).bytes(1)).bytes(2))


def metric_of(text: str) -> Any:
    facts = mindspore_lineage("evaluation_lineage", evaluation(text).SerializeToString())
    assert facts.evaluation is not None
    return facts.evaluation.metric


# --------------------------------------------------------------------------------- MindSpore


def test_training_is_read_with_floats_as_short_as_they_can_be() -> None:
    value = training(learning_rate=0.1, loss=2.2734427).SerializeToString()
    assert mindspore_lineage("train_lineage", value).train == TrainFacts(
        optimizer="Adam",
        learning_rate=0.1,
        loss_function="CrossEntropy",
        epoch=3,
        device_num=1,
        batch_size=32,
        train_dataset_path="/data/train",
        train_dataset_count=1000,
        network="LeNet5",
        loss=2.2734427,
        model_size=4096,
    )


def test_missing_fields_are_none_and_zero_is_zero() -> None:
    message = proto.TrainLineage()
    message.hyper_parameters.epoch = 0
    train = mindspore_lineage("train_lineage", message.SerializeToString()).train
    assert train == TrainFacts(epoch=0)


def test_a_non_finite_loss_is_kept() -> None:
    train = mindspore_lineage("train_lineage", training(loss=math.nan).SerializeToString()).train
    assert train is not None
    assert train.loss is not None
    assert math.isnan(train.loss)


def test_evaluation_is_read_with_its_metric() -> None:
    value = evaluation({"Accuracy": 0.5, "per_class": {"a": 1}}).SerializeToString()
    found = mindspore_lineage("evaluation_lineage", value).evaluation
    assert found is not None
    assert found.metric == {"Accuracy": 0.5, "per_class": {"a": 1}}
    assert (found.test_dataset_path, found.test_dataset_count) == ("/data/valid", 100)


@pytest.mark.parametrize(
    "text", ["{", "[1]", "3", '"a"', "[" * 500 + "]" * 500, '{"a":' * 150 + "1" + "}" * 150]
)
def test_a_metric_that_is_no_object_of_reasonable_depth_is_damaged(text: str) -> None:
    with pytest.raises(DamagedValue):
        metric_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890.0}),
        ('{"a": 9007199254740993}', {"a": 9007199254740993}),
        ('{"a": "\\ud800"}', {"a": "?"}),
        ('{"\\udfff": [1, null, true]}', {"?": [1, None, True]}),
        ('{"a": ' + "9" * 5000 + "}", {"a": math.inf}),
        ("", {}),
    ],
    ids=["beyond int64", "beyond doubles", "surrogate", "name", "beyond everything", "absent"],
)
def test_a_metric_can_be_overridden_in_json(text: str, expected: object) -> None:
    assert metric_of(text) == expected


def test_user_defined_info_of_all_types_is_read_in_order() -> None:
    value = user_defined(team="vision", seed=1, dropout=0.1).SerializeToString()
    found = mindspore_lineage("user_defined_info", value).user_defined
    assert list(found.items()) == [("team", "vision"), ("seed", 1), ("dropout", 0.1)]


def test_user_defined_info_may_be_nested() -> None:
    message = proto.UserDefinedInfo()
    message.map_dict["model"].map_int32["layers"] = 3
    found = mindspore_lineage("user_defined_info", message.SerializeToString()).user_defined
    assert found == {"model": {"layers": 3}}


def test_a_dataset_graph_is_nested_dicts() -> None:
    facts = mindspore_lineage("dataset_graph", dataset().SerializeToString())
    assert facts.dataset_graph == DATASET


def test_equal_bytes_are_decoded_once() -> None:
    first, second = (
        mindspore_lineage("dataset_graph", dataset(7).SerializeToString(deterministic=True))
        for _ in range(2)
    )
    assert first.dataset_graph is second.dataset_graph


@pytest.mark.parametrize(
    "kind", ["train_lineage", "evaluation_lineage", "dataset_graph", "user_defined_info"]
)
@given(value=st.binary(max_size=60))
def test_any_bytes_are_facts_or_damaged(kind: str, value: bytes) -> None:
    try:
        facts = mindspore_lineage(kind, value)
    except DamagedValue:
        return
    assert isinstance(facts, LineageFacts)


# -------------------------------------------------------------------------------- TensorBoard

PARAMETERS = {
    "lr": 0.1,
    "batch_size": 64,
    "name": "adam",
    "bias": True,
    "off": False,
    "nothing": None,
    "sizes": [1, 2.5, "x"],
    "nested": {"a": 1},
}


def test_a_session_start_has_hyperparameters_of_every_type() -> None:
    facts = tensorboard_hparams(metadata_of(session_start(PARAMETERS)))
    assert facts.hyper_parameters == PARAMETERS
    assert isinstance(facts.hyper_parameters["batch_size"], int)
    assert facts.hyper_parameters["bias"] is True


@pytest.mark.parametrize(
    ("status", "name"),
    [(1, "success"), (2, "failure"), (3, "running"), (0, "unknown"), (9, "unknown")],
)
def test_a_session_end_has_a_status(status: int, name: str) -> None:
    facts = tensorboard_hparams(metadata_of(session_end(status)))
    assert facts == LineageFacts(session_status=name, session_end=START + 9)


def test_an_experiment_declares_metrics() -> None:
    facts = tensorboard_hparams(metadata_of(experiment("loss", ("valid", "accuracy"))))
    assert facts == LineageFacts(metric_tags=(MetricTag("loss"), MetricTag("accuracy", "valid")))


def test_a_value_nested_without_end_is_damaged() -> None:
    deep: Any = 1
    for _ in range(150):
        deep = [deep]
    with pytest.raises(DamagedValue):
        tensorboard_hparams(metadata_of(session_start({"deep": json.loads(json.dumps(deep))})))


@given(metadata=st.binary(max_size=60))
def test_any_metadata_is_facts_or_damaged(metadata: bytes) -> None:
    try:
        facts = tensorboard_hparams(metadata)
    except DamagedValue:
        return
    assert isinstance(facts, LineageFacts)


# ----------------------------------------------------------------------------------- VisualDL


def test_visualdl_records_have_parameters_and_metric_names() -> None:
    record = visualdl_hparam({"lr": 0.1, "width": 16, "zero": 0, "opt": "sgd"}, ["loss", "acc"])
    value = bytes(Message(Message(record).bytes(1)).bytes(13))
    assert visualdl_hparams(value) == LineageFacts(
        hyper_parameters={"lr": 0.1, "width": 16, "zero": 0, "opt": "sgd"},
        metric_tags=(MetricTag("loss"), MetricTag("acc")),
    )


@given(value=st.binary(max_size=60))
def test_any_visualdl_bytes_are_facts_or_damaged(value: bytes) -> None:
    try:
        facts = visualdl_hparams(value)
    except DamagedValue:
        return
    assert isinstance(facts, LineageFacts)
