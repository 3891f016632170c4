from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.store_fake import FakeStore


def ask(client: FlaskClient, questions: Any, status: int = 200) -> Any:
    response = client.post("/v1/mindviz/datavisual/scalars/batch", json={"questions": questions})
    assert response.status_code == status, response.get_json()
    return response.get_json()


def two_jobs(store: FakeStore) -> None:
    for name in ("./a", "./b"):
        store.add(name).append("loss", range(10), range(10))
        store.jobs[name].append("acc", range(5), [0.5] * 5)


def test_each_query_has_its_range_and_response(store: FakeStore, client: FlaskClient) -> None:
    two_jobs(store)
    jobs = ["./a", "./b"]
    questions: list[dict[str, Any]] = [
        {"train_id": jobs, "tag": ["loss/scalar"], "start_step": 8},
        {"train_id": ["./b"], "tag": ["acc/scalar"], "max_points": "all", "smoothing": "mean:3"},
        {"train_id": ["./gone"], "tag": ["loss/scalar"]},
    ]
    first, second, third = ask(client, questions)["answers"]
    assert [one["values"]["step"] for one in first["scalars"]] == [[8, 9], [8, 9]]
    (acc,) = second["scalars"]
    assert (acc["tag"], acc["values"]["smoothed"]) == ("acc/scalar", [0.5] * 5)
    assert third["scalars"] == []
    for question, answer in zip(questions[:2], (first, second), strict=True):
        query = {**question, "format": "columns"}
        alone = client.get("/v1/mindviz/datavisual/scalars", query_string=query).get_json()
        assert answer == alone


def test_each_response_has_a_cursor(store: FakeStore, client: FlaskClient) -> None:
    two_jobs(store)
    question = {"train_id": ["./a"], "tag": ["loss/scalar"]}
    (first,) = ask(client, [question])["answers"]
    store.jobs["./a"].append("loss", [10], [10.0])
    (new,) = ask(client, [question | {"since": first["cursor"]}])["answers"]
    assert [one["values"]["step"] for one in new["scalars"]] == [[10]]
    assert new["scalars"][0]["reset"] is False


def test_invalid_requests_are_rejected(store: FakeStore, client: FlaskClient) -> None:
    two_jobs(store)
    ask(client, [{"train_id": "./a", "tag": ["loss/scalar"]}], 400)
    ask(client, [{"train_id": ["./a"], "tag": ["loss/scalar"], "max_points": 0}], 400)
    ask(client, [{"train_id": ["./a"], "tag": ["loss/scalar"], "smoothing": "much"}], 400)
    ask(client, [{}] * 201, 400)
    ask(client, "loss", 400)
    assert ask(client, []) == {"answers": []}
