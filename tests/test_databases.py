"""Databases return the same as the directory that was imported."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from mindviz.backend.app import create_app
from mindviz.cli import cli
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.errors import DatabaseUnavailable
from tests import lineage_logs
from tests.imported_logs import imported, write_large_jobs
from tests.mindviz_process import Mindviz, run, wait_until
from tests.postgresql import postgresql
from tests.provider_logs import write_provider_logs
from tests.written_logs import events, loaded, tensorboard_log, write

NAME = "tfevents.1"
OWN = ("name", "version", "cache_status", "plugins", "tags")
"""Keys of answers that depend on the storage."""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    base_dir = tmp_path / "logs"
    write_provider_logs(base_dir)
    lineage_logs.write_mindspore_job(
        base_dir / "trained", lineage_logs.training(), lineage_logs.evaluation({"acc": 0.5})
    )
    return base_dir


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "x.db")
        return
    yield postgresql().new_database()


def import_(base_dir: Path, url: str, *options: str) -> None:
    result = CliRunner().invoke(cli, ["import", str(base_dir), "--db", url, *options])
    assert result.exit_code == 0, result.output


def without(answer: Any, *names: str) -> Any:
    """An answer without keys that depend on the storage."""
    if isinstance(answer, dict):
        return {name: without(value, *names) for name, value in answer.items() if name not in names}
    return [without(value, *names) for value in answer] if isinstance(answer, list) else answer


def test_routes_answer_from_a_database_as_from_the_directory(tmp_path: Path, logs: Path) -> None:
    database = Database(str(tmp_path / "x.db"))
    imported(database, logs)
    stored = SqlStore(database, "e")
    stored.load_once()
    there = loaded(logs)
    workspace = tmp_path / "workspace"
    clients = [
        create_app(Config(logs, workspace=workspace), there).test_client(),
        create_app(
            Config(
                logs, workspace=workspace, experiments=(ExperimentSource("e", "sqlite:///x.db"),)
            ),
            stored,
        ).test_client(),
    ]
    requested = 0
    for job in there.list_train_jobs():
        for plugin_name, tags in there.list_tags(job.train_id).items():
            for tag in tags:
                if tag == "hparam":
                    continue
                query = f"train_id={quote(job.train_id)}&tag={quote(tag)}"
                answers = []
                for client in clients:
                    answer = client.get(f"/v1/mindviz/series/{plugin_name}/values?{query}")
                    body = json.loads(answer.data)
                    # Cursors and blob keys depend on the storage.
                    answers.append((answer.status_code, without(body, "cursor", "blob_keys")))
                assert answers[0] == answers[1], (job.train_id, plugin_name, tag)
                requested += answers[0][0] == 200
    assert requested > 30
    # All values have been read by now, so every problem is known.
    for job in there.list_train_jobs():
        problems = stored.train_job(job.train_id).problems
        assert set(problems) == set(there.train_job(job.train_id).problems)
    assert stored.status().problem_count == there.status().problem_count
    for path in (
        "datavisual/train-jobs?limit=50",
        "datavisual/plugins?train_id=./tb/all",
        "datavisual/single-job?plugin_name=scalar&train_id=./",
        "datavisual/scalar/metadata?train_id=./&tag=loss/scalar",
        "datavisual/image/metadata?train_id=./ms&tag=i/image",
        "datavisual/image/single-image?train_id=./ms&tag=i/image&step=10",
        "datavisual/histograms?train_id=./ms&tag=h/histogram",
        "datavisual/tensors?train_id=./ms&tag=t/tensor&detail=stats",
        "datavisual/graphs/nodes?train_id=./ms",
        "lineagemgr/lineages",
    ):
        answers = []
        for client in clients:
            url = f"/v1/mindinsight/{path}"
            answer = client.post(url, json={}) if "lineages" in path else client.get(url)
            assert answer.status_code == 200, path
            answers.append(without(answer.json, *OWN) if answer.is_json else answer.data)
        assert answers[0] == answers[1], path
    ids = sorted(job.train_id for job in there.list_train_jobs())[:5]
    for path, body in {
        "lineagemgr/lineages": {"summary_dir": {"in": ["./trained", *ids]}, "limit": 100},
        "optimizer/targets/search": {"summary_dir": {"in": ["./trained", *ids]}, "forest": False},
        "lineagemgr/diff": {"train_ids": ["./trained", *ids]},
    }.items():
        found = [client.post(f"/v1/mindviz/{path}", json=body) for client in clients]
        assert [answer.status_code for answer in found] == [200, 200], path
        first, second = (without(answer.json, *OWN) for answer in found)
        assert first == second, path
    database.close()


def test_requests_fail_cleanly_while_a_database_is_away(tmp_path: Path, logs: Path) -> None:
    path = tmp_path / "x.db"
    database = Database(str(path))
    imported(database, logs)
    stored = SqlStore(database, "e")
    stored.load_once()
    config = Config(logs, workspace=tmp_path / "w", experiments=(ExperimentSource("e", str(path)),))
    client = create_app(config, stored).test_client()
    url = "/v1/mindviz/series/scalar/values?train_id=./tb/all&tag=loss"
    aside = path.rename(tmp_path / "aside")
    answer = client.get(url)
    assert answer.status_code == 503
    assert answer.json is not None
    assert "x.db" in answer.json["error_msg"]
    with pytest.raises(DatabaseUnavailable):
        stored.refresh()
    status = client.get("/v1/mindviz/status")
    assert status.json is not None
    assert "x.db" in status.json["problems"][0]["detail"]
    aside.rename(path)
    assert client.get(url).status_code == 200
    database.close()


def test_servers_outlive_a_restart_of_postgresql(tmp_path: Path) -> None:
    base_dir = tmp_path / "logs"
    write_provider_logs(base_dir)
    server = postgresql()
    url = server.new_database()
    import_(base_dir, url)
    options = ("--db", url, "--reload-interval", "0.05")
    with (
        Mindviz(None, tmp_path / "one", *options) as first,
        Mindviz(None, tmp_path / "two", *options) as second,
    ):
        for mindviz in (first, second):
            mindviz.wait_until_loaded()
        server.stop()
        for mindviz in (first, second):
            wait_until(partial(_reports_it_away, mindviz), "the status to say so")
            for status, body in map(mindviz.request, PATHS):
                assert (status, "error_msg" in json.loads(body)) == (503, True)
        server.start()
        write(base_dir / "late", NAME, tensorboard_log([(1, 1.0)]))
        import_(base_dir, url)
        for mindviz in (first, second):
            wait_until(partial(_has_jobs, mindviz, 6), "the new job")
            assert {mindviz.request(path)[0] for path in PATHS} == {200}
            assert mindviz.json("/status")["problems"] == []


PATHS = (
    "/v1/mindviz/datavisual/train-jobs",
    "/v1/mindviz/datavisual/single-job?plugin_name=scalar&train_id=./tb/all",
    "/v1/mindviz/series/scalar/values?train_id=./tb/all&tag=loss",
    "/v1/mindviz/series/image/values?train_id=./tb/all&tag=i/v1",
    "/v1/mindviz/series/histogram/values?train_id=./ms&tag=h",
    "/v1/mindinsight/datavisual/scalar/metadata?train_id=./&tag=loss/scalar",
)


def _has_jobs(mindviz: Mindviz, count: int) -> bool:
    return len(jobs(mindviz)) == count


def _reports_it_away(mindviz: Mindviz) -> bool:
    return bool(mindviz.json("/status")["problems"])


def test_servers_follow_imports_into_a_database(url: str, tmp_path: Path) -> None:
    base_dir = tmp_path / "my logs"
    path = write(base_dir / "a", NAME, tensorboard_log([(1, 1.0)]))
    import_(base_dir, url)
    options = ("--db", url, "--reload-interval", "0.05")
    with (
        Mindviz(None, tmp_path / "one", *options) as first,
        Mindviz(f"here={base_dir}", tmp_path / "two", *options, as_option=True) as second,
    ):
        first.wait_until_loaded()
        assert [job["train_id"] for job in jobs(first)] == ["./a"]
        names = [item["experiment_id"] for item in second.json("/experiments")["experiments"]]
        assert names == ["here", "my-logs"]
        with path.open("ab") as file:
            file.write(events([(2, 2.0)], start=1_010.0))
        write(base_dir / "b", NAME, tensorboard_log([(1, 1.0)]))
        import_(base_dir, url)
        wait_until(lambda: len(jobs(first)) == 2, "the new job")
        for mindviz, mount in ((first, ""), (second, "/experiment/my-logs")):
            url_path = f"{mount}/v1/mindviz/series/scalar/values?train_id=./a&tag=loss"
            status, body = mindviz.request(url_path)
            assert (status, json.loads(body)["data"]) == (200, [1.0, 2.0])


def test_no_password_of_a_database_is_shown(tmp_path: Path) -> None:
    server = postgresql()
    url = server.new_database()
    place = url.partition("@")[2]
    url = f"postgresql://{place}?user=postgres&password=hunter22&sslpassword=hunter22"
    write(tmp_path / "logs" / "a", NAME, tensorboard_log([(1, 1.0)]))
    imported = run("import", str(tmp_path / "logs"), env={"MINDVIZ_DB": url})
    assert imported.returncode == 0, imported.stderr
    workspace = tmp_path / "workspace"
    with Mindviz(None, workspace, "--reload-interval", "0.05", env={"MINDVIZ_DB": url}) as mindviz:
        mindviz.wait_until_loaded()
        answers = [
            *(mindviz.request(f"/v1/mindviz/{path}") for path in ("status", "experiments")),
            mindviz.request("/v1/mindviz/data/experiment?experiment_id="),
        ]
        (pid_file,) = (workspace / "run").glob("*.pid")
        kept = pid_file.read_text()
        server.stop()
        wait_until(partial(_reports_it_away, mindviz), "the database is away")
        answers.append(mindviz.request("/v1/mindviz/status"))
        server.start()
        mindviz.signal(signal.SIGTERM)
        mindviz.end()
    output = [imported.stdout, imported.stderr, kept, *mindviz.unread(), *mindviz.lines]
    shown = [*(body.decode() for _, body in answers), *output]
    assert [text for text in shown if "hunter" in text] == []
    assert any(place in text for text in shown)


def test_experiments_that_are_imported_later_appear_in_all_servers(
    url: str, tmp_path: Path
) -> None:
    write(tmp_path / "first" / "a", NAME, tensorboard_log([(1, 1.0)]))
    import_(tmp_path / "first", url)
    options = ("--db", url, "--reload-interval", "0.05")
    with (
        Mindviz(None, tmp_path / "one", *options) as first,
        Mindviz(None, tmp_path / "two", *options) as second,
    ):
        for mindviz in (first, second):
            mindviz.wait_until_loaded()
            assert experiment_ids(mindviz) == ["first"]
        write(tmp_path / "second" / "b", NAME, tensorboard_log([(1, 2.0)]))
        import_(tmp_path / "second", url)
        for mindviz in (first, second):
            wait_until(partial(_shows, mindviz, ["first", "second"]), "the second experiment")
            path = "/experiment/second/v1/mindviz/series/scalar/values?train_id=./b&tag=loss"
            wait_until(partial(_answers, mindviz, path), "its data")
            assert json.loads(mindviz.request(path)[1])["data"] == [2.0]


def test_an_empty_database_is_waited_for(tmp_path: Path, url: str) -> None:
    if "://" not in url:  # one database has foreign tables, the other has none
        database = Database(url)
        database.create()
        database.close()
    write(tmp_path / "beside" / "x", NAME, tensorboard_log([(1, 3.0)]))
    options = ("--db", url, "--reload-interval", "0.05")
    with (
        Mindviz(None, tmp_path / "one", *options) as first,
        Mindviz(tmp_path / "beside", tmp_path / "two", *options) as second,
    ):
        first.wait_until_loaded()
        first.wait_for_line("waits for an import")
        assert jobs(first) == []
        assert first.json("/status")["problems"] == []
        for name, value in (("first", 1.0), ("second", 2.0)):
            write(tmp_path / name / "a", NAME, tensorboard_log([(1, value)]))
            import_(tmp_path / name, url)
            for mindviz, before in ((first, []), (second, ["beside"])):
                names = [*before, *(["first"] if name == "second" else []), name]
                wait_until(partial(_shows, mindviz, names), f"the {name} experiment")
                path = "/v1/mindviz/series/scalar/values?train_id=./a&tag=loss"
                wait_until(partial(_answers, mindviz, f"/experiment/{name}{path}"), "its data")
        wait_until(partial(_answers, first, path), "the first one at the root")
        assert json.loads(first.request(path)[1])["data"] == [1.0]
        assert [job["train_id"] for job in jobs(second)] == ["./x"]


def _shows(mindviz: Mindviz, names: list[str]) -> bool:
    return experiment_ids(mindviz) == names


def _answers(mindviz: Mindviz, path: str) -> bool:
    return mindviz.request(path)[0] == 200


def experiment_ids(mindviz: Mindviz) -> list[str]:
    return [item["experiment_id"] for item in mindviz.json("/experiments")["experiments"]]


def test_a_killed_import_resumes(url: str, tmp_path: Path) -> None:
    jobs, count = 40, 100
    write_large_jobs(tmp_path / "logs", jobs, count)
    database = Database(url)
    database.create()
    command = [sys.executable, "-m", "mindviz", "import", str(tmp_path / "logs"), "--db", url]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: stored_points(database) or process.poll() is not None, "a commit")
        process.kill()
    before = stored_points(database)
    assert before % count == 0
    import_(tmp_path / "logs", url)
    assert stored_points(database) == jobs * count
    stored = SqlStore(database)
    stored.load_once()
    assert all(job.points == count for job in stored.list_train_jobs())
    assert stored.status().loaded_train_jobs == jobs
    database.close()


def stored_points(database: Database) -> int:
    with database.reading() as connection:
        return int(connection.execute(text("SELECT sum(length) FROM scalar_chunks")).scalar() or 0)


def jobs(mindviz: Mindviz) -> list[Any]:
    listed: list[Any] = mindviz.json("/datavisual/train-jobs")["train_jobs"]
    return listed


@pytest.mark.parametrize(
    ("db", "message"),
    [
        ("none.db", "`mindviz import DIR --db URL` makes one"),
        ("other.db", "holds no logs"),
        ("text.db", "file is not a database"),
        ("newer.db", "another version of mindviz"),
        ("mysql://x/y", "is not a database that mindviz can use"),
        ("postgresql://me:secret@127.0.0.1:1/x", "refused"),
    ],
)
def test_an_unusable_database_is_an_error(tmp_path: Path, db: str, message: str) -> None:
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE theirs (x)").connection.close()
    (tmp_path / "text.db").write_text("what somebody wrote" * 100)
    database = Database(str(tmp_path / "newer.db"))
    database.create()
    database.close()
    with sqlite3.connect(tmp_path / "newer.db") as connection:
        connection.execute("UPDATE layout SET layout = 99")
    connection.close()
    where = db if "://" in db else str(tmp_path / db)
    result = run("start", "--db", where, "--port", "0", "--workspace", str(tmp_path / "w"))
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr
