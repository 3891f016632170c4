from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from mindviz.datavisual.series.findings import Finding, FindingKind
from tests.store_fake import FakeStore
from tests.unpacked_columns import cells


def ask(client: FlaskClient, path: str, status: int = 200, /, **query: Any) -> Any:
    response = client.get(f"/v1/mindviz/{path}", query_string=query)
    assert response.status_code == status
    return response.get_json()


def damaged(store: FakeStore) -> None:
    store.problems = (Finding(FindingKind.OUTSIDE, "link"),)
    store.add("./a").problems = (
        Finding(FindingKind.TRUNCATED, "a/events", 7, "The last record is cut off."),
        Finding(FindingKind.BAD_PAYLOAD, "a/events", 3, lost_records=2),
    )
    store.add("./b").problems = (Finding(FindingKind.LARGE_TENSOR, "b/events"),)


def complete(client: FlaskClient, **query: Any) -> Any:
    """The response after all requested jobs have been checked."""
    for _ in range(1000):
        answer = ask(client, "findings", **query)
        if answer["looked_into"] == answer["train_jobs"] and answer["outdated"] == 0:
            return answer
    pytest.fail("It never came to its end.")


def test_the_most_severe_finding_comes_first(store: FakeStore, client: FlaskClient) -> None:
    damaged(store)
    answer = complete(client)
    assert (answer["train_jobs"], answer["total"], answer["total_count"]) == (2, 4, 4)
    assert answer["counts"]["truncated"] == 1
    assert answer["severities"] == {"severe": 1, "warning": 2, "note": 1}
    assert answer["diverged"] == {}
    jobs = [(one["train_id"], one["kind"], one["severity"]) for one in answer["events"]]
    assert jobs == [
        ("./a", "bad_payload", "severe"),
        (None, "outside", "warning"),
        ("./a", "truncated", "warning"),
        ("./b", "large_tensor", "note"),
    ]
    first = answer["events"][0]
    assert (first["lost_records"], first["offsets"], first["path"]) == (2, [3], "a/events")


def test_events_are_filtered_and_paged(store: FakeStore, client: FlaskClient) -> None:
    damaged(store)
    answer = complete(client, train_id=["./a", "./gone"], limit=1, offset=1)
    assert (answer["total"], [one["kind"] for one in answer["events"]]) == (2, ["truncated"])
    answer = complete(client, kind="outside")
    assert [one["train_id"] for one in answer["events"]] == [None]
    assert answer["total"] == 1
    assert sum(answer["counts"].values()) == 4
    answer = complete(client, without=["./a"])
    assert answer["train_jobs"] == 1
    ask(client, "findings", 400, limit=5000)
    ask(client, "findings", 400, offset=-1)


def test_a_body_can_name_more_jobs_than_a_query(store: FakeStore, client: FlaskClient) -> None:
    damaged(store)
    body = {"train_id": ["./b", *(f"./{i:0100}" for i in range(5_000))], "limit": 10}
    response = client.post("/v1/mindviz/findings", json=body)
    assert response.status_code == 200
    assert [one["kind"] for one in response.get_json()["events"]] == ["large_tensor"]
    assert client.post("/v1/mindviz/findings", json={"train_ids": []}).status_code == 400


def test_marks_of_the_requested_runs_are_columns(store: FakeStore, client: FlaskClient) -> None:
    for train_id in ("./a", "./b"):
        values = [float("nan") if step % 4 == 2 else 0.5 for step in range(200)]
        store.add(train_id).append("loss", range(200), values)
    assert "marks" not in complete(client)
    answer = complete(client, train_id="./a", marks="true", limit=0)
    assert answer["events"] == []
    ((train_id, [marks]),) = answer["marks"].items()
    assert (train_id, marks["kind"], marks["rule"], marks["tag"]) == ("./a", "nan", "nan", "loss")
    assert [place[0] for place in marks["places"]] == list(range(2, 200, 4))
    assert marks["places"][25] == [102, 82, 122]
    assert complete(client, train_id="./a", marks="true", kind="spike")["marks"] == {}


def test_findings_have_positions_in_charts(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", [1, 2, 3, 2, 3], [0.5, 0.5, 0.5, 0.5, float("nan")])
    job.append("acc", [1, 2], [0.5, 0.5])
    job.append("lr", [1, 3, 3], [0.5, 0.5, 0.5])
    answer = complete(client, train_id="./a")
    assert answer["counts"] == {"restart": 1, "nan": 1, "duplicate_steps": 1}
    nan = answer["events"][0]
    assert nan == {
        "train_id": "./a",
        "kind": "nan",
        "severity": "severe",
        "count": 1,
        "times": 1,
        "tags": 1,
        "step": 3,
        "end_step": 3,
        "size": [1.0, 1.0],
        "window": [1, 3],
        "wall_time": 1_700_000_004.0,
        "places": [{"tag": "loss", "step": 3, "end_step": 3, "window": [1, 3]}],
        "rule": "nan",
        "moved": [],
    }


def test_a_finding_without_an_earlier_point_has_no_position(
    store: FakeStore, client: FlaskClient
) -> None:
    damaged(store)
    route = "findings/place"
    assert ask(client, route, train_id="./a", path="a/events", offset=7) == {"place": None}
    ask(client, route, 404, train_id="./gone", path="a/events", offset=7)
    ask(client, route, 400, train_id="./a", path="a/events", offset=-1)


def test_events_are_counted_by_run_for_tables(store: FakeStore, client: FlaskClient) -> None:
    nan = float("nan")
    store.add("./a").append("loss", [0, 1, 2, 3], [1, nan, 1, nan])
    store.add("./b").append("loss", [0, 1], [1, 1])
    store.add("./c").append("loss", [0], [nan])
    columns = ask(client, "datavisual/train-job-columns", order="name")["columns"]
    assert cells(columns["events"]) == [None, None, None]
    answer = complete(client, limit=0, runs="true")
    two, one = ({"severe": number, "warning": 0, "note": 0} for number in (2, 1))
    assert answer["runs"] == {"./a": two, "./c": one}
    assert "runs" not in ask(client, "findings")
    columns = ask(client, "datavisual/train-job-columns")["columns"]
    counts = dict(zip(columns["train_id"], cells(columns["events"]), strict=True))
    assert counts == {"./a": two, "./b": {"severe": 0, "warning": 0, "note": 0}, "./c": one}
    query = {"filter": "anomalies > 0", "order": "-severe_anomalies"}
    ids = ask(client, "datavisual/train-job-ids", **query)["train_ids"]
    assert ids == ["./a", "./c"]
