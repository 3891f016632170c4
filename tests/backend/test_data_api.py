"""The generic interface over HTTP; the tests of HttpProvider verify its data."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from werkzeug.test import Client

from mindviz.backend.app import ExperimentApps, create_app
from mindviz.backend.wsgi_bridge import LONG_THREADS, SHORT_THREADS
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.answer_bounds import SHORT_SERIES, AnswerBounds
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.packed_answer import unpacked_scalars
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.deadline import LongWorkAhead, allow, doing
from tests.hostile_logs import scalars, write_events
from tests.http_servers import PATIENCE, ask, connect, http_server, post, read_answer
from tests.imported_logs import imported
from tests.written_logs import loaded, tensorboard_log, write

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

URL = "/v1/mindviz/data"
SCALARS = {"plugin_name": "scalars"}


@pytest.fixture
def client(tmp_path: Path) -> Client:
    for name in ("a", "b"):
        write(tmp_path / name, "tfevents.1", tensorboard_log([(0, 1.0), (5, 2.0), (9, 3.0)]))
    source = ExperimentSource("exp", tmp_path)
    config = Config(tmp_path, workspace=tmp_path / "workspace", experiments=(source,))
    experiments = Experiments([ServedExperiment("exp", loaded(tmp_path))])
    return Client(ExperimentApps(config, experiments, AnswerBounds(points=5)))


def test_scalars_are_selected_by_sets_and_steps(client: Client) -> None:
    body = {**SCALARS, "train_ids": ["./a", "./c"], "tags": None, "start_step": 5, "num_points": 1}
    answer = client.post(f"{URL}/scalars", json=body)
    assert (answer.status_code, answer.content_type) == (200, "application/zip")
    found = unpacked_scalars(answer.data)
    assert list(found) == ["./a"]
    assert found["./a"]["loss"].step.tolist() == [9]
    assert unpacked_scalars(client.post(f"{URL}/scalars", json={**SCALARS, "tags": []}).data) == {}


def test_series_are_listed_as_json(client: Client) -> None:
    body = {**SCALARS, "experiment_id": "exp", "train_ids": ["./a"], "data_class": "SCALAR"}
    answer = client.post(f"{URL}/series", json=body).get_json()
    listed = answer["series"]["./a"]["loss"]
    assert (listed["data_class"], listed["max_step"]) == ("SCALAR", 9)
    assert listed["summary_metadata"]["plugin_name"] == "scalars"
    nothing = client.post(f"{URL}/series", json={**body, "data_class": "TENSOR"})
    assert nothing.get_json() == {"series": {}}


def test_the_error_for_a_too_large_response_names_the_limit(client: Client) -> None:
    assert client.post(f"{URL}/scalars", json={**SCALARS, "end_step": 5}).status_code == 200
    answer = client.post(f"{URL}/scalars", json=SCALARS)
    assert (answer.status_code, answer.get_json()["error_code"]) == (400, "50545013")
    assert "more than 5 points" in answer.get_json()["error_msg"]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({}, "'plugin_name' is required"),
        ({**SCALARS, "tags": "loss"}, "'tags'"),
        ({**SCALARS, "tags": [1]}, "'tags'"),
        ({**SCALARS, "num_points": -1}, "-1 points"),
        ({**SCALARS, "num_points": 1, "strategy": "lttb"}, "'lttb'"),
        ({**SCALARS, "most_recent": "x"}, "'most_recent' must be an integer"),
        ({**SCALARS, "nothing": 1}, "'nothing' is unknown"),
        ([], "Invalid"),
        (5, "Invalid"),
    ],
)
def test_invalid_requests_are_rejected(client: Client, body: Any, complaint: str) -> None:
    answer = client.post(f"{URL}/scalars", json=body)
    assert answer.status_code == 400
    assert complaint in answer.get_json()["error_msg"]


def test_an_unknown_experiment_is_not_found(client: Client) -> None:
    answers = [
        client.get(f"{URL}/plugins?experiment_id=other"),
        client.get(f"{URL}/experiment?experiment_id=other"),
        client.post(f"{URL}/tensors", json={"plugin_name": "x", "experiment_id": "other"}),
    ]
    assert {(one.status_code, one.get_json()["error_code"]) for one in answers} == {
        (404, "50540004")
    }


def test_statistics_of_scalars_are_long_work(client: Client) -> None:
    """Five columns for each tag: a log may have very many."""
    with doing(allow(60.0, is_short=True)):
        assert client.get(f"{URL}/lineage").status_code == 200
        for query in ("tag=loss", "tag_pattern=."):
            with pytest.raises(LongWorkAhead):
                client.get(f"{URL}/lineage?{query}")
    assert client.get(f"{URL}/lineage?tag_pattern=.").status_code == 200


@pytest.fixture(scope="module", params=["log", "database"])
def many_series(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Flask]:
    """Two jobs, which together have more series than a short question may ask about."""
    folder = tmp_path_factory.mktemp("many")
    base_dir = folder / "logs"
    for name in ("a", "b"):
        write_events(base_dir / name, scalars(f"tag{n}" for n in range(SHORT_SERIES // 2 + 1)))
    config = Config(base_dir, workspace=folder / "workspace")
    if request.param == "log":
        yield create_app(config, loaded(base_dir))
        return
    database = Database(str(folder / "d.db"))
    imported(database, base_dir)
    yield create_app(config, SqlStore(database))
    database.close()


ROUTES = ("series", "scalars", "scalar-aggregates")


@pytest.mark.parametrize("route", ROUTES)
def test_requests_for_many_series_are_long_work(many_series: Flask, route: str) -> None:
    client = many_series.test_client()
    with doing(allow(60.0, is_short=True)):
        with pytest.raises(LongWorkAhead):
            client.post(f"{URL}/{route}", json=SCALARS)
        for few in ({"train_ids": ["./a"], "tags": ["tag1"]}, {"tags": ["tag1", "tag2"]}):
            assert client.post(f"{URL}/{route}", json={**SCALARS, **few}).status_code == 200
    assert client.post(f"{URL}/{route}", json=SCALARS).status_code == 200


def test_small_requests_do_not_wait_for_requests_of_many_series(
    many_series: Flask,
) -> None:
    long_threads: queue.SimpleQueue[str] = queue.SimpleQueue()
    go_on = threading.Event()

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Holds what is computed by a thread for long work."""
        name = threading.current_thread().name
        if "long" in name:
            long_threads.put(name)
            go_on.wait(PATIENCE)
        return many_series.wsgi_app(environ, start_response)

    with http_server(app) as port, ExitStack() as connections:
        clients = [connections.enter_context(connect(port)) for _ in range(SHORT_THREADS)]
        for client in clients:
            client.sendall(post(f"{URL}/series", SCALARS))
        for _ in range(LONG_THREADS):
            long_threads.get(timeout=PATIENCE)
        few = {**SCALARS, "tags": ["tag1"]}
        for _ in range(20):
            status, answer = ask(port, post(f"{URL}/series", few))
            assert (status, sorted(answer["series"])) == (200, ["./a", "./b"])
        assert long_threads.empty()
        go_on.set()
        for client in clients:
            head, _ = read_answer(client)
            assert head.split()[1] == b"200"
