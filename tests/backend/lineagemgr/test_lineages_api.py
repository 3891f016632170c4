"""Lineages over HTTP."""

from __future__ import annotations

import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from mindviz.backend.lineagemgr import lineages_api
from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from mindviz.lineagemgr import annotation_store
from mindviz.lineagemgr.annotations import FILE_NAME
from tests.lineage_client import CONTRACTS, OURS, ROUTE, ids, search
from tests.store_fake import START, FakeStore

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


@pytest.fixture
def jobs(store: FakeStore) -> FakeStore:
    """Three jobs: one of MindSpore's, one with info only, an empty one."""
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
        job = store.add(train_id)
        job.update_time = START + number
        if fact is not None:
            job.facts = fact
    return store


# --------------------------------------------------------------------- what is in an answer


def test_a_response_has_the_contracts_keys(jobs: FakeStore, client: FlaskClient) -> None:
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


def test_non_finite_numbers_are_named(jobs: FakeStore, client: FlaskClient) -> None:
    model = search(client, {"network": {"eq": "Net"}})["object"][0]["model_lineage"]
    assert model["loss"] == "NaN"
    assert model["metric"] == {"acc": 0.5, "list": ["Infinity"]}


def test_our_dialect_lists_all_jobs_with_more_fields(jobs: FakeStore, client: FlaskClient) -> None:
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
    ("condition", "parts"),
    [
        ({"eq": "model"}, {"model_lineage"}),
        ({"eq": "dataset"}, {"dataset_graph"}),
        ({"in": ["model", "dataset"]}, {"model_lineage", "dataset_graph"}),
    ],
)
def test_only_requested_parts_are_returned(
    jobs: FakeStore, client: FlaskClient, prefix: str, condition: Any, parts: set[str]
) -> None:
    for item in search(client, {"lineage_type": condition}, prefix)["object"]:
        assert item.keys() & {"model_lineage", "dataset_graph"} == parts


@pytest.mark.parametrize("body", [b"", b"  ", b"{}", b"null"])
def test_an_empty_body_selects_everything(
    jobs: FakeStore, client: FlaskClient, body: bytes
) -> None:
    response = client.post(f"{OURS}{ROUTE}", data=body, content_type="application/json")
    assert response.get_json()["count"] == 3


def test_the_contract_accepts_json_of_any_content_type(
    jobs: FakeStore, client: FlaskClient
) -> None:
    data = json.dumps({"summary_dir": {"eq": "./a"}})
    for content_type in ("application/json", "text/plain", None):
        response = client.post(f"/v1/mindinsight{ROUTE}", data=data, content_type=content_type)
        assert response.get_json()["count"] == 1


def test_the_condition_language_over_http(
    jobs: FakeStore, client: FlaskClient, prefix: str
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
def test_invalid_requests_have_the_contracts_codes(
    client: FlaskClient, prefix: str, route: str, body: bytes, code: str
) -> None:
    response = client.post(f"{prefix}{route}", data=body, content_type="application/json")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


# ------------------------------------------------------------------------------ annotations


NOTED = (200, {"status": "success"})


def annotate(client: FlaskClient, train_id: str, body: Any, prefix: str = OURS) -> tuple[int, Any]:
    response = client.put(f"{prefix}{ROUTE}", query_string={"train_id": train_id}, json=body)
    answer = response.get_json()
    return response.status_code, answer.get("error_code", answer)


def test_notes_appear_in_both_dialects(jobs: FakeStore, client: FlaskClient) -> None:
    assert annotate(client, "./a", {"tag": 3, "remark": "best"}, CONTRACTS) == NOTED
    assert annotate(client, "./a", {"pinned": True, "remark": "ü"}) == NOTED
    assert annotate(client, "./c", {"tag": 1}) == NOTED
    assert annotate(client, "./b", {}) == NOTED
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
def test_invalid_notes_are_rejected(
    client: FlaskClient, prefix: str, train_id: str, body: Any, code: str
) -> None:
    assert annotate(client, train_id, body, prefix) == (400, code)


def test_the_contract_has_only_tag_and_remark(jobs: FakeStore, client: FlaskClient) -> None:
    assert annotate(client, "./a", {"pinned": True}, CONTRACTS) == (400, "50542081")
    assert client.put(f"{OURS}{ROUTE}", json={}).get_json()["error_code"] == "50540003"


def test_rows_are_shown_without_unreadable_notes(
    jobs: FakeStore, client: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / FILE_NAME).write_bytes(b"no database at all" * 100)
    answer = search(client)
    assert answer["count"] == 3
    assert FILE_NAME in answer["annotations_unavailable"]
    assert search(client, prefix=CONTRACTS)["count"] == 2
    assert annotate(client, "./a", {"tag": 1}) == (400, "50540008")


def test_a_note_waits_briefly_for_a_locked_database(
    jobs: FakeStore, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotation_store, "WAIT", 0)
    assert annotate(client, "./a", {"tag": 1}) == NOTED
    path = tmp_path / "workspace" / FILE_NAME
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.put(f"{OURS}{ROUTE}?train_id=./a", json={"tag": 2})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        assert "Another program is writing notes" in answer.get_json()["error_msg"]
    assert annotate(client, "./a", {"tag": 2}) == NOTED


def test_a_confirmed_note_survives_deletion_of_the_database(
    jobs: FakeStore, client: FlaskClient, tmp_path: Path
) -> None:
    assert annotate(client, "./a", {"tag": 1}) == NOTED
    path = tmp_path / "workspace" / FILE_NAME
    path.unlink()
    assert annotate(client, "./a", {"remark": "kept"}) == NOTED
    (row,) = (one for one in search(client)["object"] if one["summary_dir"] == "./a")
    assert row["added_info"] == {"remark": "kept"}
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT train_id, tag, remark FROM annotations").fetchall() == [
            ("./a", None, "kept")
        ]


# ---------------------------------------------------------------------------- dataset graph


def test_the_dataset_graph_of_a_job(jobs: FakeStore, client: FlaskClient, prefix: str) -> None:
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


def test_differences_between_jobs(jobs: FakeStore, client: FlaskClient) -> None:
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
def test_invalid_comparisons(
    jobs: FakeStore, client: FlaskClient, body: Any, status: int, code: str
) -> None:
    response = client.post(f"{OURS}/lineagemgr/diff", json=body)
    assert (response.status_code, response.get_json()["error_code"]) == (status, code)


def test_the_number_of_compared_jobs_is_limited(
    jobs: FakeStore, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lineages_api, "MAX_COMPARED", 1)
    response = client.post(f"{OURS}/lineagemgr/diff", json={"train_ids": ["./a", "./b"]})
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")


def test_jobs_with_a_dataset_graph_are_listed(jobs: FakeStore, client: FlaskClient) -> None:
    answer = client.get("/v1/mindviz/datasets/train_jobs").json
    assert answer == {"train_ids": ["./a"]}
