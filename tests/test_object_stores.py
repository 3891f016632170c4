"""Commands, routes and `mindviz.open` over the objects of an S3 server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import mindviz
from mindviz.backend.app import create_app
from mindviz.backend.wsgi_bridge import SHORT_THREADS
from mindviz.cli.experiment_sources import SourcesType, parse_source, with_names
from mindviz.cli.summary_base_dir import absolute
from mindviz.cli.workspace import Workspace
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.sql import importer
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.errors import CannotOpen, StartError
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.http_servers import ask, connect, get, http_server, read_answer
from tests.mindviz_process import Mindviz, Service, run, wait_until
from tests.object_server import SECRET_KEY, ObjectServer, object_server
from tests.provider_logs import write_provider_logs
from tests.test_databases import without
from tests.written_logs import events, loaded, tensorboard_log

GOLDEN = Path(__file__).parent / "golden"
PASSWORD = "hunter2hunter2"


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectServer]:
    with pytest.MonkeyPatch.context() as environment, object_server(environment) as server:
        yield server


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("some") / "logs"
    write_provider_logs(directory)
    return directory


@pytest.fixture(scope="module")
def url(server: ObjectServer, logs: Path) -> str:
    return server.upload(logs, "team/logs/")


def comparable(answer: Any) -> Any:
    """An answer without what depends on the storage: stores know no creation times."""
    times = ("create_time", "create_timestamp")
    answer = without(answer, "cursor", "blob_keys", "epoch", "data_version", "version", *times)
    if isinstance(answer, dict) and isinstance(answer.get("columns"), list):
        columns = answer["columns"]
        answer["columns"] = [one for one in columns if one["name"] != "create_time"]
    return answer


@pytest.mark.parametrize("folder", ["written", "real"])
def test_routes_answer_from_objects_as_from_files(
    folder: str, server: ObjectServer, tmp_path: Path
) -> None:
    directory = shutil.copytree(GOLDEN / folder, tmp_path / folder)
    for file in directory.rglob("*"):
        os.utime(file, (1_700_000_000, 1_700_000_000))  # stores keep whole seconds
    objects = server.upload(directory, f"{folder}/{folder}/")
    base_dirs: tuple[Path | str, ...] = (directory, objects)
    clients, stores = [], [loaded(base_dir) for base_dir in base_dirs]
    for base_dir, store in zip(base_dirs, stores, strict=True):
        config = Config(base_dir, workspace=tmp_path, experiments=(ExperimentSource("", base_dir),))
        clients.append(create_app(config, store).test_client())
    paths = ["data/lineage", "datavisual/train-job-columns", "lineagemgr/lineage-columns"]
    for job in stores[0].list_train_jobs():
        paths.append(f"series/health?train_id={quote(job.train_id)}")
        for plugin_name, tags in stores[0].list_tags(job.train_id).items():
            for tag in tags:
                query = f"train_id={quote(job.train_id)}&tag={quote(tag)}"
                paths.append(f"series/{plugin_name}/values?{query}")
    found = 0
    for path in paths:
        answers = [client.get(f"/v1/mindviz/{path}") for client in clients]
        bodies = [comparable(answer.json) if answer.is_json else answer.data for answer in answers]
        assert answers[0].status_code == answers[1].status_code, path
        if answers[0].status_code == 200:
            assert bodies[0] == bodies[1], path
            found += 1
    assert found > 20


def test_google_cloud_storage_answers_as_files(
    server: ObjectServer, logs: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client lists and reads as S3's does, with other credentials."""
    account = {
        "gcs_base_url": server.endpoint,
        "disable_oauth": True,
        "client_email": "",
        "private_key": "",
        "private_key_id": "",
    }
    (tmp_path / "account.json").write_text(json.dumps(account))
    monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT", str(tmp_path / "account.json"))
    server.counted()
    with mindviz.open(url.replace("s3://", "gs://")) as objects, mindviz.open(logs) as files:
        assert len(files.scalars()) > 0
        assert objects.scalars().equals(files.scalars())
        assert objects.lineage().equals(files.lineage())
    assert not any(request.is_signed for request in server.requests)


def test_a_server_follows_objects(server: ObjectServer, tmp_path: Path) -> None:
    key = "live/logs/run/events.out.tfevents.1.h"
    log = tensorboard_log([(1, 0.5)])
    server.put(key, log)
    options = ("--reload-interval", "0.1")
    base_dir = f"{server.url}/live/logs/"
    with Mindviz(base_dir, tmp_path / "ws", *options) as started:
        started.wait_for_line(rf"Logs  {server.url}/live/logs$")
        query: dict[str, Any] = {"train_id": "./run", "tag": "loss"}
        wait_until(lambda: started.json("/status")["points"] == 1, "the point")
        server.put(key, log + events([(2, 0.25)], start=2_000.0))
        wait_until(lambda: started.json("/status")["points"] == 2, "the next point")
        assert started.json("/series/scalars/values", **query)
        assert started.json("/status")["summary_base_dir"] == base_dir.rstrip("/")


