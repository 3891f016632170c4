"""File names that are not UTF-8: every route, export and command works."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.cli.inspection import inspect_logs
from mindviz.config import Config
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.lineage_logs import evaluation, training, write_mindspore_job
from tests.written_logs import events, loaded, tensorboard_log

ODD = os.fsdecode(b"run\xff\x80%FF")
PREFIX = "/v1/mindviz"
LOGS = [
    (b"\xff.tfevents.1", tensorboard_log([(0, 1.0), (1, 2.0), (2, float("nan"))])),
    (b"\xfe.tfevents.2", tensorboard_log([(0, 3.0), (1, 4.0)], start=1_001.0)),
    (b"\xfd.tfevents.3", tensorboard_log([(0, 5.0)], tag="cut")[:-3]),
    (b"\xfc.tfevents.4", events([(0, 5.0)], tag="timeless", start=float("nan"))),
    (b"\xfb.tfevents.5", b""),
    (b"\xfa.tfevents.6", b"version https://git-lfs.github.com/spec/v1\n" * 40),
    (
        b"\xf9.tfevents.7",
        frames(
            [
                tensorboard.event(1.0, 0, [tensorboard.scalar(b"tag\xff", 1.0)]),
                tensorboard.event(1.0, 0, [tensorboard.text(b"text\xff", "x")]),
                tensorboard.event(1.0, 1, [tensorboard.image_v1("image", b"\x89PNG", 1, 1)]),
            ],
            Framing.TFRECORD,
        ),
    ),
    # ir_version 1, and a graph with one node.
    (b"ms_output_\xff.pb", bytes.fromhex("080122050a030a0131")),
    (b"projector_config.pbtxt", b'embeddings { tensor_path: "\xff.tsv" }'),
]


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("logs") / os.fsdecode(b"base\xff")
    job = base / ODD / ODD
    try:
        job.mkdir(parents=True)
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    for name, content in LOGS:
        (job / os.fsdecode(name)).write_bytes(content)
    (base / "link").symlink_to(os.fsdecode(b"nowhere\xff"))
    (base / os.fsdecode(b"\xff.tfevents.8")).symlink_to("/")
    write_mindspore_job(base / ODD / "lineage", training(), evaluation({"accuracy": 0.5}))
    for path in (base / ODD / "lineage").iterdir():
        path.rename(path.with_name(ODD + path.name))
    return base


@pytest.fixture(scope="module")
def store(base_dir: Path) -> LogStore:
    return loaded(base_dir)


@pytest.fixture(scope="module")
def client(base_dir: Path, store: LogStore) -> FlaskClient:
    config = Config(base_dir, workspace=base_dir.parent / "work")
    return create_app(config, store).test_client()


def series(store: LogStore) -> Iterator[tuple[str, str, str]]:
    for info in store.list_train_jobs():
        for plugin_name, tags in store.list_tags(info.train_id).items():
            for tag in tags:
                yield info.train_id, plugin_name, tag


def contract_queries(train_id: str, tag: str) -> dict[str, dict[str, Any]]:
    series = {"train_id": train_id, "tag": tag}
    return {
        "/datavisual/scalars": series | {"tag": f"{tag}/scalar"},
        "/datavisual/scalar/metadata": series | {"tag": f"{tag}/scalar"},
        "/datavisual/scalars/restarts": series,
        "/datavisual/image/metadata": series | {"tag": f"{tag}/image"},
        "/datavisual/image/single-image": series | {"tag": f"{tag}/image", "step": 1},
        "/datavisual/histograms": series | {"tag": f"{tag}/histogram"},
        "/datavisual/tensors": series | {"tag": f"{tag}/tensor"},
        "/datavisual/graphs/nodes": series,
        "/datavisual/graphs/nodes/all": series,
        "/graphs/tags": series,
        "/graphs/scope": series,
        "/graphs/plain": series,
    }


def own_queries(train_id: str, plugin_name: str, tag: str) -> dict[str, dict[str, Any]]:
    series = {"train_id": train_id, "tag": tag}
    return {
        f"/series/{plugin_name}": series,
        f"/series/{plugin_name}/values": series,
        f"/series/{plugin_name}/tags": {"train_id": train_id},
        f"/series/{plugin_name}/overview": {"train_id": train_id},
        f"/series/{plugin_name}/blob": series | {"step": 0},
        f"/series/{plugin_name}/npy": series | {"step": 0},
    }


def answered(client: FlaskClient, path: str, query: dict[str, Any]) -> bytes:
    response = client.get(PREFIX + path, query_string=query)
    assert response.status_code < 500, (path, query, response.data[:300])
    if response.is_json:
        json.loads(response.data.decode("utf-8"))
    body: bytes = response.data
    return body


def test_all_jobs_and_tags_are_found(store: LogStore) -> None:
    listed = {(plugin_name, tag) for _, plugin_name, tag in series(store)}
    assert {("scalar", "loss"), ("scalar", "tag\ufffd"), ("graph", "ms_output_%FF.pb")} <= listed
    writers = store.read_scalars("./run%FF%80%25FF/run%FF%80%25FF", "loss").writers
    assert writers == ("%FF.tfevents.1", "%FE.tfevents.2")


def test_every_route_about_a_series_answers(client: FlaskClient, store: LogStore) -> None:
    requested = 0
    for train_id, plugin_name, tag in series(store):
        queries = contract_queries(train_id, tag) | own_queries(train_id, plugin_name, tag)
        for path, query in queries.items():
            answered(client, path, query)
            requested += 1
        if plugin_name == "scalar":
            for writer in store.read_scalars(train_id, tag).writers:
                query = {"train_id": train_id, "tag": f"{tag}/scalar", "writer": writer}
                for format_ in ("points", "columns", "arrow"):
                    answered(client, "/datavisual/scalars", query | {"format": format_})
    assert requested > 50


def test_every_route_about_all_jobs_answers(client: FlaskClient, store: LogStore) -> None:
    for path in (
        "/status",
        "/plugins",
        "/experiments",
        "/findings",
        "/datavisual/train-jobs",
        "/datavisual/train-job-columns",
        "/data/experiment",
        "/data/plugins",
        "/data/train-jobs",
        "/data/lineage",
        "/lineagemgr/lineage-columns",
    ):
        answered(client, path, {})
    for info in store.list_train_jobs():
        answered(client, "/findings", {"train_id": info.train_id})
        answered(client, "/datasets/dataset_graph", {"train_id": info.train_id})
        answered(client, "/datavisual/plugins", {"train_id": info.train_id})
        for problem in info.problems:
            query = {"train_id": info.train_id, "path": problem.path, "offset": problem.offset or 0}
            answered(client, "/findings/place", query)
    for path, body in {
        "/lineagemgr/lineages": {},
        "/optimizer/targets/search": {},
        "/data/series": {},
        "/data/scalars": {"plugin_name": "scalars"},
        "/data/tensors": {"plugin_name": "text"},
        "/data/blob-sequences": {"plugin_name": "graphs"},
        "/datavisual/train-job-caches": {"train_ids": ["./"]},
    }.items():
        response = client.post(PREFIX + path, json=body)
        assert response.status_code < 500, (path, response.data[:300])


@pytest.mark.parametrize("format_", ["csv", "json", "npz", "parquet"])
@pytest.mark.parametrize("what", ["scalar", "lineage", "text", "image", "tensor", "graph"])
def test_every_export_answers(client: FlaskClient, format_: str, what: str) -> None:
    if format_ == "parquet":
        pytest.importorskip("pyarrow")
    answered(client, "/datavisual/export", {"format": format_, "what": what})


def test_inspection_is_json(base_dir: Path) -> None:
    config = Config(base_dir, workspace=base_dir.parent / "work")
    json.dumps(inspect_logs(config, native=False).as_json(), default=str).encode()
