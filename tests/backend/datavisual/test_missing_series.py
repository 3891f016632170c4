"""Errors for missing series suggest similar tags and runs."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.store_fake import FakeStore


def test_a_request_for_only_unknown_series_is_404_in_our_dialect(
    store: FakeStore, client: FlaskClient
) -> None:
    for name in ("./run1", "./run2"):
        store.add(name).append("loss", [1], [1])
    for query, message in {
        "train_id=./run1&tag=los/scalar": (
            "Run './run1' has no scalar data with tag 'los/scalar'. Did you mean 'loss/scalar'?"
        ),
        "train_id=./run1&tag=loss": (
            "Run './run1' has no scalar data with tag 'loss'. Did you mean 'loss/scalar'?"
        ),
        "train_id=./run1&train_id=./run2&tag=x": ("None of 2 runs has scalar data with tag 'x'."),
        "train_id=run1&tag=loss/scalar": (
            "There is no run 'run1'. Did you mean './run1' or './run2'?"
        ),
    }.items():
        answer = client.get(f"/v1/mindviz/datavisual/scalars?{query}")
        assert answer.status_code == 404
        assert answer.get_json() == {"error_code": "5054500E", "error_msg": message}
        contract = client.get(f"/v1/mindinsight/datavisual/scalars?{query}")
        assert contract.get_json() == {"scalars": []}


def test_an_increment_of_a_deleted_series_is_empty(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1])
    query = "/v1/mindviz/datavisual/scalars?train_id=./a&tag=loss/scalar"
    cursor = client.get(query).get_json()["cursor"]
    del store.jobs["./a"]
    assert client.get(f"{query}&since={cursor}").get_json()["scalars"] == []
    assert client.get(query).status_code == 404


def test_restarts_of_unknown_series_only_are_not_found(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", [1], [1.0])
    route = "/v1/mindviz/datavisual/scalars/restarts?train_id=./a"
    answer = client.get(f"{route}&tag=los")
    assert answer.status_code == 404
    assert answer.get_json()["error_msg"].endswith("Did you mean 'loss'?")
    assert client.get(f"{route}&tag=los&tag=loss").get_json() == {"restarts": []}


def test_formulas_with_unknown_tags_are_not_found(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1.0])
    query = {"train_id": "./a", "formula": "`loss` - `los`"}
    answer = client.get("/v1/mindviz/datavisual/scalars/formulas", query_string=query)
    assert answer.status_code == 404
    assert answer.get_json()["error_msg"] == (
        "Run './a' has no scalar data with tag 'los'. Did you mean 'loss'?"
    )