def test_a_server_stops_while_the_store_stalls(server: ObjectServer, tmp_path: Path) -> None:
    server.put("stalled/events.out.tfevents.1.h", tensorboard_log([(1, 0.5)]))
    server.counted()
    server.fault = lambda request: None if request.is_listing else "stall"
    try:
        with Mindviz(f"{server.url}/stalled", tmp_path) as started:
            wait_until(lambda: any(not one.is_listing for one in server.requests), "a GET")
            started.signal(signal.SIGTERM)
        assert server.counted()["GET"] == 1  # ended before the request was repeated
    finally:
        server.fault = lambda _: None
        server.released.set()


def test_requests_that_wait_for_the_store_do_not_delay_others(
    server: ObjectServer, tmp_path: Path
) -> None:
    text = tensorboard.strings_tensor("note", [b"x" * 2000], (1,), plugin_name="text")
    log = frames([tensorboard.event(1.0, 1, [text])], Framing.TFRECORD)
    names = [f"run{number}" for number in range(SHORT_THREADS + 4)]
    for name in names:
        server.put(f"slow/{name}/events.out.tfevents.1.h", log)
    app = create_app(Config(tmp_path), loaded(f"{server.url}/slow"))
    path = "/v1/mindviz/series/text/values?tag=note&train_id=."
    released = threading.Event()
    server.counted()

    def wait(_: object) -> None:
        released.wait(30)

    server.fault = wait
    try:
        with http_server(app) as port, ExitStack() as connections:
            connections.callback(released.set)
            clients = [connections.enter_context(connect(port)) for _ in names]
            for name, client in zip(names, clients, strict=True):
                client.sendall(get(f"{path}/{name}"))
            wait_until(lambda: len(server.requests) == len(names), "all GETs")
            assert ask(port, get("/v1/mindviz/status"))[0] == 200
            released.set()
            assert all(b" 200 " in read_answer(client)[0] for client in clients)
    finally:
        server.fault = lambda _: None


def test_a_daemon_reads_objects(url: str, tmp_path: Path) -> None:
    options = ["--workspace", str(tmp_path)]
    started = run("start", url, "--port", "0", "--daemon", *options)
    try:
        assert started.returncode == 0, started.stderr
        (instance,) = Workspace(tmp_path).instances()
        assert Service(instance.url).json("/status")["summary_base_dir"] == url
    finally:
        run("stop", *options)


def test_a_daemon_reports_why_a_bucket_cannot_be_read(server: ObjectServer, tmp_path: Path) -> None:
    missing = "s3://no-such-bucket-here/logs"
    started = run("start", missing, "--port", "0", "--daemon", "--workspace", str(tmp_path))
    assert started.returncode == 2
    assert f"Cannot read {missing!r}: No such object or bucket." in started.stderr


def test_inspect_and_export_print_the_same_as_of_files(url: str, logs: Path) -> None:
    reports = [json.loads(run("inspect", str(base), "--json").stdout) for base in (url, logs)]
    own = ("summary_base_dir", "load_seconds", "peak_rss_bytes")
    assert without(reports[0], *own) == without(reports[1], *own)
    arguments = ("--format", "csv", "--what", "scalars")
    exported = [run("export", str(base), *arguments).stdout for base in (url, logs)]
    assert exported[0] == exported[1]
    assert exported[0].count("\n") > 30


def test_objects_are_imported_once(url: str, tmp_path: Path) -> None:
    database, run_url = str(tmp_path / "x.db"), f"{url}/ms"
    first = run("import", run_url, "--db", database)
    assert first.returncode == 0, first.stderr
    assert "1 run imported, 0 unchanged" in first.stdout
    again = run("import", run_url, "--db", database)
    assert "0 runs imported, 1 unchanged" in again.stdout
    with mindviz.open(database, "ms") as stored, mindviz.open(run_url) as logs:
        for plugin in ("scalars", "tensors"):
            assert len(getattr(logs, plugin)()) == 2
            assert str(getattr(stored, plugin)()) == str(getattr(logs, plugin)())


