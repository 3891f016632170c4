"""Exports over HTTP: the same files as on the command line, streamed."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.datavisual.exports_api import MAX_EXPORTS
from mindviz.datavisual.series.time_series import Tensor
from tests.exported_files import csv_rows, exported, json_rows, npz_arrays, parquet_rows
from tests.mindviz_process import Mindviz
from tests.store_fake import FakeStore
from tests.written_logs import tensorboard_log, write

URL = "/v1/mindviz/datavisual/export"


@pytest.fixture(autouse=True)
def jobs(store: FakeStore) -> None:
    for train_id in ("./a", "./b"):
        job = store.add(train_id)
        for tag in ("loss", "lr"):
            job.append(tag, range(100), [0.5] * 100)
    store.jobs["./a"].add_values("tensor", "weights", [0], [Tensor(np.zeros((2, 2)), "DT_FLOAT64")])


@pytest.mark.parametrize(
    ("output_format", "content_type", "name"),
    [
        ("csv", "text/csv; charset=utf-8", "scalars.csv"),
        ("json", "application/json", "scalars.json"),
        ("npz", "application/octet-stream", "scalars.npz"),
        ("parquet", "application/vnd.apache.parquet", "scalars.parquet"),
    ],
)
def test_the_response_equals_the_file_of_the_command_line(
    client: FlaskClient,
    store: FakeStore,
    output_format: str,
    content_type: str,
    name: str,
) -> None:
    pytest.importorskip("pyarrow")
    response = client.get(f"{URL}?what=scalars&format={output_format}")
    assert response.status_code == 200
    assert response.content_type == content_type
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    if output_format == "npz":  # zip entries contain dates
        assert npz_arrays(response.data)["step_3"].tolist() == list(range(100))
    else:
        assert response.data == exported(store, "scalars", output_format)


def test_jobs_and_tags_are_selected_by_expressions(client: FlaskClient) -> None:
    query = {"what": "scalars", "format": "json", "train_id": "^./b$", "tag": "^l(oss|x)"}
    rows = json_rows(client.get(URL, query_string=query).data)
    assert {(row["train_id"], row["tag"]) for row in rows} == {("./b", "loss")}


def test_jobs_are_selected_by_id(client: FlaskClient) -> None:
    query = {"what": "scalars", "format": "csv", "tag": "^loss$", "job": ["./b", "./gone"]}
    rows = csv_rows(client.get(URL, query_string=query).data)
    assert {row["train_id"] for row in rows} == {"./b"}
    assert client.get(URL, query_string={**query, "train_id": "a"}).status_code == 404


def test_points_replaced_by_restarts_can_be_exported(client: FlaskClient, store: FakeStore) -> None:
    store.jobs["./a"].append("again", [0, 1, 0], [1.0, 2.0, 3.0])
    query = {"what": "scalars", "format": "csv", "tag": "again", "restarts": "all"}
    assert len(csv_rows(client.get(URL, query_string=query).data)) == 3


def test_lineage_is_exported_too(client: FlaskClient) -> None:
    pytest.importorskip("pyarrow")
    rows = parquet_rows(client.get(f"{URL}?what=lineage&format=parquet&tag=^lr$").data)
    assert [row["scalar/lr/last"] for row in rows] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({}, 400, "50540003"),
        ({"what": "scalars"}, 400, "50540003"),
        ({"what": "scalars", "format": "xlsx"}, 400, "50540002"),
        ({"what": "sounds", "format": "csv"}, 400, "50540002"),
        ({"what": "tensors", "format": "csv"}, 400, "50540002"),
        ({"what": "scalars", "format": "csv", "tag": "("}, 400, "50540002"),
        ({"what": "scalars", "format": "csv", "tag": "x" * 1001}, 400, "50540002"),
        ({"what": "scalars", "format": "csv", "limit": "1"}, 400, "50540002"),
        ({"what": "images", "format": "csv"}, 404, "50540004"),
        ({"what": "scalars", "format": "csv", "train_id": "c"}, 404, "50540004"),
    ],
)
def test_errors_are_reported_before_the_response_starts(
    client: FlaskClient, query: dict[str, str], status: int, code: str
) -> None:
    response = client.get(URL, query_string=query)
    assert (response.status_code, response.get_json()["error_code"]) == (status, code)


def test_without_pyarrow_the_error_names_the_extra(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    response = client.get(f"{URL}?what=scalars&format=parquet")
    assert response.status_code == 400
    assert "mindviz[export]" in response.get_json()["error_msg"]


def test_the_contract_has_no_export(client: FlaskClient) -> None:
    url = "/v1/mindinsight/datavisual/export?what=scalars&format=csv"
    assert client.get(url).status_code == 404


def test_it_is_streamed(client: FlaskClient, store: FakeStore) -> None:
    for i in range(200):
        store.jobs["./a"].append(f"more/{i}", range(100), [0.1] * 100)
    response = client.get(f"{URL}?what=scalars&format=csv", buffered=False)
    pieces: Any = response.iter_encoded()
    assert next(pieces).startswith(b"train_id,tag,")
    assert 0 < store.reads < 200
    response.close()


@pytest.mark.parametrize(
    ("output_format", "packs"), [("csv", True), ("json", True), ("npz", False)]
)
def test_text_is_compressed_for_remote_clients(
    client: FlaskClient, store: FakeStore, output_format: str, packs: bool
) -> None:
    url = f"{URL}?what=scalars&format={output_format}"
    takes = {"Accept-Encoding": "gzip"}
    elsewhere = {"REMOTE_ADDR": "192.0.2.1"}
    near = client.get(url, headers=takes, environ_overrides={"REMOTE_ADDR": "127.0.0.1"})
    refuses = client.get(url, environ_overrides=elsewhere)
    assert "Content-Encoding" not in {*near.headers.keys(), *refuses.headers.keys()}
    far = client.get(url, headers=takes, environ_overrides=elsewhere)
    assert far.headers.get("Content-Encoding") == ("gzip" if packs else None)
    assert far.headers["Vary"] == "Accept-Encoding"
    if packs:
        assert gzip.decompress(far.data) == exported(store, "scalars", output_format)


def test_lineage_includes_notes(client: FlaskClient) -> None:
    client.put("/v1/mindviz/lineagemgr/lineages?train_id=./b", json={"remark": "the best"})
    rows = csv_rows(client.get(f"{URL}?what=lineage&format=csv").data)
    assert [row["remark"] for row in rows] == ["", "the best"]


def test_concurrent_exports_are_limited(client: FlaskClient) -> None:
    url = f"{URL}?what=scalars&format=csv"
    running = [client.get(url, buffered=False) for _ in range(MAX_EXPORTS)]
    refused = client.get(url)
    assert (refused.status_code, refused.get_json()["error_code"]) == (429, "50545019")
    running[0].close()  # closed unread, as after a disconnect
    for method in ("GET", "HEAD", "GET"):
        assert client.open(url, method=method, buffered=True).status_code == 200
    for response in running:
        response.close()


def test_a_real_server_sends_it_in_chunks(tmp_path: Path) -> None:
    points = list(zip(range(20_000), itertools.cycle([0.25, 0.5])))
    write(tmp_path / "logs" / "a", "events.out.tfevents.1.host", tensorboard_log(points))
    with Mindviz(tmp_path / "logs", tmp_path / "workspace") as service:
        service.wait_until_loaded()
        status, body = service.request(f"{URL}?what=scalars&format=csv")
    assert status == 200
    rows = csv_rows(body)
    assert [float(row["value"]) for row in rows] == [value for _, value in points]
