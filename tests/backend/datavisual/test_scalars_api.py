"""Scalars over HTTP: the contract's rows, ranges, reduction, smoothing, formats."""

from __future__ import annotations

import math
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.app import create_app
from mindviz.backend.datavisual import scalars_api
from mindviz.config import Config
from tests.scalars_client import ROUTE, ask, smoothed, steps
from tests.store_fake import START, FakeStore

NAMES = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def test_rows_have_exactly_the_contracts_keys(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1, 2], [0.5, math.nan])
    rows = [
        {"wall_time": START, "step": 1, "value": 0.5},
        {"wall_time": START + 1, "step": 2, "value": None},
    ]
    base = "/v1/mindinsight/datavisual"
    query = "train_id=./a&tag=loss/scalar"
    metadata = client.get(f"{base}/scalar/metadata?{query}")
    assert metadata.get_json() == {"metadatas": rows}
    assert list(metadata.get_json()["metadatas"][0]) == ["wall_time", "step", "value"]
    assert client.get(f"{base}/scalars?{query}").get_json() == {
        "scalars": [{"train_id": "./a", "tag": "loss/scalar", "values": rows}]
    }


def test_the_contract_ignores_our_formats(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [0.5])
    base = "/v1/mindinsight/datavisual/scalars?train_id=./a&tag=loss/scalar"
    plain = client.get(base).get_json()
    for extra in (
        "format=columns",
        "format=arrow",
        "since=abc",
        "restarts=all",
        "smoothing=ema:0.5",
    ):
        assert client.get(f"{base}&{extra}").get_json() == plain
    accept = {"Accept": "application/vnd.apache.arrow.stream"}
    assert client.get(base, headers=accept).get_json() == plain


