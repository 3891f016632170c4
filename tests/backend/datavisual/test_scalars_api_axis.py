"""Another scalar as the x axis, over HTTP: equal to numpy on all points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.ipc
import pytest
from flask.testing import FlaskClient

from mindviz.datavisual.series.smoothing import parse_smoothing
from tests.store_fake import FakeStore

URL = "/v1/mindviz/datavisual/scalars"
COUNT = 5_000


@pytest.fixture
def series(store: FakeStore) -> dict[str, np.ndarray[Any, Any]]:
    """A noisy series of 5,000 steps; every third step has no x, and some x are no numbers."""
    random = np.random.default_rng(7)
    step = np.arange(COUNT) * 2
    value = random.normal(size=COUNT).cumsum()
    x = np.sin(step / 400) * 100 + random.normal(size=COUNT)
    known = np.arange(COUNT) % 3 != 0
    x[[10, 11, 13]] = np.nan, np.inf, -np.inf
    job = store.add("./a")
    job.append("loss", step.tolist(), value.tolist())
    job.append("lr", (step[known]).tolist(), x[known].tolist())
    rows = np.flatnonzero(known & np.isfinite(x))
    return {"step": step, "value": value, "x": x, "rows": rows[np.argsort(x[rows], kind="stable")]}


def ask(client: FlaskClient, **query: Any) -> dict[str, Any]:
    defaults = {"train_id": "./a", "tag": "loss/scalar", "x_tag": "lr/scalar", "format": "columns"}
    answer = client.get(URL, query_string=defaults | query)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    items: list[dict[str, Any]] = answer.get_json()["scalars"]
    return items[0]


def test_points_are_sorted_by_x_and_those_without_are_counted(
    client: FlaskClient, series: dict[str, np.ndarray[Any, Any]]
) -> None:
    item = ask(client, max_points="all")
    rows = series["rows"]
    assert item["values"]["x"] == series["x"][rows].tolist()
    assert item["values"]["value"] == series["value"][rows].tolist()
    assert item["values"]["step"] == series["step"][rows].tolist()
    assert (item["in_range"], item["without_x"]) == (len(rows), COUNT - len(rows))


@pytest.mark.parametrize("window", [(None, None), (-40.0, -20.0)])
def test_all_ranges_of_the_axis_show_their_extremes(
    client: FlaskClient,
    series: dict[str, np.ndarray[Any, Any]],
    window: tuple[float | None, float | None],
) -> None:
    start, end = window
    rows = series["rows"]
    x = series["x"][rows]
    inside = rows[
        (x >= (-np.inf if start is None else start)) & (x <= (np.inf if end is None else end))
    ]
    bounds = {"start_x": start, "end_x": end} if start is not None else {}
    item = ask(client, max_points=40, **bounds)
    values = np.array(item["values"]["value"])
    assert (item["in_range"], len(values) <= 40) == (len(inside), True)
    # Ten ranges of equally many points, from left to right.
    for part in np.array_split(series["value"][inside], 10):
        assert {part.min(), part.max()} <= set(values.tolist())
    places = dict(zip(series["step"].tolist(), series["x"].tolist(), strict=True))
    assert item["values"]["x"] == [places[step] for step in item["values"]["step"]]
    assert item["values"]["x"] == sorted(item["values"]["x"])


def test_smoothing_uses_all_points_by_step(
    client: FlaskClient, series: dict[str, np.ndarray[Any, Any]]
) -> None:
    item = ask(client, max_points="all", smoothing="ema:0.9")
    smoothed = parse_smoothing("ema:0.9").of(series["step"], series["value"])[series["rows"]]
    np.testing.assert_allclose(item["values"]["smoothed"], smoothed, rtol=1e-12)


def test_it_can_be_combined_with_ranges_of_steps(
    client: FlaskClient, series: dict[str, np.ndarray[Any, Any]]
) -> None:
    item = ask(client, max_points="all", start_step=1_000, end_step=1_999)
    step = series["step"][series["rows"]]
    in_range = step[(step >= 1_000) & (step <= 1_999)]
    assert item["values"]["step"] == in_range.tolist()
    assert item["without_x"] == 500 - len(in_range)


def test_arrow_and_rows_are_equal(
    client: FlaskClient, series: dict[str, np.ndarray[Any, Any]]
) -> None:
    del series
    columns = ask(client, max_points=50)["values"]
    rows = ask(client, max_points=50, format="rows")["values"]
    assert [row["x"] for row in rows] == columns["x"]
    query = {"train_id": "./a", "tag": "loss/scalar", "x_tag": "lr/scalar", "max_points": 50}
    answer = client.get(URL, query_string=query | {"format": "arrow"})
    table = pyarrow.ipc.open_stream(answer.data).read_all()
    assert table.column("x").to_pylist() == columns["x"]
    assert table.column("value").to_pylist() == columns["value"]


def test_jobs_without_the_scalar_have_no_points(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1, 2], [0.5, 0.25])
    item = ask(client)
    assert (item["values"]["x"], item["in_range"], item["without_x"]) == ([], 0, 2)


def test_a_cursor_resets_if_either_series_grows(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", [1, 2, 3], [0.5, 0.25, 0.125])
    job.append("lr", [1, 2], [2.0, 1.0])
    query = {"train_id": "./a", "tag": "loss/scalar", "x_tag": "lr/scalar", "format": "columns"}

    def since(cursor: str) -> dict[str, Any]:
        answer: dict[str, Any] = client.get(URL, query_string=query | {"since": cursor}).get_json()
        return answer

    first = client.get(URL, query_string=query).get_json()
    again = since(first["cursor"])
    assert (again["scalars"][0]["reset"], again["scalars"][0]["values"]["x"]) == (False, [])
    job.append("lr", [3], [3.0])
    job.version += 1
    grown = since(again["cursor"])["scalars"][0]
    assert (grown["reset"], grown["values"]["x"]) == (True, [1.0, 2.0, 3.0])
    assert grown["values"]["value"] == [0.25, 0.5, 0.125]


def test_superseded_points_have_no_x(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [0.5])
    query = {"train_id": "./a", "tag": "loss/scalar", "x_tag": "lr/scalar", "restarts": "all"}
    assert client.get(URL, query_string=query).status_code == 400


def test_formulas_have_an_x_axis(
    client: FlaskClient, series: dict[str, np.ndarray[Any, Any]]
) -> None:
    query = {"train_id": "./a", "formula": "loss * 2", "x_tag": "lr", "max_points": "all"}
    (item,) = client.get(f"{URL}/formulas", query_string=query).get_json()["scalars"]
    assert item["values"]["value"] == (series["value"][series["rows"]] * 2).tolist()
    assert item["values"]["x"] == series["x"][series["rows"]].tolist()
    assert item["without_x"] == COUNT - len(series["rows"])


def test_the_contract_ignores_the_x_axis(
    client: FlaskClient, series: dict[str, np.ndarray[Any, Any]]
) -> None:
    del series
    query = {"train_id": "./a", "tag": "loss/scalar", "x_tag": "lr/scalar"}
    answer = client.get("/v1/mindinsight/datavisual/scalars", query_string=query).get_json()
    assert "x" not in answer["scalars"][0]["values"][0]
