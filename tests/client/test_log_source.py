"""A server that goes away, and one that is still loading."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from mindviz.client.log_source import DatabaseSource, ServerSource
from mindviz.datavisual.sql.database import Database
from mindviz.errors import CannotOpen, ExperimentNotFound, ServerUnavailable, StartError
from tests.imported_logs import imported
from tests.mindviz_process import PATIENCE
from tests.served_logs import answering, serving
from tests.written_logs import tensorboard_log, write


def test_a_lost_server_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "logs", "tfevents.1", tensorboard_log([(1, 0.5)]))
    with serving(tmp_path / "logs") as url:
        source = ServerSource(url, "")
    with pytest.raises(ServerUnavailable, match="does not answer"):
        source.refresh()
    with pytest.raises(ServerUnavailable, match="does not answer"):
        source.lineage((), ())


def test_a_server_that_is_loading_is_waited_for() -> None:
    states, requested = ["init", "loading", "loading", "loaded"], threading.Event()

    def app(_environ: object, start: object) -> list[bytes]:
        state = states.pop(0)
        if not states:
            requested.set()
        body = status(state)
        start("200 OK", [("Content-Length", str(len(body)))])  # type: ignore[operator]
        return [body]

    with answering(app) as url:
        ServerSource(url, "").close()
    assert requested.wait(PATIENCE)
    assert states == []


def test_waiting_ends_if_loading_makes_no_progress() -> None:
    def app(_environ: object, start: object) -> list[bytes]:
        body = status("loading")
        start("200 OK", [("Content-Length", str(len(body)))])  # type: ignore[operator]
        return [body]

    with answering(app) as url, pytest.raises(CannotOpen, match="made no loading progress"):
        ServerSource(url, "", patience=0.2)


def status(load_status: str) -> bytes:
    return json.dumps({"load_status": load_status, "train_jobs": 1, "bytes_read": 5}).encode()


def test_experiments_of_a_database_are_named(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "x.db"))
    for name in ("first", "second"):
        write(tmp_path / name / name, "tfevents.1", tensorboard_log([(1, 0.5)]))
        imported(database, tmp_path / name, name)
    database.close()
    for experiment_id, name in (("", "first"), ("second", "second")):
        source = DatabaseSource(str(tmp_path / "x.db"), experiment_id, max_tensor_bytes=1)
        assert f"./{name}".encode() in source.lineage((), ())
        source.close()
    with pytest.raises(ExperimentNotFound):
        DatabaseSource(str(tmp_path / "x.db"), "third", max_tensor_bytes=1)
    with pytest.raises(StartError):
        DatabaseSource(str(tmp_path / "y.db"), "", max_tensor_bytes=1)
