"""Lineages over HTTP."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from google.protobuf import json_format

from mindviz.backend.app import create_app
from mindviz.backend.lineagemgr import lineages_api
from mindviz.config import Config
from mindviz.datavisual.data_transform.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from mindviz.lineagemgr.annotations import FILE_NAME
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.experiment_fake import START, FakeExperiment
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
ROUTE = "/lineagemgr/lineages"
OURS = "/v1/mindviz"
CONTRACTS = "/v1/mindinsight"

FIELDS = {
    "loss_function",
    "train_dataset_path",
    "train_dataset_count",
    "test_dataset_path",
    "test_dataset_count",
    "network",
    "optimizer",
    "learning_rate",
    "epoch",
    "batch_size",
    "device_num",
    "loss",
    "model_size",
    "dataset_mark",
    "metric",
    "user_defined",
}


def search(client: FlaskClient, body: Any = None, prefix: str = OURS) -> dict[str, Any]:
    response = client.post(f"{prefix}{ROUTE}", json={} if body is None else body)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


def ids(answer: dict[str, Any]) -> list[str]:
    return [item["summary_dir"] for item in answer["object"]]


def client_of(base_dir: Path, workspace: Path) -> FlaskClient:
    config = Config(base_dir, workspace=workspace)
    return create_app(config, loaded(base_dir)).test_client()


@pytest.fixture
def jobs(experiment: FakeExperiment) -> FakeExperiment:
    """Three jobs: one of MindSpore's, one with info alone, one without anything."""
    facts = {
        "./a": LineageFacts(
            train=TrainFacts(network="Net", learning_rate=0.1, loss=math.nan),
            evaluation=EvaluationFacts({"acc": 0.5, "list": [math.inf]}),
            dataset_graph={"op_type": "Batch", "children": []},
        ),
        "./b": LineageFacts(user_defined={"seed": 1}),
        "./c": None,
    }
    for number, (train_id, fact) in enumerate(facts.items()):
        job = experiment.add(train_id)
        job.update_time = START + number
        if fact is not None:
            job.facts = fact
    return experiment


# --------------------------------------------------------------------- what is in an answer


def test_an_answer_has_the_contracts_shape(jobs: FakeExperiment, client: FlaskClient) -> None:
    answer = search(client, prefix=CONTRACTS)
    assert set(answer) == {"customized", "object", "count"}
    assert (ids(answer), answer["count"]) == (["./b", "./a"], 2)
    assert answer["customized"]["metric/acc"] == {
        "label": "metric/acc",
        "required": True,
        "type": "float",
    }
    assert answer["customized"]["user_defined/seed"]["required"] is False
    info, full = answer["object"]
    assert set(full) == {"summary_dir", "model_lineage", "dataset_graph", "added_info"}
    assert set(full["model_lineage"]) == FIELDS
    assert full["dataset_graph"] == {"op_type": "Batch", "children": []}
    assert (info["dataset_graph"], info["added_info"]) == ({}, {})
    assert info["model_lineage"]["network"] is None
    assert info["model_lineage"]["user_defined"] == {"seed": 1}


def test_numbers_that_json_cannot_say_are_named(jobs: FakeExperiment, client: FlaskClient) -> None:
    model = search(client, {"network": {"eq": "Net"}})["object"][0]["model_lineage"]
    assert model["loss"] == "NaN"
    assert model["metric"] == {"acc": 0.5, "list": ["Infinity"]}


def test_our_dialect_shows_every_job_and_more_of_it(
    jobs: FakeExperiment, client: FlaskClient
) -> None:
    jobs.jobs["./c"].append("loss", [1, 2], [4, 2])
    columns = ["scalar/loss/last", "scalar/loss/max"]
    answer = search(client, {"columns": columns})
    assert (ids(answer), answer["count"]) == (["./c", "./b", "./a"], 3)
    item = answer["object"][0]
    assert item["has_lineage"] is False
    assert item["update_timestamp"] == START + 2
    assert item["model_lineage"]["dataset_mark"] is None
    assert item["columns"] == {"scalar/loss/last": 2.0, "scalar/loss/max": 4.0}
    assert answer["object"][1]["columns"] == dict.fromkeys(columns)


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ({"eq": "model"}, {"model_lineage"}),
        ({"eq": "dataset"}, {"dataset_graph"}),
        ({"in": ["model", "dataset"]}, {"model_lineage", "dataset_graph"}),
    ],
)
def test_only_the_parts_that_are_asked_for(
    jobs: FakeExperiment, client: FlaskClient, prefix: str, asked: Any, parts: set[str]
) -> None:
    for item in search(client, {"lineage_type": asked}, prefix)["object"]:
        assert item.keys() & {"model_lineage", "dataset_graph"} == parts


