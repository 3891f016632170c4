"""Statistics of groups over HTTP."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pyarrow.ipc
import pytest
from flask.testing import FlaskClient

from tests.store_fake import START, FakeStore

ROUTE = "/v1/mindviz/datavisual/scalars/groups"


def ask(client: FlaskClient, **body: Any) -> Any:
    """The groups of a response."""
    response = client.post(ROUTE, json={"tags": ["loss"], **body})
    assert response.status_code == 200, response.get_json()
    return response.get_json()["groups"]


@pytest.fixture
def sweep(store: FakeStore) -> FakeStore:
    store.add("./a").append("loss", [0, 10, 20], [4.0, 2.0, 1.0])
    store.add("./b").append("loss", [0, 10], [8.0, 4.0])
    store.add("./c").append("loss", [10], [math.nan])
    return store


@pytest.mark.usefixtures("sweep")
def test_each_group_and_tag_has_statistics_per_step(
    client: FlaskClient,
) -> None:
    adam, sgd = ask(
        client, groups={"adam": ["./a", "./b", "./nobody"], "sgd": ["./c"], "no": ["./d"]}
    )
    assert (adam["name"], adam["tag"], adam["series"], adam["points"]) == ("adam", "loss", 2, 5)
    assert (adam["x"], adam["n"]) == ([0, 10, 20], [2, 2, 1])
    assert (adam["mean"], adam["min"], adam["max"]) == ([6, 3, 1], [4, 2, 1], [8, 4, 1])
    assert adam["std"][2] is None
    assert (sgd["series"], sgd["x"]) == (1, [])


@pytest.mark.usefixtures("sweep")
def test_a_range_starts_with_the_preceding_value(client: FlaskClient) -> None:
    (group,) = ask(client, groups={"": ["./a", "./b"]}, start=5, end=10)
    assert (group["x"], group["n"], group["mean"]) == ([5, 10], [2, 2], [6, 3])


@pytest.mark.usefixtures("sweep")
def test_times_can_be_the_grid(client: FlaskClient) -> None:
    (relative,) = ask(client, groups={"": ["./a"]}, x="relative")
    assert relative["x"] == [0, 1, 2]
    (wall,) = ask(client, groups={"": ["./a"]}, x="wall")
    assert wall["x"] == [START, START + 1, START + 2]


@pytest.mark.usefixtures("sweep")
def test_series_are_smoothed_before_aggregation(client: FlaskClient) -> None:
    (group,) = ask(client, groups={"": ["./a"]}, smoothing="mean:3")
    assert group["mean"] == pytest.approx([3, 7 / 3, 1.5])


def test_unfinished_runs_have_open_ends_unless_they_turned_nan(
    client: FlaskClient, sweep: FakeStore
) -> None:
    sweep.add("./d").append("loss", [0, 10, 20], [4.0, 2.0, math.nan])
    names = ["./a", "./b", "./c", "./d", "./nobody"]
    for unfinished, ends in ((["./a", "./b"], [10, 20]), (["./c", "./d", "./b"], [10]), ([], [])):
        (group,) = ask(client, groups={"": names}, unfinished=unfinished)
        assert (group["series"], group["n"], group["open_ends"]) == (4, [3, 3, 1], ends)
    (group,) = ask(client, groups={"": names}, unfinished=names, start=0, end=15)
    assert group["open_ends"] == [10, 15]
    (group,) = ask(client, groups={"": names}, unfinished=names, smoothing="mean:3")
    assert group["open_ends"] == [10, 20]


@pytest.mark.parametrize(
    "body",
    [
        {"groups": ["./a"]},
        {"groups": {"a": "./a"}},
        {"groups": {}, "x": "sideways"},
        {"groups": {}, "max_points": 1},
        {"groups": {}, "smoothing": "much"},
        {"groups": {}, "what": 1},
    ],
)
def test_invalid_requests_are_rejected(client: FlaskClient, body: dict[str, Any]) -> None:
    response = client.post(ROUTE, json={"tags": ["loss"], **body})
    assert response.status_code == 400
    assert response.get_json()["error_msg"]


def test_too_large_requests_are_rejected(client: FlaskClient) -> None:
    groups = {"all": [f"./{i}" for i in range(2_000)]}
    response = client.post(ROUTE, json={"tags": ["loss"] * 11, "groups": groups})
    assert response.get_json()["error_code"] == "50545013"


@pytest.mark.usefixtures("sweep")
def test_group_names_can_be_any_text(client: FlaskClient) -> None:
    assert ask(client, groups={"\ud800": ["./a"]})[0]["name"] == "?"


@pytest.mark.usefixtures("sweep")
def test_they_are_available_as_arrow(client: FlaskClient) -> None:
    groups = {"adam": ["./a", "./b"], "sgd": ["./c"]}
    body = {"tags": ["loss"], "groups": groups, "format": "arrow"}
    response = client.post(ROUTE, json=body)
    assert response.content_type == "application/vnd.apache.arrow.stream"
    table = pyarrow.ipc.open_stream(response.data).read_all()
    facts = json.loads(table.schema.metadata[b"mindviz"])["groups"]
    first = 0
    for group, about in zip(ask(client, groups=groups), facts, strict=True):
        rows = about.pop("rows")
        columns = {name: np.array(group.pop(name), float) for name in table.column_names}
        assert about == group
        for name, column in columns.items():
            np.testing.assert_array_equal(table[name].to_numpy()[first : first + rows], column)
        first += rows
    assert first == len(table)
