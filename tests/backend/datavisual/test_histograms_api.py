"""Histograms over HTTP."""

from __future__ import annotations

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.datavisual.series.time_series import Histogram
from tests.store_fake import START, FakeStore

QUERY = "train_id=./a&tag=weights/histogram"


def histogram(*buckets: tuple[float, float, float]) -> Histogram:
    return Histogram(np.array(buckets, dtype=np.float64).reshape(-1, 3))


def test_all_steps_have_the_same_buckets(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    steps = [histogram((0.0, 1.0, 4.0)), histogram((1.0, 2.0, 2.0)), histogram()]
    store.add("./a").add_values("histogram", "weights", [1, 2, 3], steps)
    answer = client.get(f"{prefix}/datavisual/histograms?{QUERY}").get_json()
    assert list(answer) == ["train_id", "tag", "histograms"]
    assert (answer["train_id"], answer["tag"]) == ("./a", "weights/histogram")
    rows = answer["histograms"]
    assert [list(row) for row in rows] == [["wall_time", "step", "buckets"]] * 3
    assert [row["wall_time"] for row in rows] == [START + 1, START + 2, START + 3]
    # Four values make two buckets, over the range of all steps.
    assert [row["buckets"] for row in rows] == [
        [[0.0, 1.0, 4], [1.0, 1.0, 0]],
        [[0.0, 1.0, 0], [1.0, 1.0, 2]],
        [[0.0, 1.0, 0], [1.0, 1.0, 0]],
    ]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("train_id=./a", "50540003"),
        ("train_id=./a&tag=biases/histogram", "5054500F"),
        ("train_id=./a&tag=weights", "5054500F"),
        ("train_id=./b&tag=weights/histogram", "50545005"),
    ],
)
def test_missing_objects_have_the_contracts_code(
    store: FakeStore, client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    store.add("./a").add_values("histogram", "weights", [1], [histogram()])
    response = client.get(f"{prefix}/datavisual/histograms?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)
