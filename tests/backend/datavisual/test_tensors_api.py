"""Tensors over HTTP."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.datavisual import tensors_api
from mindviz.datavisual.series.time_series import Tensor
from tests.store_fake import START, FakeStore

QUERY = "train_id=./a&tag=w/tensor"
STATISTICS = {
    "max",
    "min",
    "avg",
    "count",
    "nan_count",
    "neg_inf_count",
    "pos_inf_count",
    "overall_max",
    "overall_min",
    "overall_avg",
    "overall_count",
    "overall_nan_count",
    "overall_neg_inf_count",
    "overall_pos_inf_count",
    "overall_zero_count",
    "overall_neg_zero_count",
    "overall_pos_zero_count",
}


@pytest.fixture(autouse=True)
def tensors(store: FakeStore) -> None:
    first = np.arange(6, dtype=np.float32).reshape(2, 3)
    second = np.array([[np.nan, np.inf, -np.inf], [1, 2, 3]], dtype=np.float32)
    store.add("./a").add_values(
        "tensor", "w", [1, 2], [Tensor(first, "DT_FLOAT32"), Tensor(second, "DT_FLOAT32")]
    )


def values(client: FlaskClient, prefix: str, query: str) -> list[dict[str, Any]]:
    answer = client.get(f"{prefix}/datavisual/tensors?{QUERY}&{query}").get_json()
    assert list(answer) == ["tensors"]
    (item,) = answer["tensors"]
    assert list(item) == ["train_id", "tag", "values"]
    rows: list[dict[str, Any]] = item["values"]
    assert all(list(row) == ["wall_time", "step", "value"] for row in rows)
    return rows


def test_without_detail_the_shape_of_every_step(client: FlaskClient, prefix: str) -> None:
    rows = values(client, prefix, "")
    assert [(row["wall_time"], row["step"]) for row in rows] == [(START + 1, 1), (START + 2, 2)]
    assert rows[0]["value"] == {"dims": [2, 3], "data_type": "DT_FLOAT32"}


def test_statistics_have_the_contracts_keys(client: FlaskClient, prefix: str) -> None:
    first, second = values(client, prefix, "detail=stats")
    assert set(first["value"]) == {"dims", "data_type", "statistics"}
    assert set(first["value"]["statistics"]) == STATISTICS
    assert (first["value"]["statistics"]["max"], second["value"]["statistics"]["max"]) == (5, 3)
    assert second["value"]["statistics"]["nan_count"] == 1


def test_a_slice_and_its_statistics(client: FlaskClient, prefix: str) -> None:
    (row,) = values(client, prefix, "detail=data&step=1&dims=[1,:]")
    assert row["value"]["data"] == [3, 4, 5]
    assert row["value"]["dims"] == [2, 3]
    assert row["value"]["statistics"]["min"] == 3
    assert row["value"]["statistics"]["overall_min"] == 0
    (row,) = values(client, prefix, "detail=data&step=2&dims=[0,:]")
    assert row["value"]["data"] == ["NAN", "INF", "-INF"]
    (row,) = values(client, prefix, "detail=data&step=1&dims=[-1,-1]")
    assert row["value"]["data"] == 5


def test_histograms_are_buckets_of_left_width_and_count(client: FlaskClient, prefix: str) -> None:
    rows = values(client, prefix, "detail=histogram")
    assert set(rows[0]["value"]) == {"dims", "data_type", "statistics", "histogram_buckets"}
    buckets = rows[0]["value"]["histogram_buckets"]
    assert all(len(bucket) == 3 for bucket in buckets)
    assert sum(count for _, _, count in buckets) >= 6
    assert [bucket[:2] for bucket in buckets] == [
        bucket[:2] for bucket in rows[1]["value"]["histogram_buckets"]
    ]


def test_a_damaged_step_is_omitted(store: FakeStore, client: FlaskClient, prefix: str) -> None:
    store.jobs["./a"].damage("tensor", "w", 0)
    for detail in ("", "detail=stats", "detail=histogram"):
        assert [row["step"] for row in values(client, prefix, detail)] == [2]
    response = client.get(f"{prefix}/datavisual/tensors?{QUERY}&detail=data&step=1&dims=[0,0]")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545015")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (np.array([True, False]), [True, False]),
        (np.array([1, 2], dtype=np.int8), [1, 2]),
        (np.array([0.5], dtype=np.float16), [0.5]),
        (np.array(["ü"], dtype=np.str_), ["ü"]),
        (np.array([b"\xff"], dtype=np.object_), ["\N{REPLACEMENT CHARACTER}"]),
        (np.array([1 + 2j]), ["(1+2j)"]),
    ],
    ids=lambda array: str(getattr(array, "dtype", "")),
)
def test_elements_of_all_types_are_encoded(
    store: FakeStore, client: FlaskClient, data: Any, expected: list[Any]
) -> None:
    store.jobs["./a"].add_values("tensor", "w", [7], [Tensor(data, "DT_X")])
    (row,) = values(client, "/v1/mindviz", "detail=data&step=7&dims=[:]")
    assert row["value"]["data"] == expected


def test_only_the_contract_treats_booleans_as_numbers(
    store: FakeStore, client: FlaskClient
) -> None:
    mask = Tensor(np.array([[True, False, False]]), "DT_BOOL")
    store.jobs["./a"].add_values("tensor", "w", [7], [mask])
    for detail in ("stats", "histogram", "data&step=7&dims=[0,:]"):
        (theirs,) = values(client, "/v1/mindinsight", f"detail={detail}")
        (ours,) = values(client, "/v1/mindviz", f"detail={detail}")
        assert set(theirs["value"]["statistics"]) == STATISTICS
        assert theirs["value"]["statistics"]["overall_avg"] == pytest.approx(1 / 3)
        assert ours["value"]["statistics"] == {
            "overall_count": 3,
            "overall_true_count": 1,
            "overall_false_count": 2,
        }
        assert theirs["value"].get("data") == ([1.0, 0.0, 0.0] if "data" in detail else None)
        assert ours["value"].get("data") == ([True, False, False] if "data" in detail else None)


def test_the_step_is_ignored_except_for_data(client: FlaskClient, prefix: str) -> None:
    for detail in ("", "detail=stats", "detail=histogram"):
        assert len(values(client, prefix, f"{detail}&step=[]&dims=x")) == 2


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("train_id=./a", "50540003"),
        ("tag=w/tensor", "50540003"),
        ("train_id=./b&tag=w/tensor", "50545005"),
        ("train_id=./a&tag=v/tensor", "50545012"),
        ("train_id=./a&tag=w", "50545012"),
        (f"{QUERY}&detail=all", "50540002"),
        (f"{QUERY}&detail=data", "50540003"),
        (f"{QUERY}&detail=data&step=1", "50540003"),
        (f"{QUERY}&detail=data&step=&dims=[0,0]", "50540003"),
        (f"{QUERY}&detail=data&step=x&dims=[0,0]", "50540001"),
        (f"{QUERY}&detail=data&step=5&dims=[0,0]", "50545014"),
        (f"{QUERY}&detail=data&step=1&dims=0,0", "50540002"),
        (f"{QUERY}&detail=data&step=1&dims=[0]", "50540002"),
        (f"{QUERY}&detail=data&step=1&dims=[2,0]", "50540002"),
        (f"{QUERY}&detail=data&step=1&dims=[a,b]", "50540002"),
    ],
)
def test_invalid_requests_have_the_contracts_codes(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/datavisual/tensors?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


def test_large_slices_and_many_series_are_rejected(
    store: FakeStore, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = Tensor(np.zeros((400, 400)), "DT_FLOAT64")
    store.jobs["./a"].add_values("tensor", "w", [1], [large])
    base = f"/v1/mindviz/datavisual/tensors?{QUERY}"
    response = client.get(f"{base}&detail=data&step=1&dims=[:,:]")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")
    monkeypatch.setattr(tensors_api, "MAX_SERIES", 1)
    response = client.get(f"{base}&tag=other/tensor")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545013")
