"""What lies near a point of an embedding."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.summary import Embedding, SummaryRecord
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


def test_the_nearest_come_first_by_the_distance_asked_for(client: FlaskClient) -> None:
    answer = client.get(URL, query_string={**WORDS, "point": 0}).get_json()
    assert answer["index"] == [1, 3, 2]
    assert answer["distance"] == pytest.approx([0, 1 - 1 / np.sqrt(1.01), 1], abs=1e-8)
    query = {**WORDS, "point": 0, "distance": "euclidean", "most": 2}
    answer = client.get(URL, query_string=query).get_json()
    assert answer["index"] == [3, 5]
    assert answer["distance"] == pytest.approx([0.1, 1])


@pytest.mark.parametrize("changed", [{"point": 6}, {"distance": "far"}, {"most": 0}, {"step": 8}])
def test_what_is_not_there_is_told(client: FlaskClient, changed: dict[str, object]) -> None:
    response = client.get(URL, query_string={**WORDS, "point": 0, **changed})
    assert response.status_code == (404 if "step" in changed else 400)
    assert response.get_json()["error_msg"]


def test_vectors_are_had_as_a_numpy_file(client: FlaskClient) -> None:
    query = {**WORDS, "dims": "[::2, :]"}
    response = client.get("/v1/mindviz/series/embedding/npy", query_string=query)
    found = np.load(io.BytesIO(response.data))
    np.testing.assert_array_equal(found, POINTS[::2])
    assert found.dtype == np.float32