def test_all_combinations_of_jobs_and_tags_but_missing_ones(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    for name in ("./a", "./b"):
        store.add(name).append("loss", [1], [1])
    store.jobs["./b"].append("acc", [1], [1])
    query = "train_id=./a&train_id=./b&train_id=./c&tag=loss/scalar&tag=acc/scalar&tag=loss&tag="
    answer = client.get(f"{prefix}/datavisual/scalars?{query}").get_json()
    assert [(item["train_id"], item["tag"]) for item in answer["scalars"]] == [
        ("./a", "loss/scalar"),
        ("./b", "loss/scalar"),
        ("./b", "acc/scalar"),
    ]
    assert client.get(f"{prefix}/datavisual/scalars").get_json()["scalars"] == []


def test_only_the_contract_repeats_series(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    store.add("./a").append("loss", [1], [1])
    query = "train_id=./a&train_id=./a&tag=loss/scalar&tag=loss/scalar"
    answer = client.get(f"{prefix}/datavisual/scalars?{query}").get_json()
    assert len(answer["scalars"]) == (1 if prefix.endswith("mindviz") else 4)


def test_a_tag_that_ends_with_the_suffix_gets_another_one(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    job = store.add("./a")
    job.append("loss", [1], [1])
    job.append("loss/scalar", [2], [1])
    job.append("", [3], [1])
    for tag, step in (("loss/scalar", 1), ("loss/scalar/scalar", 2), ("/scalar", 3)):
        url = f"{prefix}/datavisual/scalar/metadata?train_id=./a&tag={tag}"
        assert [row["step"] for row in client.get(url).get_json()["metadatas"]] == [step]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("tag=loss/scalar", "50540003"),
        ("train_id=./a", "50540003"),
        ("train_id=./a&tag=", "50540003"),
        ("train_id=./x&tag=loss/scalar", "50545005"),
        ("train_id=./x&tag=loss", "50545005"),
        ("train_id=./a/../a&tag=loss/scalar", "50545005"),
        ("train_id=./a&tag=loss", "5054500E"),
        ("train_id=./a&tag=nothing/scalar", "5054500E"),
        ("train_id=./a&tag=%00/scalar", "50545011"),
        ("train_id=./a&tag=%ff/scalar", "50540009"),
        ("train_id=./a&tag=%C3%BC%F0%9F%98%80/scalar", "5054500E"),
        ("train_id=./a&tag=loss/scalar&max_points=0", "50540002"),
        ("train_id=./a&tag=loss/scalar&max_points=many", "50540001"),
        ("train_id=./a&tag=loss/scalar&max_points=-5", "50540002"),
        ("train_id=./a&tag=loss/scalar&start_step=1.5", "50540001"),
        ("train_id=./a&tag=loss/scalar&start_step=9223372036854775808", "50540002"),
        ("train_id=./a&tag=loss/scalar&end_time=soon", "50540001"),
        ("train_id=./a&tag=loss/scalar&end_time=nan", "50540001"),
        ("train_id=./a&tag=loss/scalar&end_time=1e999", "50540001"),
        ("train_id=./a&tag=loss/scalar&writer=nobody", "50540002"),
        ("train_id=./a&tag=loss/scalar&restarts=some", "50540002"),
    ],
)
def test_invalid_requests_have_the_contracts_codes(
    store: FakeStore, client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    store.add("./a").append("loss", [1], [1])
    response = client.get(f"{prefix}/datavisual/scalar/metadata?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


def test_a_writer_of_no_series_is_an_error(store: FakeStore, client: FlaskClient) -> None:
    for name in ("a", "b"):
        job = store.add(f"./{name}")
        job.append("loss", [1], [1])
        job.writer = f"events.{name}"
    url = "/v1/mindviz/datavisual/scalars?train_id=./a&train_id=./b&tag=loss/scalar"
    answer = client.get(f"{url}&writer=events.b").get_json()
    assert [item["train_id"] for item in answer["scalars"]] == ["./b"]
    store.jobs["./b"].append("loss", [2], [2])
    more = client.get(f"{url}&writer=events.b&since={answer['cursor']}").get_json()
    assert [(item["train_id"], len(item["values"])) for item in more["scalars"]] == [("./b", 1)]
    refused = client.get(f"{url}&writer=nobody")
    assert (refused.status_code, refused.get_json()["error_code"]) == (400, "50540002")
    assert "'events.a'" in refused.get_json()["error_msg"]


@pytest.mark.parametrize(
    "query", ["format=xml", "since=!", "since=AAAA", "since=eJw", "since=%E2%82%AC", "since="]
)
def test_invalid_extensions_are_rejected(store: FakeStore, client: FlaskClient, query: str) -> None:
    store.add("./a").append("loss", [1], [1])
    response = client.get(f"{ROUTE}?train_id=./a&tag=loss/scalar&{query}")
    assert response.status_code == 400
    assert response.get_json()["error_code"] in {"50540002", "50540003"}


def test_downsampling_keeps_spikes(store: FakeStore, client: FlaskClient, prefix: str) -> None:
    values = [0.0] * 50_000
    values[31_337] = 99.0
    store.add("./a").append("loss", range(50_000), values)
    url = f"{prefix}/datavisual/scalars?train_id=./a&tag=loss/scalar"

    def rows(query: str) -> list[dict[str, Any]]:
        (series,) = client.get(f"{url}&{query}").get_json()["scalars"]
        listed: list[dict[str, Any]] = series["values"]
        return listed

    assert len(rows("")) <= 1000
    assert {"wall_time": START + 31_337, "step": 31_337, "value": 99.0} in rows("")
    assert len(rows("max_points=10")) <= 10
    assert 99.0 in [row["value"] for row in rows("max_points=10")]
    assert len(rows("max_points=all")) == 50_000
    assert len(rows("max_points=50000")) == 50_000


def test_all_responses_have_the_number_of_points(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [*range(5000), *range(4900, 5200)], [1.0] * 5300)
    (series,) = ask(client, max_points=10)["scalars"]
    assert (series["total"], series["superseded"]) == (5300, 100)
    assert series["writers"] == ["events"]


def test_ranges_are_inclusive(store: FakeStore, client: FlaskClient, prefix: str) -> None:
    store.add("./a").append("loss", range(-5, 5), [1.0] * 10)
    url = f"{prefix}/datavisual/scalars?train_id=./a&tag=loss/scalar"

    def steps_in(query: str) -> list[int]:
        return steps(client.get(f"{url}&{query}").get_json())

    assert steps_in("start_step=-2&end_step=1") == [-2, -1, 0, 1]
    assert steps_in("start_step=4") == [4]
    assert steps_in("end_step=-9223372036854775808") == []
    assert steps_in(f"start_time={START + 8}") == [3, 4]
    assert steps_in(f"end_time={START}") == [-5]
    assert steps_in("start_step=3&end_step=1") == []
    assert steps_in("start_step=-2&max_points=2") == [-2, 4]


def test_a_point_without_a_time_is_in_no_range_of_times(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("loss", [1, 2], [1.0, 2.0])
    job.scalars["loss"].wall_time[0] = math.nan
    assert ask(client)["scalars"][0]["values"][0] == {"wall_time": None, "step": 1, "value": 1.0}
    assert steps(ask(client, start_time=0)) == [2]


def test_non_finite_values_are_named(store: FakeStore, client: FlaskClient) -> None:
    values = [1.0, math.nan, math.inf, -math.inf, 2.0]
    store.add("./a").append("loss", range(5), values)
    for form in ("rows", "columns"):
        (series,) = ask(client, format=form)["scalars"]
        assert series["non_finite"] == [[1, "NaN"], [2, "Infinity"], [3, "-Infinity"]]
    columns = ask(client, format="columns")["scalars"][0]["values"]
    assert columns == {
        "step": [0, 1, 2, 3, 4],
        "wall_time": [START + i for i in range(5)],
        "value": [1.0, None, None, None, 2.0],
    }


@given(
    st.lists(
        st.tuples(
            st.integers(-(2**63), 2**63 - 1),
            st.floats(),
            st.floats(allow_nan=False, allow_infinity=False, width=32),
        ),
        max_size=20,
        unique_by=lambda point: point[0],
    )
)
def test_rows_and_columns_are_equal(points: list[tuple[int, float, float]]) -> None:
    store = FakeStore()
    job = store.add("./a")
    points.sort()
    job.append("loss", [step for step, _, _ in points], [value for _, value, _ in points])
    job.scalars["loss"].wall_time[:] = [wall_time for _, _, wall_time in points]
    client = create_app(Config("/data/summaries"), store).test_client()
    rows = ask(client, format="rows")["scalars"][0]
    columns = ask(client, format="columns")["scalars"][0]
    for name in ("step", "wall_time", "value"):
        assert [row[name] for row in rows["values"]] == columns["values"][name]
    assert rows["non_finite"] == columns["non_finite"]
    served = columns["values"]["value"]
    for index, name in columns["non_finite"]:
        assert served[index] is None
        served[index] = NAMES[name]
    assert repr(served) == repr([float(value) for _, value, _ in points])
    assert columns["values"]["step"] == [step for step, _, _ in points]


def test_restarts_all_marks_superseded_points(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1, 2, 3, 2], [1.0, 2.0, 3.0, 4.0])
    assert steps(ask(client)) == [1, 2]
    answer = ask(client, restarts="all")
    rows = answer["scalars"][0]["values"]
    assert [(row["step"], row["superseded"]) for row in rows] == [
        (1, False),
        (2, True),
        (3, True),
        (2, False),
    ]
    columns = ask(client, restarts="all", format="columns")["scalars"][0]["values"]
    assert columns["superseded"] == [False, True, True, False]
    response = client.get(
        f"{ROUTE}?train_id=./a&tag=loss/scalar&restarts=all&since={answer['cursor']}"
    )
    assert response.status_code == 400


def test_too_many_points_are_rejected(
    store: FakeStore,
    client: FlaskClient,
    prefix: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(scalars_api.MAX_POINTS, "rows", 100)
    monkeypatch.setattr(scalars_api, "MAX_SERIES", 4)
    store.add("./a").append("loss", range(101), [1.0] * 101)
    base = f"{prefix}/datavisual/scalars?train_id=./a&tag=loss/scalar"
    for query in ("max_points=all", "&".join(f"tag={i}" for i in range(4))):
        response = client.get(f"{base}&{query}")
        assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")
    assert client.get(f"{base}&max_points=100").status_code == 200


def test_metadata_equals_scalars_in_our_dialect(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", [1, 2], [1.0, math.nan])
    url = "/v1/mindviz/datavisual/scalar/metadata?train_id=./a&tag=loss/scalar"
    answer = client.get(url).get_json()
    assert [row["step"] for row in answer["metadatas"]] == [1, 2]
    assert (answer["total"], answer["non_finite"]) == (2, [[1, "NaN"]])
    job.append("loss", [3], [1.0])
    new = client.get(f"{url}&since={answer['cursor']}").get_json()
    assert [row["step"] for row in new["metadatas"]] == [3]


def test_arrow_is_selected_by_argument_or_accept(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1.0])
    arrow = "application/vnd.apache.arrow.stream"
    url = f"{ROUTE}?train_id=./a&tag=loss/scalar"
    by_argument = client.get(f"{url}&format=arrow")
    by_accept = client.get(url, headers={"Accept": f"{arrow}, application/json;q=0.5"})
    assert by_argument.content_type == by_accept.content_type == arrow
    assert by_argument.data == by_accept.data
    assert client.get(url, headers={"Accept": "*/*"}).is_json
    assert client.get(url, headers={"Accept": "text/html"}).is_json
    assert client.get(f"{url}&format=rows", headers={"Accept": arrow}).is_json


def test_smoothing_uses_all_points_regardless_of_the_selection(
    store: FakeStore, client: FlaskClient
) -> None:
    values = [float(i * i % 97) for i in range(400)]
    store.add("./a").append("loss", range(400), values)
    for smoothing in ("ema:0.9", "twema:0.9", "mean:9", "gaussian:3"):
        whole = ask(client, smoothing=smoothing, max_points="all")
        by_step = dict(zip(steps(whole), smoothed(whole), strict=True))
        for few in ({"max_points": 40}, {"start_step": 100, "end_step": 120}):
            part = ask(client, smoothing=smoothing, **few)
            assert smoothed(part) == [by_step[step] for step in steps(part)]
        columns = ask(client, smoothing=smoothing, max_points="all", format="columns")
        assert columns["scalars"][0]["values"]["smoothed"] == smoothed(whole)


def test_an_invalid_smoothing_is_rejected(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1.0])
    answer = client.get(f"{ROUTE}?train_id=./a&tag=loss/scalar&smoothing=strong")
    assert answer.status_code == 400
    assert "ema:number up to 0.9999" in answer.get_json()["error_msg"]
