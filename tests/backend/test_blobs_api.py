"""Blobs by key, streamed from real logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.golden.write_golden import PNG
from tests.sounds import wav
from tests.written_logs import loaded, write

CLIP = wav(np.arange(3000, dtype=np.int16))


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    values = [
        tensorboard.image("i", [PNG, PNG + b"!"], 3, 2),
        tensorboard.audio("a", [CLIP]),
    ]
    log = frames([tensorboard.event(1e9, 5, values)], Framing.TFRECORD)
    write(tmp_path, "events.out.tfevents.1", log)
    store = loaded(tmp_path)
    return create_app(Config(tmp_path), store).test_client()


def values_of(client: FlaskClient, plugin_name: str, tag: str, **query: str) -> Any:
    url = f"/v1/mindviz/series/{plugin_name}/values"
    response = client.get(url, query_string={"train_id": "./", "tag": tag, **query})
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def test_values_of_images_and_audio_are_blob_keys(client: FlaskClient) -> None:
    images = values_of(client, "image", "i")
    assert (images["type"], images["size"]) == ("image", [3, 2])
    keys = images["blob_keys"][0]
    for prefix in ("/v1/mindviz/data/blob", "/data/blob"):
        found = [client.get(f"{prefix}/{key}") for key in keys]
        assert [one.data for one in found] == [PNG, PNG + b"!"]
        assert found[0].content_type == "image/png"
    (item,), (meta,) = values_of(client, "audio", "a", format="unified")
    assert meta == {"type": "audio", "size": [3000], "tag": "a"}
    clip = client.get(f"/data/blob/{item['data'][0]}")
    assert (clip.data, clip.content_type) == (CLIP, "audio/wav")


def test_ranges_and_unchanged_blobs(client: FlaskClient) -> None:
    ((key,),) = values_of(client, "audio", "a")["blob_keys"]
    part = client.get(f"/data/blob/{key}", headers={"Range": "bytes=1000-1999"})
    assert (part.status_code, part.data) == (206, CLIP[1000:2000])
    etag = part.headers["ETag"]
    again = client.get(f"/data/blob/{key}", headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")


def test_a_forged_key_is_not_found(client: FlaskClient) -> None:
    ((key,),) = values_of(client, "audio", "a")["blob_keys"]
    other = "A" if key[-1] != "A" else "B"
    for forged in (key[:-1] + other, key[:-4], "x", "..%2f..%2fetc%2fpasswd", "%00"):
        response = client.get(f"/data/blob/{forged}")
        assert response.status_code in (400, 404)
        assert "error_code" in response.get_json()
    assert client.get(f"/data/blob/{key[:-1] + other}").status_code == 404


def test_a_damaged_blob_is_an_error(client: FlaskClient, tmp_path: Path) -> None:
    ((key,),) = values_of(client, "audio", "a")["blob_keys"]
    path = tmp_path / "events.out.tfevents.1"
    log = bytearray(path.read_bytes())
    log[log.index(CLIP) + 500] ^= 1
    path.write_bytes(bytes(log))
    response = client.get(f"/data/blob/{key}")
    assert (response.status_code, response.get_json()["error_code"]) == (404, "50545015")