@pytest.mark.parametrize("body", [b"", b"  ", b"{}", b"null"])
def test_an_empty_body_asks_for_everything(
    jobs: FakeExperiment, client: FlaskClient, body: bytes
) -> None:
    # Scripts often send JSON without saying so.
    for content_type in ("application/json", "text/plain", None):
        response = client.post(f"{OURS}{ROUTE}", data=body, content_type=content_type)
        assert response.get_json()["count"] == 3


def test_a_body_counts_whatever_its_content_type(jobs: FakeExperiment, client: FlaskClient) -> None:
    data = json.dumps({"summary_dir": {"eq": "./a"}})
    assert client.post(f"{OURS}{ROUTE}", data=data).get_json()["count"] == 1


def test_the_whole_language_over_http(
    jobs: FakeExperiment, client: FlaskClient, prefix: str
) -> None:
    body = {
        "or": [{"network": {"regex": "^N"}}, {"user_defined/seed": {"in": [1, 2]}}],
        "not": {"loss": {"gt": 5}},
        "sorted_name": "summary_dir",
        "sorted_type": "descending",
        "limit": 500,
        "offset": 0,
    }
    assert ids(search(client, body, prefix)) == ["./b", "./a"]


# -------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "50540002"),
        (b"\xff", "50540002"),
        (b'{"a": "\\ud800"}', "50540002"),
        (b"[" * 100_000, "50540002"),
        (b"[]", "50542218"),
        (b'"a"', "50542218"),
        (b'{"foo": {"eq": 1}}', "50542218"),
        (b'{"loss": {"eq": "a"}}', "50542218"),
        (b'{"epoch": {"eq": 123456789012345678901234567890}}', "50542218"),
        (b'{"limit": 0}', "50542218"),
        (b'{"sorted_type": "ascending"}', "50542218"),
    ],
)
@pytest.mark.parametrize("route", [ROUTE, "/optimizer/targets/search"])
def test_wrong_questions_have_the_contracts_codes(
    client: FlaskClient, prefix: str, route: str, body: bytes, code: str
) -> None:
    response = client.post(f"{prefix}{route}", data=body, content_type="application/json")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


# ------------------------------------------------------------------------------ annotations


def annotate(client: FlaskClient, train_id: str, body: Any, prefix: str = OURS) -> tuple[int, Any]:
    response = client.put(f"{prefix}{ROUTE}", query_string={"train_id": train_id}, json=body)
    answer = response.get_json()
    return response.status_code, answer.get("error_code", answer)


def test_what_is_noted_is_in_the_rows_of_both_dialects(
    jobs: FakeExperiment, client: FlaskClient
) -> None:
    success = (200, {"status": "success"})
    assert annotate(client, "./a", {"tag": 3, "remark": "best"}, CONTRACTS) == success
    assert annotate(client, "./a", {"pinned": True, "remark": "ü"}) == success
    assert annotate(client, "./c", {"tag": 1}) == success
    assert annotate(client, "./b", {}) == success
    ours = {item["summary_dir"]: item["added_info"] for item in search(client)["object"]}
    assert ours == {
        "./a": {"tag": 3, "remark": "ü", "pinned": True},
        "./b": {},
        "./c": {"tag": 1},
    }
    answer = search(client, {"sorted_name": "tag", "sorted_type": "descending"}, CONTRACTS)
    assert ids(answer) == ["./a", "./b"]
    assert answer["object"][0]["added_info"] == {"tag": 3, "remark": "ü"}


