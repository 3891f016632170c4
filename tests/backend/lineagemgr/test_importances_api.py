"""Importances over HTTP. Expected numbers are MindInsight 2.3.1's for the same jobs."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from mindviz.backend.lineagemgr import importances_api
from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from mindviz.lineagemgr.forest import ForestImportance
from mindviz.lineagemgr.importance import Parameter, Target
from tests.store_fake import START, FakeStore

ROUTE = "/optimizer/targets/search"
OURS = "/v1/mindviz"
CONTRACTS = "/v1/mindinsight"


def search(client: FlaskClient, body: Any, prefix: str) -> dict[str, Any]:
    response = client.post(f"{prefix}{ROUTE}", json=body)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


@pytest.fixture(autouse=True)
def jobs(store: FakeStore) -> FakeStore:
    """MindSpore's sample jobs."""
    rows: list[tuple[float, int, float, float, int, float]] = [
        (0.001, 64, 2.228399, 0.4583333333333333, 2, 0.2),
        (0.002, 32, 1.8049124, 0.4895833333333333, 3, 0.30000000000000004),
        (0.01, 32, 2.3054917, 0.078125, 0, 0.0),
        (0.05, 16, 2.2734427, 0.140625, 1, 0.1),
    ]
    for number, (rate, batch, loss, accuracy, seed, dropout) in enumerate(rows):
        job = store.add(f"./{number}")
        job.update_time = START + number
        job.facts = LineageFacts(
            train=TrainFacts(learning_rate=rate, batch_size=batch, epoch=1, loss=loss),
            evaluation=EvaluationFacts({"Accuracy": accuracy}),
            user_defined={"seed": seed, "dropout": dropout, "team": "vision"},
        )
    return store


def test_the_contracts_response(client: FlaskClient) -> None:
    answer = search(client, {}, CONTRACTS)
    assert answer["metadata"] == {
        "train_ids": ["./3", "./2", "./1", "./0"],
        "possible_hyper_parameters": [
            {"name": "learning_rate", "data": [0.05, 0.01, 0.002, 0.001]},
            {"name": "epoch", "data": [1, 1, 1, 1]},
            {"name": "batch_size", "data": [16, 32, 32, 64]},
            {"name": "[U]seed", "data": [1, 0, 3, 2]},
            {"name": "[U]dropout", "data": [0.1, 0.0, 0.30000000000000004, 0.2]},
        ],
        "unrecognized_params": [{"name": "[U]team", "unselected": True, "reason_code": 1}],
    }
    accuracy, loss = answer["targets"]
    assert set(accuracy) == {"name", "buckets", "hyper_parameters", "data"}
    assert (accuracy["name"], loss["name"]) == ("[M]Accuracy", "loss")
    assert accuracy["data"] == [0.140625, 0.078125, 0.4895833333333333, 0.4583333333333333]
    assert accuracy["buckets"][0] == pytest.approx([0.078125, 0.08229166666666665, 2])
    assert [bucket[2] for bucket in accuracy["buckets"]] == [2, 0, 0, 0, 2]
    by_name = {item["name"]: item for item in accuracy["hyper_parameters"]}
    assert by_name["epoch"] == {"name": "epoch", "importance": 0, "reason_code": 3}
    assert {name: item["importance"] for name, item in by_name.items()} == pytest.approx(
        {
            "[U]seed": 0.9433025173710485,
            "[U]dropout": 0.9433025173710484,
            "learning_rate": 0.6175900688797433,
            "batch_size": 0.6040680569998772,
            "epoch": 0,
        }
    )
    assert [item["name"] for item in loss["hyper_parameters"]] == [
        "[U]dropout",
        "[U]seed",
        "learning_rate",
        "batch_size",
        "epoch",
    ]


def test_conditions_select_the_jobs(client: FlaskClient, prefix: str) -> None:
    answer = search(client, {"learning_rate": {"ge": 0.01}}, prefix)
    assert answer["metadata"]["train_ids"] == ["./3", "./2"]
    (item, *_) = answer["targets"][0]["hyper_parameters"]
    assert (item["importance"], item["reason_code"]) == (0, 2)
    answer = search(client, {"learning_rate": {"gt": 1}}, prefix)
    assert (answer["metadata"]["train_ids"], answer["targets"]) == ([], [])


