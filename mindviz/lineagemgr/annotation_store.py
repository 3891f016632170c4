"""AnnotationStore: the SQLite database of annotations.

Several mindviz may write to it at once: each change is one statement that touches only the columns
it is about, readers never block (write-ahead log), and writers wait for each other.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    select,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateTable

from mindviz.errors import AnnotationsUnavailable
from mindviz.lineagemgr.annotation import ANNOTATION_FIELDS, Annotation

WAIT = 30
"""Seconds that a writer waits for others."""
LAYOUT = 1
"""`PRAGMA user_version` of what is described here."""

ANNOTATIONS = Table(
    "annotations",
    MetaData(),
    Column("base_dir", String, primary_key=True),
    Column("train_id", String, primary_key=True),
    Column("tag", Integer),
    Column("remark", String),
    Column("notes", String),
    Column("hidden", Boolean),
    Column("pinned", Boolean),
    Column("colour", String),
    Column("group", String),
    Column("changed", Float, nullable=False),  # Unix seconds
    sqlite_with_rowid=False,
)
_KEY = [ANNOTATIONS.c.base_dir, ANNOTATIONS.c.train_id]


class AnnotationStore:
    """The annotations of one base dir in a database that may hold those of many."""

    def __init__(self, path: Path, base_dir: str) -> None:
        """Open the database, creating what is missing. Raises AnnotationsUnavailable."""
        self._path = path
        self._base_dir = base_dir
        self._lock = threading.Lock()
        self._known: tuple[int, Mapping[str, Annotation]] | None = None
        with self._told():
            _create_file(path)
            self._engine = _engine(path)
            self._prepare()
            # Never writes, so that any change, of whatever process, is another connection's.
            self._reader = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def _prepare(self) -> None:
        with self._engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            if found > LAYOUT:
                raise AnnotationsUnavailable(
                    f"{self._path} was written by a later version of mindviz."
                )
            _use_write_ahead_log(connection)
            connection.execute(CreateTable(ANNOTATIONS, if_not_exists=True))
            connection.exec_driver_sql(f"PRAGMA user_version = {LAYOUT}")
            connection.commit()

    def all(self) -> Mapping[str, Annotation]:
        """train_id -> annotation; read again only when somebody wrote. Raises as the class."""
        with self._lock, self._told():
            version = self._reader.exec_driver_sql("PRAGMA data_version").scalar_one()
            if self._known is None or self._known[0] != version:
                columns = [ANNOTATIONS.c[name] for name in ("train_id", *ANNOTATION_FIELDS)]
                wanted = select(*columns).where(ANNOTATIONS.c.base_dir == self._base_dir)
                rows = self._reader.execute(wanted).all()
                self._known = version, {row[0]: Annotation(*row[1:]) for row in rows}
            return self._known[1]

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Set these columns of a job's row. Raises AnnotationsUnavailable."""
        values = {**changes, "changed": time.time()}
        key = {"base_dir": self._base_dir, "train_id": train_id}
        statement = (
            insert(ANNOTATIONS)
            .values(**key, **values)
            .on_conflict_do_update(index_elements=_KEY, set_=values)
        )
        with self._told(), self._engine.begin() as connection:
            connection.execute(statement)

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            self._reader.close()
            self._engine.dispose()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in our words what the database or the file system says."""
        try:
            yield
        except DBAPIError as error:
            raise AnnotationsUnavailable(f"{self._path}: {error.orig}.") from error
        except OSError as error:
            raise AnnotationsUnavailable(f"{self._path}: {error.strerror}.") from error


def _create_file(path: Path) -> None:
    """An empty file is an empty database; only its owner may read what people note."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _engine(path: Path) -> Engine:
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, connect_args={"timeout": WAIT})

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        # With a write-ahead log a crash of the machine may lose the last change, nothing else.
        connection.execute("PRAGMA synchronous = NORMAL")

    return engine


def _use_write_ahead_log(connection: Connection) -> None:
    """Once is enough, it is a property of the file. Where it can't be had, locks do as well.

    SQLite does not wait for others here, so that several who begin at once have to try again.
    """
    end = time.monotonic() + WAIT
    while True:
        try:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        except DBAPIError as error:
            connection.rollback()
            if "locked" not in str(error.orig) or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return
