"""`mindviz import` as its user sees it."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mindviz.cli import cli
from mindviz.datavisual.generic.data_provider import RequestContext
from mindviz.datavisual.sql.dask_workers import DaskWorkers
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.errors import StartError
from tests.disk_faults import Faults
from tests.imported_logs import write_large_jobs
from tests.log_directories import as_ordinary_user
from tests.mindviz_process import wait_until
from tests.written_logs import events, tensorboard_log, write

NAME = "tfevents.1"
CONTEXT = RequestContext()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for name in "ab":
        write(tmp_path / "my logs" / name, NAME, tensorboard_log([(1, 1.0), (2, 2.0)]))
    return tmp_path / "my logs"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "x.db"


def run(logs: Path, db: object, *options: str) -> Result:
    arguments = ["import", str(logs), "--db", str(db), *options]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def complaint(logs: Path, db: object, *options: str) -> str:
    result = run(logs, db, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("mindviz: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def points(db: Path) -> int:
    with sqlite3.connect(db) as connection:
        (count,) = connection.execute(
            "SELECT coalesce(sum(length), 0) FROM scalar_chunks"
        ).fetchone()
    connection.close()
    return int(count)


def test_it_prints_what_was_added(logs: Path, db: Path) -> None:
    first = run(logs, db)
    assert first.exit_code == 0
    assert first.stdout.startswith("2 runs imported, 0 unchanged: 4 scalar points")
    assert str(db) in first.stdout
    with (logs / "a" / NAME).open("ab") as file:
        file.write(events([(3, 3.0)], start=1_010.0))
    again = run(logs, db, "--processes", "2")
    assert again.stdout.startswith("1 run imported, 1 unchanged: 1 scalar point ")
    assert points(db) == 5


def test_an_initial_connection_failure_is_reported_immediately(logs: Path) -> None:
    said = complaint(logs, "postgresql://me:secret@127.0.0.1:1/x")
    assert "refused" in said
    assert "Nothing was imported; repeat the command when the database answers." in said
    assert "secret" not in said


def test_the_experiments_name_is_the_directorys_or_the_given_one(logs: Path, db: Path) -> None:
    run(logs, db)
    run(logs, db, "--experiment", "again")
    database = Database(str(db))
    for name in ("my-logs", "again"):
        stored = SqlStore(database, name)
        assert len(list(stored.series.runs())) == 2
    database.close()
    assert "Invalid experiment name 'a b'" in complaint(logs, db, "--experiment", "a b")


def test_two_directories_of_one_name_are_not_mixed(logs: Path, db: Path, tmp_path: Path) -> None:
    run(logs, db)
    other = tmp_path / "other" / logs.name
    write(other / "a", NAME, tensorboard_log([(7, 7.0)]))
    assert "of another directory" in complaint(other, db)
    assert run(other, db, "--experiment", "my-logs").exit_code == 0
    assert "of another directory" in complaint(logs, db)


def test_a_directory_without_logs_is_not_an_error(tmp_path: Path, db: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    result = run(empty, db)
    assert result.exit_code == 0
    assert result.stdout.startswith("No logs found in this directory")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://host/name", "is not a database that mindviz can use"),
        ("sqlite:///:memory:", "is not a database that mindviz can use"),
        ("postgresql://me:secret@127.0.0.1:1/x", "refused"),
        ("/nowhere/x.db", "No such file or directory"),
        ("", "is not a database"),
    ],
)
def test_an_unusable_database_is_an_error(logs: Path, url: str, message: str) -> None:
    said = complaint(logs, url)
    assert message in said
    assert "secret" not in said


def test_the_error_names_a_missing_driver(
    logs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = complaint(logs, "postgresql://host/x")
    assert "pip install 'mindviz[postgresql]'" in said


def test_clusters_need_a_database_server_and_dask(
    logs: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--on needs PostgreSQL" in complaint(logs, db, "--on", "tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StartError, match=r"pip install 'mindviz\[cluster\]'"):
        DaskWorkers("tcp://127.0.0.1:1")


def test_a_file_that_is_not_a_database_is_not_changed(logs: Path, db: Path) -> None:
    db.write_bytes(b"what somebody wrote " * 100)
    assert "file is not a database" in complaint(logs, db)
    assert db.read_bytes() == b"what somebody wrote " * 100


def test_a_database_of_another_version_is_not_changed(logs: Path, db: Path) -> None:
    run(logs, db)
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE layout SET layout = 99")
    connection.close()
    assert "another version of mindviz (layout 99" in complaint(logs, db)
    assert points(db) == 4


def test_a_read_only_database_is_an_error(logs: Path, db: Path) -> None:
    run(logs, db)
    db.chmod(0o444)
    for path in (logs, *logs.rglob("*"), *logs.parents[:3]):
        path.chmod(0o755)
    with as_ordinary_user():
        assert "Permission denied" in complaint(logs, db)


def test_a_missing_directory_is_an_error(tmp_path: Path, db: Path) -> None:
    assert "does not exist" in complaint(tmp_path / "none", db)
    assert not db.exists()


def test_failed_jobs_do_not_affect_others(
    logs: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Faults(monkeypatch).on("preadv", "/a/"):
        result = run(logs, db)
    assert result.exit_code == 1
    assert result.stdout.startswith("1 run imported, 0 unchanged, 1 failed: 2 scalar points")
    assert run(logs, db).stdout.startswith("1 run imported, 1 unchanged: 2 scalar points")


def test_an_interrupted_import_resumes(tmp_path: Path, db: Path) -> None:
    jobs, count = 40, 100
    write_large_jobs(tmp_path / "logs", jobs, count)
    command = [sys.executable, "-m", "mindviz", "import", str(tmp_path / "logs"), "--db", str(db)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: db.exists() and begun(db), "the first commit")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    if process.returncode not in (0, -signal.SIGINT):  # else the import was complete already
        assert process.returncode == 130
        assert b"Repeat the command to resume" in said
    result = run(tmp_path / "logs", db)
    assert result.exit_code == 0
    assert points(db) == jobs * count
    assert "40 unchanged" in run(tmp_path / "logs", db).stdout


def test_watching_imports_what_is_appended_and_new(logs: Path, db: Path) -> None:
    command = [sys.executable, "-m", "mindviz", "import", str(logs), "--db", str(db)]
    options = ["--watch", "--reload-interval", "0.05"]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until(lambda: db.exists() and begun(db) and points(db) == 4, "the first import")
        with (logs / "a" / NAME).open("ab") as file:
            file.write(events([(3, 3.0)], start=1_010.0))
        wait_until(lambda: points(db) == 5, "the appended point")
        write(logs / "new", NAME, tensorboard_log([(1, 1.0), (2, 2.0)]))
        wait_until(lambda: points(db) == 7, "the new job")
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate()
    assert process.returncode == 130
    assert "Repeat the command to resume" in said
    assert "1 run: 1 scalar point and 0 other values added" in printed


def begun(db: Path) -> bool:
    try:
        return points(db) > 0
    except sqlite3.OperationalError:
        return False