def test_our_dialect_adds_fields(client: FlaskClient) -> None:
    answer = search(client, {"forest": False}, OURS)
    target = answer["targets"][0]
    assert target["samples"] == 4
    assert "4 jobs" in target["warning"]
    by_name = {item["name"]: item for item in target["hyper_parameters"]}
    assert by_name["learning_rate"]["spearman"] == pytest.approx(-0.6)
    assert by_name["epoch"]["spearman"] is None
    assert by_name["learning_rate"]["samples"] == 4
    assert by_name["learning_rate"]["permutation"] is None
    # A category that is the same in all jobs.
    assert (by_name["[U]team"]["kind"], by_name["[U]team"]["reason_code"]) == ("category", 3)
    assert answer["metadata"]["unrecognized_params"] == []


def test_our_dialect_ranks_the_requested_parameters(client: FlaskClient, jobs: FakeStore) -> None:
    for number, job in enumerate(jobs.jobs.values()):
        job.facts = LineageFacts(
            user_defined={"optimizer": ("adam", "sgd")[number % 2], "lr": 0.1, "x": number}
        )
        job.append("val/acc", [0, 1], [0.5, number % 2])
    body = {
        "parameters": ["user_defined/optimizer", "user_defined/lr", "dataset_mark"],
        "targets": ["scalar/val/acc/last", "metric/none"],
    }
    (target,) = search(client, body, OURS)["targets"]
    assert target["name"] == "scalar/val/acc/last"
    assert sorted(target["data"]) == [0, 0, 1, 1]
    assert [
        (item["name"], item["kind"], round(item["importance"], 6), item.get("reason_code"))
        for item in target["hyper_parameters"]
    ] == [
        ("[U]optimizer", "category", 1, None),
        ("dataset_mark", "category", 0, 3),
        ("[U]lr", "number", 0, 3),
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"parameters": "lr"},
        {"parameters": ["wall_time"]},
        {"targets": [3]},
        {"targets": ["remark"]},
        {"targets": ["scalar/loss/mean"]},
    ],
    ids=str,
)
def test_unknown_fields_are_refused(client: FlaskClient, body: dict[str, Any]) -> None:
    response = client.post(f"{OURS}{ROUTE}", json=body)
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50542218")


def add_many(store: FakeStore) -> None:
    store.jobs.clear()
    for number in range(30):
        store.add(f"./{number}").facts = LineageFacts(
            train=TrainFacts(epoch=number, loss=float(number % 3)),
            user_defined={"a": number % 3, "b": number // 3},
        )


def test_forests_complement_the_correlations(client: FlaskClient, jobs: FakeStore) -> None:
    add_many(jobs)
    answer = search(client, {}, OURS)
    (target,) = answer["targets"]
    assert target["warning"] is None
    by_name = {item["name"]: item["permutation"] for item in target["hyper_parameters"]}
    assert by_name["[U]a"]["low"] > by_name["[U]b"]["high"]
    assert by_name["[U]a"]["low"] <= by_name["[U]a"]["importance"] <= by_name["[U]a"]["high"]


def test_equal_requests_share_one_training(
    client: FlaskClient, jobs: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[str] = []

    def train(
        parameters: tuple[Parameter, ...], target: Target, targets: int
    ) -> dict[str, ForestImportance]:
        trained.append(target.result.name)
        return {}

    monkeypatch.setattr(importances_api, "_train", train)
    for _ in range(2):
        search(client, {}, OURS)
    assert trained == ["[M]Accuracy", "loss"]
    search(client, {"limit": 3}, OURS)
    assert len(trained) == 4
    client.put(f"{OURS}/lineagemgr/lineages?train_id=./0", json={"tag": 1})
    search(client, {}, OURS)
    assert len(trained) == 6


def test_few_jobs_have_no_forest(client: FlaskClient) -> None:
    for target in search(client, {}, OURS)["targets"]:
        assert {item["permutation"] for item in target["hyper_parameters"]} == {None}


def test_forest_is_a_boolean_in_our_dialect(client: FlaskClient) -> None:
    for prefix, value in ((OURS, 1), (CONTRACTS, True)):
        response = client.post(f"{prefix}{ROUTE}", json={"forest": value})
        assert (response.status_code, response.get_json()["error_code"]) == (400, "50542218")
