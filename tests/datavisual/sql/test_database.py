from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from mindviz.datavisual.sql import database as module
from mindviz.datavisual.sql.database import Database, parse_database_url
from mindviz.errors import DatabaseUnavailable, StartError
from tests.log_directories import as_ordinary_user


@pytest.mark.parametrize(
    "url",
    ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "nothing://", ""],
)
def test_foreign_databases_are_refused(url: str) -> None:
    with pytest.raises(StartError, match="write sqlite:///"):
        parse_database_url(url)


def test_a_path_is_a_sqlite_file_and_a_url_names_our_driver(tmp_path: Path) -> None:
    url = parse_database_url(str(tmp_path / "x y?.db"))
    assert (url.drivername, url.database) == ("sqlite", str(tmp_path / "x y?.db"))
    assert parse_database_url("postgresql://me@host/logs").drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    "place",
    [
        "me:hunter22@127.0.0.1:1/logs",
        "me:hunter%322@127.0.0.1:1/logs",
        "me:hunter/22@127.0.0.1:1/logs",
        "127.0.0.1:1/logs?user=me&password=hunter22",
        "127.0.0.1:1/logs?user=me&p%61ssword=hunter%322",
        "127.0.0.1:1/logs?sslpassword=hunter22&user=me",
        "127.0.0.1:1/logs?password=hunter22&no_such_option=hunter22",
    ],
)
def test_no_message_contains_a_password(place: str) -> None:
    pytest.importorskip("psycopg")
    database = Database(f"postgresql://{place}")
    assert "hunter" not in database.shown
    with pytest.raises(DatabaseUnavailable) as caught, database.reading():
        pass
    assert "hunter" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hunt@er22@127.0.0.1:1/logs",  # its driver would report the host `er22@...`
        "postgresql://me:hunter22@127.0.0.1:x/logs",
        "mysql://me:hunter22@host/logs",
        "oracle://host/logs?password=hunter22",
        "host=127.0.0.1 user=me password=hunter22",
        "password = 'hunter 22' host=127.0.0.1",
    ],
)
def test_errors_about_a_url_contain_no_password(url: str) -> None:
    with pytest.raises(StartError) as caught:
        Database(url)
    assert "***" in str(caught.value)
    assert not {"hunt", "er22", "22'"} & set(re.split(r"[^\w']+", str(caught.value)))


def test_a_database_is_created_once_and_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "x y?.db"
    for _ in range(2):
        database = Database(str(path))
        database.create()
        database.close()
    Database(str(path)).check()


def test_reading_creates_no_database(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "none.db"))
    with pytest.raises(StartError, match="mindviz import"):
        database.check()
    assert list(tmp_path.iterdir()) == []


def test_databases_of_other_programs_or_versions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    sqlite3.connect(path).execute("CREATE TABLE theirs (x)").connection.close()
    with pytest.raises(StartError, match="holds no logs"):
        Database(str(path)).check()
    database = Database(str(tmp_path / "later.db"))
    database.create()
    with database.writing() as connection:
        connection.execute(text("UPDATE layout SET layout = 99"))
    with pytest.raises(StartError, match="another version"):
        database.check()
    database.close()


def test_no_database_is_created_without_a_directory(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="No such file"):
        Database(str(tmp_path / "none" / "x.db")).create()


def test_writes_are_atomic(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "x.db"))
    database.create()
    insert = "INSERT INTO experiments VALUES (1, 'a', '', '', 0, 0)"
    twice = f"{insert[:-1]}), (1, 'b', '', '', 0, 0)"
    with pytest.raises(DatabaseUnavailable, match="UNIQUE"), database.writing() as connection:
        connection.execute(text(twice))
    with database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM experiments")).scalar() == 0
    database.close()


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("failed: refused\n\tIs it running?\n", "failed: refused. Is it running?"),
        ("All failures were:\n- host: a\n- host: b", "All failures were: - host: a. - host: b."),
        ("database is locked", "database is locked."),
    ],
)
def test_messages_of_databases_become_sentences(message: str, sentences: str) -> None:
    assert module.as_sentences(message) == sentences


def test_an_unreachable_server_is_reported_in_one_line() -> None:
    pytest.importorskip("psycopg")
    database = Database("postgresql://me@127.0.0.1:1/logs")
    with pytest.raises(DatabaseUnavailable, match=r"Connection refused") as caught:
        database.check()
    assert not {"\n", "\t"} & set(str(caught.value))
    assert re.search(r"[^.?][.?]$", str(caught.value))
    database.close()


def test_a_file_that_disappears_and_returns_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    database = Database(str(path))
    database.create()
    aside = path.rename(tmp_path / "aside")
    with pytest.raises(DatabaseUnavailable), database.reading():
        pass
    aside.rename(path)
    database.check()
    database.close()


def test_a_database_where_nothing_may_be_written_can_be_read(readable_path: Path) -> None:
    path = readable_path / "sealed" / "x.db"
    path.parent.mkdir()
    database = Database(str(path))
    database.create()
    database.close()
    path.chmod(0o666)
    path.parent.chmod(0o555)
    with as_ordinary_user():
        database.check()
        with pytest.raises(DatabaseUnavailable, match="readonly"):
            database.create()
        database.close()
    path.chmod(0o444)
    with as_ordinary_user():
        database.check()
        with pytest.raises(StartError, match="Permission denied"):
            database.create()
    database.close()
    path.parent.chmod(0o755)


def test_writers_wait_for_each_other_with_a_limit(tmp_path: Path) -> None:
    one, other = (Database(str(tmp_path / "x.db"), wait=0.05) for _ in range(2))
    one.create()
    with one.writing():
        with pytest.raises(DatabaseUnavailable, match="locked"), other.writing():
            pass
        other.check()  # readers never wait
    with other.writing():
        pass
    one.close()
    other.close()