@pytest.mark.parametrize(
    ("train_id", "body", "code"),
    [
        ("./a", {"tag": 11}, "50542081"),
        ("./a", {"tag": "1"}, "50542081"),
        ("./a", {"remark": "x" * 129}, "50542081"),
        ("./a", {"x": 1}, "50542081"),
        ("./a", [], "50540002"),
        ("./a", None, "50540002"),
        ("a", {"tag": 1}, "50540002"),
        ("./z", {"tag": 1}, "50545005"),
        ("./z", {"tag": 11}, "50542081"),
        ("", {"tag": 1}, "50540002"),
    ],
)
@pytest.mark.usefixtures("jobs")
def test_what_cannot_be_noted(
    client: FlaskClient, prefix: str, train_id: str, body: Any, code: str
) -> None:
    assert annotate(client, train_id, body, prefix) == (400, code)


def test_the_contract_knows_only_tag_and_remark(jobs: FakeExperiment, client: FlaskClient) -> None:
    assert annotate(client, "./a", {"pinned": True}, CONTRACTS) == (400, "50542081")
    assert client.put(f"{OURS}{ROUTE}", json={}).get_json()["error_code"] == "50540003"


def test_rows_are_shown_without_annotations_that_cannot_be_read(
    jobs: FakeExperiment, client: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / FILE_NAME).write_bytes(b"no database at all" * 100)
    answer = search(client)
    assert answer["count"] == 3
    assert FILE_NAME in answer["annotations_unavailable"]
    assert search(client, prefix=CONTRACTS)["count"] == 2
    assert annotate(client, "./a", {"tag": 1}) == (400, "50540008")


# ---------------------------------------------------------------------------- dataset graph


def test_the_dataset_graph_of_a_job(jobs: FakeExperiment, client: FlaskClient, prefix: str) -> None:
    route = f"{prefix}/datasets/dataset_graph"
    assert client.get(f"{route}?train_id=./a").get_json() == {
        "dataset_graph": {"op_type": "Batch", "children": []},
        "summary_dir": "./a",
    }
    for train_id in ("./b", "./c", "./z"):
        assert client.get(f"{route}?train_id={train_id}").get_json() == {}
    for query, code in (("", "50540003"), ("?train_id=", "50540002"), ("?train_id=a", "50540002")):
        response = client.get(route + query)
        assert (response.status_code, response.get_json()["error_code"]) == (400, code)


# ------------------------------------------------------------------------------- comparison


def test_what_jobs_do_not_have_in_common(jobs: FakeExperiment, client: FlaskClient) -> None:
    response = client.post(f"{OURS}/lineagemgr/diff", json={"train_ids": ["./a", "./b"]})
    answer = response.get_json()
    assert answer["train_ids"] == ["./a", "./b"]
    assert {"name": "network", "values": ["Net", None]} in answer["hyper_parameters"]
    assert answer["user_defined"] == [{"name": "seed", "values": [None, 1]}]
    assert {"name": "loss", "values": ["NaN", None]} in answer["metrics"]
    assert answer["scalars"] == []
    assert {"name": "op_type", "values": ["Batch", None]} in answer["dataset_graph"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "50540003"),
        ({"train_ids": "./a"}, 400, "50540001"),
        ({"train_ids": [3]}, 400, "50540001"),
        ({"train_ids": ["./z"]}, 404, "50545005"),
        ({"train_ids": ["./a"], "x": 1}, 400, "50540002"),
    ],
)
def test_wrong_comparisons(
    jobs: FakeExperiment, client: FlaskClient, body: Any, status: int, code: str
) -> None:
    response = client.post(f"{OURS}/lineagemgr/diff", json=body)
    assert (response.status_code, response.get_json()["error_code"]) == (status, code)


def test_not_any_number_of_jobs_is_compared(
    jobs: FakeExperiment, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lineages_api, "MAX_COMPARED", 1)
    response = client.post(f"{OURS}/lineagemgr/diff", json={"train_ids": ["./a", "./b"]})
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")


# -------------------------------------------------------------------- from files to answers


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
    answer = search(client_of(base_dir, tmp_path / "workspace"), {"sorted_name": "learning_rate"})
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


@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample logs are not here")
def test_mindspores_own_logs_are_answered_as_protobuf_decodes_them(tmp_path: Path) -> None:
    """Decoded independently: records by hand, messages by protobuf's own JSON mapping."""
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
    """Compare one event with what is answered of it."""
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
    """Every parameter of every dataset, and nothing else."""
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