def test_watching_continues_after_the_store_fails(server: ObjectServer, tmp_path: Path) -> None:
    key, log = "watched/run/events.out.tfevents.1.h", tensorboard_log([(1, 0.5)])
    server.put(key, log)
    database = Database(str(tmp_path / "x.db"))
    watching = Importer(database, ImportOptions(f"{server.url}/watched", "e"))
    watching.run()
    imports = watching.watch(0.0)
    server.fault = lambda _: "503 SlowDown"
    try:
        failed = next(imports).failed
    finally:
        server.fault = lambda _: None
    assert failed == {"./": "It cannot be read: The object store answers 503 SlowDown."}
    server.put(key, log + events([(2, 0.25)], start=2_000.0))
    assert next(imports).points == 1
    database.close()


def test_several_processes_decode_objects(
    server: ObjectServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "_SMALL", 0)
    for name in ("first", "second", "third"):
        server.put(f"several/{name}/events.out.tfevents.1.h", tensorboard_log([(1, 0.5)]))
    database = Database(str(tmp_path / "x.db"))
    several = Importer(database, ImportOptions(f"{server.url}/several", "e", processes=2))
    several.run()
    database.close()
    assert (several.progress.imported, several.progress.failed) == (3, {})


def test_open_reads_what_is_new(server: ObjectServer) -> None:
    key, log = "opened/events.out.tfevents.1.h", tensorboard_log([(1, 0.5)])
    server.put(key, log)
    with mindviz.open(f"{server.url}/opened") as logs:
        assert len(logs.scalars()) == 1
        server.put(key, log + events([(2, 0.25)], start=2_000.0))
        logs.refresh()
        assert len(logs.scalars()) == 2


def test_open_explains_what_cannot_be_opened(server: ObjectServer) -> None:
    with pytest.raises(CannotOpen, match="There are no logs in"):
        mindviz.open(f"{server.url}/nothing")
    with pytest.raises(CannotOpen, match="must not hold credentials"):
        mindviz.open(f"s3://user:{PASSWORD}@bucket")
    with pytest.raises(CannotOpen, match="one experiment"):
        mindviz.open(f"{server.url}/opened", "other")


@pytest.mark.parametrize("command", [("inspect",), ("start",), ("export", "--what", "scalars")])
@pytest.mark.parametrize(
    ("location", "message"),
    [
        (f"s3://user:{PASSWORD}@bucket/x", "must not hold credentials"),
        (f"sqlite://user:{PASSWORD}@host/x", "Use --db for databases"),
        (f"https://user:{PASSWORD}@host/x", "only from s3://, gs://, az://"),
    ],
)
def test_a_secret_in_a_url_is_refused_and_not_shown(
    command: tuple[str, ...], location: str, message: str
) -> None:
    name, *options = command
    ended = run(name, location, *options)
    assert ended.returncode == 2
    assert message in " ".join(ended.stderr.split())
    assert PASSWORD not in ended.stdout + ended.stderr


def test_wrong_credentials_end_the_command_with_one_sentence(
    server: ObjectServer, url: str, tmp_path: Path
) -> None:
    server.fault = lambda _: "403 SignatureDoesNotMatch"
    try:
        for command in (["inspect", url], ["start", url, "--port", "0", "--workspace", tmp_path]):
            ended = run(*map(str, command))
            assert ended.returncode == 2
            assert len(ended.stderr.splitlines()) == 1
            assert "Permission denied (403 SignatureDoesNotMatch)" in ended.stderr
            assert SECRET_KEY not in ended.stderr
    finally:
        server.fault = lambda _: None


def test_a_prefix_without_objects_is_an_error_or_waited_for(
    server: ObjectServer, tmp_path: Path
) -> None:
    ended = run("inspect", f"{server.url}/empty")
    assert (ended.returncode, "has no objects" in ended.stderr) == (2, True)
    with Mindviz(f"{server.url}/empty", tmp_path, "--reload-interval", "0.1") as started:
        server.put("empty/events.out.tfevents.1.h", tensorboard_log([(1, 0.5)]))
        wait_until(lambda: started.json("/status")["train_jobs"] == 1, "the job")


def test_urls_may_have_names_in_options_and_in_the_environment() -> None:
    assert parse_source("prod=s3://b/x") == ExperimentSource("prod", "s3://b/x")
    assert parse_source("gs://b/lr=1") == ExperimentSource("", "gs://b/lr=1")
    parts = SourcesType().split_envvar_value("a=s3://b/x:/data/logs:gs://c")
    assert parts == ["a=s3://b/x", "/data/logs", "gs://c"]
    named = with_names([parse_source("s3://b/x/runs/"), parse_source("/data/other")])
    assert [source.experiment_id for source in named] == ["runs", "other"]
    with pytest.raises(StartError, match="Give a local path here"):
        absolute("s3://b/x")
