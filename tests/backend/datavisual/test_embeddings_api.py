"""Embeddings over HTTP."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.summary import Embedding, SummaryRecord
from tests.backend.test_arrow_stream import read
from tests.written_logs import loaded

URL = "/v1/mindviz/datavisual/embeddings/neighbours"
WORDS = {"train_id": "./", "tag": "words", "step": 7}
POINTS = np.array([[1, 0], [10, 0], [0, 1], [1, 0.1], [np.nan, 1], [0, 0]], np.float32)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("embedding", "words", Embedding(POINTS, list("abcdef")))
        record.record(7)
    return create_app(Config(tmp_path), loaded(tmp_path)).test_client()


def test_neighbors_are_sorted_by_the_requested_distance(client: FlaskClient) -> None:
    answer = client.get(URL, query_string={**WORDS, "point": 0}).get_json()
    assert answer["index"] == [1, 3, 2]
    assert answer["distance"] == pytest.approx([0, 1 - 1 / np.sqrt(1.01), 1], abs=1e-8)
    query = {**WORDS, "point": 0, "distance": "euclidean", "most": 2}
    answer = client.get(URL, query_string=query).get_json()
    assert answer["index"] == [3, 5]
    assert answer["distance"] == pytest.approx([0.1, 1])


@pytest.mark.parametrize("changed", [{"point": 6}, {"distance": "far"}, {"most": 0}, {"step": 8}])
def test_missing_objects_are_not_found(client: FlaskClient, changed: dict[str, object]) -> None:
    response = client.get(URL, query_string={**WORDS, "point": 0, **changed})
    assert response.status_code == (404 if "step" in changed else 400)
    assert response.get_json()["error_msg"]


def test_vectors_are_available_as_a_numpy_file(client: FlaskClient) -> None:
    query = {**WORDS, "dims": "[::2, :]"}
    response = client.get("/v1/mindviz/series/embedding/npy", query_string=query)
    found = np.load(io.BytesIO(response.data))
    np.testing.assert_array_equal(found, POINTS[::2])
    assert found.dtype == np.float32


def test_points_and_labels_are_columns(client: FlaskClient) -> None:
    url = "/v1/mindviz/datavisual/embeddings/points"
    response = client.get(url, query_string=WORDS)
    assert response.content_type == "application/vnd.apache.arrow.stream"
    about, columns = read(response.data)
    assert list(columns) == ["x", "y", "z", "label0"]
    assert np.isfinite(columns["x"]).tolist() == [True] * 4 + [False, True]
    assert sum(about["explained"]) == pytest.approx(1)
    [labels] = about["labels"]
    assert [labels["values"][code] for code in columns["label0"]] == list("abcdef")
    about, some = read(client.get(url, query_string={**WORDS, "sample": 4}).data)
    assert about["every"] == 2
    assert some["x"].tolist()[:2] == columns["x"].tolist()[:4:2]
    assert client.get(url, query_string={**WORDS, "step": 8}).status_code == 404
