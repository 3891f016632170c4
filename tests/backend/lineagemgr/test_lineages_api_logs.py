"""Lineages over HTTP, from real logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from google.protobuf import json_format

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.lineage_client import search
from tests.lineage_logs import (
    DATASET,
    dataset,
    evaluation,
    experiment,
    session_end,
    session_start,
    training,
    user_defined,
    write_mindspore_job,
    write_tensorboard_job,
    write_visualdl_job,
)
from tests.tiny_reader import records
from tests.written_logs import loaded

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"


def client_of(base_dir: Path, workspace: Path) -> FlaskClient:
    config = Config(base_dir, workspace=workspace)
    return create_app(config, loaded(base_dir)).test_client()


def test_logs_of_all_formats_are_rows_of_one_table(tmp_path: Path) -> None:
    base_dir = tmp_path / "logs"
    write_mindspore_job(
        base_dir / "mindspore",
        dataset(),
        user_defined(seed=1),
        training(learning_rate=0.001),
        evaluation({"accuracy": 0.75}),
    )
    hparams = [experiment("accuracy"), session_start({"lr": 0.01, "bias": True}), session_end()]
    write_tensorboard_job(base_dir / "torch" / "hp", hparams, {"accuracy": 0.5})
    write_visualdl_job(base_dir / "paddle", {"lr": 0.1}, ["accuracy"], {"accuracy": 0.25})
    client = client_of(base_dir, tmp_path / "workspace")
    answer = search(client, {"sorted_name": "learning_rate"})
    found = {
        item["summary_dir"]: (
            item["model_lineage"]["learning_rate"],
            item["model_lineage"]["metric"],
            item["model_lineage"]["user_defined"],
            item["session_status"],
        )
        for item in answer["object"]
    }
    assert found == {
        "./mindspore": (0.001, {"accuracy": 0.75}, {"seed": 1}, None),
        "./torch/hp": (0.01, {"accuracy": 0.5}, {"lr": 0.01, "bias": True}, "success"),
        "./paddle": (0.1, {"accuracy": 0.25}, {"lr": 0.1}, None),
    }
    assert list(found) == ["./mindspore", "./torch/hp", "./paddle"]
    graphs = {item["summary_dir"]: item["dataset_graph"] for item in answer["object"]}
    assert graphs["./mindspore"] == DATASET
    listed = client.get("/v1/mindviz/datavisual/train-jobs").get_json()["train_jobs"]
    assert {job["train_id"]: job["session_status"] for job in listed} == {
        train_id: status for train_id, (*_, status) in found.items()
    }


@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample logs are not here")
def test_mindspores_logs_equal_their_protobuf_decoding(tmp_path: Path) -> None:
    """Decoded independently: records by hand, messages by protobuf's JSON mapping."""
    base_dir = SAMPLES / "mindspore"
    answer = search(client_of(base_dir, tmp_path))
    items = {item["summary_dir"]: item for item in answer["object"]}
    assert {id_ for id_, item in items.items() if item["has_lineage"]} == {
        f"./{path.parent.name}" for path in base_dir.glob("*/*_lineage")
    }
    for path in sorted(base_dir.glob("*/*_lineage")):
        item = items[f"./{path.parent.name}"]
        for record in records(path):
            event = json_format.MessageToDict(
                proto.LineageEvent.FromString(record), preserving_proto_field_name=True
            )
            check_event(item["model_lineage"], item["dataset_graph"], event)


def check_event(model: dict[str, Any], graph: dict[str, Any], event: dict[str, Any]) -> None:
    """Compare one event with its response."""
    if "train_lineage" in event:
        train = event["train_lineage"]
        parameters = train["hyper_parameters"]
        for name in parameters.keys() - {"parallel_mode"}:  # which the contract does not show
            assert model[name] == parameters[name]
        assert model["train_dataset_count"] == train["train_dataset"]["train_dataset_size"]
        assert model["network"] == train["algorithm"]["network"]
        assert model["loss"] == train["algorithm"]["loss"]
        assert model["model_size"] == int(train["model"]["size"])
    elif "evaluation_lineage" in event:
        evaluated = event["evaluation_lineage"]
        assert model["metric"] == json.loads(evaluated["metric"])
        assert model["test_dataset_count"] == evaluated["valid_dataset"]["valid_dataset_size"]
    elif "user_defined_info" in event:
        for element in event["user_defined_info"]["user_info"]:
            for entries in element.values():
                assert entries.items() <= model["user_defined"].items()
    else:
        check_graph(graph, event["dataset_graph"])


def check_graph(graph: dict[str, Any], logged: dict[str, Any]) -> None:
    """Exactly all parameters of all datasets."""
    parameters = logged.get("parameter", {})
    expected = {
        name: None if value == "None" else value
        for kind in ("map_str", "map_bool", "map_int", "map_double")
        for name, value in parameters.get(kind, {}).items()
    }
    for name, value in parameters.get("map_str_list", {}).items():
        expected[name] = [text or None for text in value.get("str_value", [])]
    nested = {"children", "operations", "sampler"}
    assert {name: graph[name] for name in graph.keys() - nested} == expected
    assert len(graph.get("operations", [])) == len(logged.get("operations", []))
    for child, logged_child in zip(graph["children"], logged.get("children", []), strict=True):
        check_graph(child, logged_child)


@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample logs are not here")
@pytest.mark.parametrize(
    ("folder", "train_id", "user", "metric"),
    [
        (
            "tensorboard",
            "./torch/sgd_lr0.1_w32/hp",
            {"lr": 0.1, "width": 32, "optimizer": "sgd", "bias": 1},
            {"hparam/accuracy", "hparam/loss"},
        ),
        (
            "visualdl",
            "./exp_a",
            {"lr": 0.1, "bsize": 16, "opt": "sgd"},
            {"train/loss", "eval/acc"},
        ),
    ],
)
def test_hparams_of_real_logs_are_lineage(
    tmp_path: Path, folder: str, train_id: str, user: dict[str, Any], metric: set[str]
) -> None:
    body = {"summary_dir": {"eq": train_id}, "columns": [f"scalar/{tag}/last" for tag in metric]}
    (item,) = search(client_of(SAMPLES / folder, tmp_path), body)["object"]
    model = item["model_lineage"]
    assert model["user_defined"] == user
    assert model["learning_rate"] == 0.1
    assert {f"scalar/{tag}/last": value for tag, value in model["metric"].items()} == item[
        "columns"
    ]
    assert set(model["metric"]) == metric
