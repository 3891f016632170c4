"""Tensors as NumPy files."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.plugins import tensor as tensor_plugin
from mindviz.summary import SummaryRecord
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.proto import tensorboard_pb2 as proto
from tests.written_logs import loaded, write

URL = "/v1/mindviz/series/tensor/npy"
CUBE = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
ARRAY = np.array([[1.5, np.nan], [-np.inf, 0.1]], np.float32)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("tensor", "kernel", ARRAY)
        record.record(7)
    invented = tensorboard.tensor(
        "cube", CUBE, plugin_name="acme/lab", data_class=proto.DATA_CLASS_TENSOR
    )
    event = tensorboard.event(1.0, 7, [invented])
    write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
    return create_app(Config(tmp_path), loaded(tmp_path)).test_client()


def test_numpy_reads_all_elements_as_logged(client: FlaskClient) -> None:
    response = client.get(URL, query_string={"train_id": "./", "tag": "kernel", "step": 7})
    assert response.status_code == 200
    found = np.load(io.BytesIO(response.data), allow_pickle=False)
    np.testing.assert_array_equal(found, ARRAY)
    assert found.dtype == np.float32


def test_a_short_entry_that_declares_a_large_tensor_is_rejected(tmp_path: Path) -> None:
    shape = proto.TensorShapeProto(dim=[proto.TensorShapeProto.Dim(size=1 << 40)])
    claims = {
        "numbers": proto.TensorProto(dtype=proto.DT_FLOAT, tensor_shape=shape),
        "texts": proto.TensorProto(dtype=proto.DT_STRING, tensor_shape=shape, string_val=[b"x"]),
    }
    plugin = proto.SummaryMetadata(data_class=proto.DATA_CLASS_TENSOR)
    plugin.plugin_data.plugin_name = "acme"
    values = [
        proto.Summary.Value(tag=tag.encode(), tensor=tensor, metadata=plugin).SerializeToString()
        for tag, tensor in claims.items()
    ]
    write(tmp_path, "tfevents.1", frames([tensorboard.event(1.0, 7, values)], Framing.TFRECORD))
    client = create_app(Config(tmp_path), loaded(tmp_path)).test_client()
    url = "/v1/mindviz/series/acme"
    numbers = {"train_id": "./", "tag": "numbers", "step": 7}
    refused = client.get(f"{url}/npy", query_string=numbers)
    assert (refused.status_code, refused.get_json()["error_code"]) == (400, "50545016")
    part = client.get(f"{url}/npy", query_string={**numbers, "dims": "[5:8]"})
    assert np.load(io.BytesIO(part.data)).tolist() == [0, 0, 0]
    texts = {"train_id": "./", "tag": "texts", "step": 7}
    for route in ("npy", "blob"):
        assert client.get(f"{url}/{route}", query_string=texts).status_code == 404


@pytest.mark.parametrize(
    ("dims", "part"),
    [(None, CUBE), ("[:, 1:3, ::2]", CUBE[:, 1:3, ::2]), ("[0, 0, -1]", CUBE[0, 0, -1])],
)
def test_slices_of_large_tensors_of_all_plugins(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, dims: str | None, part: object
) -> None:
    monkeypatch.setattr(tensor_plugin, "MAX_ELEMENTS", 10)
    query = {"train_id": "./", "tag": "cube", "step": 7, **({"dims": dims} if dims else {})}
    response = client.get("/v1/mindviz/series/acme/lab/npy", query_string=query)
    assert response.status_code == 200
    found = np.load(io.BytesIO(response.data), allow_pickle=False)
    np.testing.assert_array_equal(found, part)
    assert found.dtype == np.int16


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"train_id": "./", "tag": "kernel", "step": 8}, 404),
        ({"train_id": "./", "tag": "nothing", "step": 7}, 404),
        ({"train_id": "./no", "tag": "kernel", "step": 7}, 404),
        ({"train_id": "./", "tag": "kernel"}, 400),
        ({"train_id": "./", "tag": "kernel", "step": "x"}, 400),
        ({"train_id": "./", "tag": "kernel", "step": 7, "dims": "[0]"}, 400),
        ({"train_id": "./", "tag": "kernel", "step": 7, "dims": "[2, 0]"}, 400),
        ({"train_id": "./", "tag": "kernel", "step": 7, "dims": "0, 0"}, 400),
    ],
)
def test_missing_objects_are_not_found(
    client: FlaskClient, query: dict[str, object], status: int
) -> None:
    response = client.get(URL, query_string=query)
    assert response.status_code == status
    assert response.get_json()["error_msg"]
