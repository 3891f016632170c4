"""Tensors as NumPy files."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.summary import SummaryRecord
from tests.written_logs import loaded

URL = "/v1/mindviz/series/tensor/npy"
ARRAY = np.array([[1.5, np.nan], [-np.inf, 0.1]], np.float32)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("tensor", "kernel", ARRAY)
        record.record(7)
    return create_app(Config(tmp_path), loaded(tmp_path)).test_client()


def test_numpy_reads_every_element_as_logged(client: FlaskClient) -> None:
    response = client.get(URL, query_string={"train_id": "./", "tag": "kernel", "step": 7})
    assert response.status_code == 200
    found = np.load(io.BytesIO(response.data), allow_pickle=False)
    np.testing.assert_array_equal(found, ARRAY)
    assert found.dtype == np.float32


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"train_id": "./", "tag": "kernel", "step": 8}, 404),
        ({"train_id": "./", "tag": "nothing", "step": 7}, 404),
        ({"train_id": "./no", "tag": "kernel", "step": 7}, 404),
        ({"train_id": "./", "tag": "kernel"}, 400),
        ({"train_id": "./", "tag": "kernel", "step": "x"}, 400),
    ],
)
def test_what_is_not_there_is_said(
    client: FlaskClient, query: dict[str, object], status: int
) -> None:
    response = client.get(URL, query_string=query)
    assert response.status_code == status
    assert response.get_json()["error_msg"]
