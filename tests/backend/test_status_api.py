"""The status."""

from __future__ import annotations

import os
import queue
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import mindviz
from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.store import LoadStatus
from tests.http_servers import PATIENCE, ask, get, http_server
from tests.store_fake import FakeStore
from tests.written_logs import events, loaded, tensorboard_log, write

SERIES = "series/scalar?train_id=./a&tag=loss"


def test_status_has_version_scanner_progress_and_problems(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", [1, 2], [1.0, 2.0])
    store.load_status = LoadStatus.LOADING
    store.problems = (Finding(FindingKind.UNREADABLE, "secret", None, "Not permitted."),)
    status = client.get("/v1/mindviz/status").get_json()
    assert status["version"] == mindviz.__version__
    assert status["scanner"] in {"native", "python"}
    assert (status["summary_base_dir"], status["name"]) == ("/data/summaries", "summaries")
    assert (status["load_status"], status["train_jobs"], status["points"]) == ("loading", 1, 2)
    assert {"loaded_train_jobs", "files", "bytes", "bytes_read", "watching"} <= set(status)
    assert status["problem_count"] >= 0
    assert [problem["kind"] for problem in status["problems"]] == ["unreadable"]


def test_an_unchanged_status_is_not_sent_again(store: FakeStore, client: FlaskClient) -> None:
    etag = client.get("/v1/mindviz/status").headers["ETag"]
    again = {"If-None-Match": etag}
    assert client.get("/v1/mindviz/status", headers=again).status_code == 304
    store.add("./a")
    assert client.get("/v1/mindviz/status", headers=again).status_code == 200


def test_the_ui_config_has_no_debugger(client: FlaskClient, prefix: str) -> None:
    assert client.get(f"{prefix}/ui-config").get_json() == {"enable_debugger": False}


@pytest.mark.parametrize("path", ["status", "plugins", "openapi.json", SERIES])
def test_own_routes_reject_unknown_arguments(client: FlaskClient, path: str) -> None:
    response = client.get(f"/v1/mindviz/{path}{'&' if '?' in path else '?'}tga=loss")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50540002")
    assert "tga" in response.get_json()["error_msg"]


@pytest.mark.parametrize(
    "path", ["status", "experiments", "data/experiment", "datavisual/train-jobs"]
)
def test_a_base_dir_with_an_invalid_utf8_name_is_served(tmp_path: Path, path: str) -> None:
    base_dir = tmp_path / os.fsdecode(b"caf\xe9")
    base_dir.mkdir()
    store = loaded(base_dir)
    client = create_app(Config(base_dir), store).test_client()
    response = client.get(f"/v1/mindviz/{path}")
    assert response.status_code == 200
    assert "caf%E9" in response.get_data(as_text=True)


def test_changes_are_answered_at_once_without_a_server(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", [1], [1.0])
    version = client.get("/v1/mindviz/status").get_json()["data_version"]
    changes = client.get(f"/v1/mindviz/changes?after={version}").get_json()
    assert changes == {"data_version": version}
    assert client.get("/v1/mindviz/changes").status_code == 400


def test_changes_wait_for_the_next_version(tmp_path: Path) -> None:
    log = write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    store = loaded(tmp_path)
    app = create_app(Config(tmp_path), store)
    answers: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
    with http_server(app) as port, ExitStack() as waiting:
        version = store.version
        request = get(f"/v1/mindviz/changes?after={version}")
        asking = threading.Thread(target=lambda: answers.put(ask(port, request)))
        asking.start()
        waiting.callback(asking.join)
        assert ask(port, get(f"/v1/mindviz/changes?after={version - 1}")) == (
            200,
            {"data_version": version},
        )
        with log.open("ab") as file:
            file.write(events([(2, 2.0)]))
        store.refresh()
        status, changed = answers.get(timeout=PATIENCE)
    assert status == 200
    assert changed["data_version"] > version
