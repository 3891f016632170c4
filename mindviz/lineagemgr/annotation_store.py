"""AnnotationStore: the SQLite database of annotations and saved views.

Several servers may write to it concurrently: each change is one statement that sets only the
changed columns, readers never block (write-ahead log), and writers wait for each other.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
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
    UniqueConstraint,
    create_engine,
    delete,
    event,
    func,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.schema import CreateTable

from mindviz.errors import (
    AnnotationsBusy,
    AnnotationsUnavailable,
    InvalidAnnotation,
    ViewNotFound,
)
from mindviz.lineagemgr.annotation import ANNOTATION_FIELDS, Annotation
from mindviz.lineagemgr.saved_view import MAX_VIEWS, REQUIRED, SavedView

WAIT = 1.0
"""Seconds that a writer waits for others; a change takes milliseconds."""
LAYOUT = 1
"""`PRAGMA user_version` of this schema."""

_TABLES = MetaData()
ANNOTATIONS = Table(
    "annotations",
    _TABLES,
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
VIEWS = Table(
    "views",
    _TABLES,
    Column("base_dir", String, primary_key=True),
    Column("view_id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("page", String, nullable=False),
    Column("query", String, nullable=False),
    Column("is_default", Boolean, nullable=False, default=False),
    Column("changed", Float, nullable=False),  # Unix seconds
    UniqueConstraint("base_dir", "name"),
    sqlite_with_rowid=False,
)


class AnnotationStore:
    """The annotations and views of one base dir, in a database shared by many."""

    def __init__(self, path: Path, base_dir: str) -> None:
        """Open the database; create it if missing. Raises AnnotationsUnavailable."""
        self._path = path
        self._base_dir = base_dir
        self._lock = threading.Lock()
        self._closed = False
        self._known: tuple[int, Mapping[str, Annotation]] | None = None
        with self._translate_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            # An empty file is an empty database; this one is readable only by its owner.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self._engine = _engine(path)
            self._prepare()
            # Never writes, so that `data_version` changes with every write.
            self._reader = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._files = self._files_now()

    def _prepare(self) -> None:
        with self._engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            if found > LAYOUT:
                raise AnnotationsUnavailable(
                    f"{self._path} was written by a newer version of mindviz."
                )
            _use_write_ahead_log(connection)
            for table in (ANNOTATIONS, VIEWS):
                connection.execute(CreateTable(table, if_not_exists=True))
            connection.exec_driver_sql(f"PRAGMA user_version = {LAYOUT}")
            connection.commit()

    @property
    def is_current(self) -> bool:
        """Whether the database is still at its path; False once it was deleted or replaced."""
        return self._files_now() == self._files

    def _files_now(self) -> tuple[_Identity | None, _Identity | None]:
        """The database and its log, which exists as long as the reader is connected."""
        return _identity(self._path), _identity(self._log)

    @property
    def _log(self) -> Path:
        return self._path.with_name(f"{self._path.name}-wal")

    def all(self) -> Mapping[str, Annotation]:
        """train_id -> annotation; cached until a change. Raises AnnotationsUnavailable."""
        with self._reading() as reader:
            version = reader.exec_driver_sql("PRAGMA data_version").scalar_one()
            if self._known is None or self._known[0] != version:
                columns = [ANNOTATIONS.c[name] for name in ("train_id", *ANNOTATION_FIELDS)]
                query = select(*columns).where(ANNOTATIONS.c.base_dir == self._base_dir)
                rows = reader.execute(query).all()
                self._known = version, {row[0]: Annotation(*row[1:]) for row in rows}
            return self._known[1]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._lock, self._translate_errors():
            if self._closed:
                raise AnnotationsUnavailable(f"{self._path} is closed.")
            yield self._reader

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Set these columns of a job's row. Raises AnnotationsUnavailable, AnnotationsBusy."""
        values = {**changes, "changed": time.time()}
        key = {"base_dir": self._base_dir, "train_id": train_id}
        statement = (
            insert(ANNOTATIONS)
            .values(**key, **values)
            .on_conflict_do_update(index_elements=_KEY, set_=values)
        )
        with self._translate_errors(), self._engine.begin() as connection:
            connection.execute(statement)

    def views(self) -> list[SavedView]:
        """All views, by name. Raises AnnotationsUnavailable."""
        columns = [VIEWS.c[field.name] for field in fields(SavedView)]
        query = select(*columns).where(VIEWS.c.base_dir == self._base_dir).order_by(VIEWS.c.name)
        with self._reading() as reader:
            return [SavedView(*row) for row in reader.execute(query)]

    def update_view(self, view_id: str, changes: Mapping[str, Any]) -> None:
        """Set these columns of a view; create it if it is new and the changes are complete.

        Raises ViewNotFound, InvalidAnnotation, AnnotationsUnavailable, AnnotationsBusy.
        """
        values = {**changes, "changed": time.time()}
        here = VIEWS.c.base_dir == self._base_dir
        with self._translate_errors(), self._engine.begin() as connection:
            # The first statement writes, so other writers wait until the end.
            try:
                known = connection.execute(
                    update(VIEWS).where(here, VIEWS.c.view_id == view_id).values(values)
                ).rowcount
                if not known:
                    if not changes.keys() >= REQUIRED:
                        raise ViewNotFound(view_id)
                    self._check_room(connection)
                    key = {"base_dir": self._base_dir, "view_id": view_id}
                    connection.execute(insert(VIEWS).values(**key, **values))
            except IntegrityError as error:
                raise InvalidAnnotation(
                    f"Another view has the name {changes['name']!r}."
                ) from error
            if changes.get("is_default"):
                others = update(VIEWS).where(here, VIEWS.c.view_id != view_id, VIEWS.c.is_default)
                connection.execute(others.values(is_default=False))

    def _check_room(self, connection: Connection) -> None:
        query = select(func.count()).where(VIEWS.c.base_dir == self._base_dir)
        if connection.execute(query).scalar_one() >= MAX_VIEWS:
            raise InvalidAnnotation(f"A log directory has at most {MAX_VIEWS:,} saved views.")

    def delete_view(self, view_id: str) -> None:
        """Delete a view. Raises ViewNotFound, AnnotationsUnavailable, AnnotationsBusy."""
        statement = delete(VIEWS).where(
            VIEWS.c.base_dir == self._base_dir, VIEWS.c.view_id == view_id
        )
        with self._translate_errors(), self._engine.begin() as connection:
            if not connection.execute(statement).rowcount:
                raise ViewNotFound(view_id)

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            self._closed = True
            self._reader.close()
            self._engine.dispose()

    def discard(self) -> None:
        """Close a database that was deleted or replaced."""
        self.close()
        # SQLite leaves the old log behind, and would apply it to the new database.
        if _identity(self._log) == self._files[1]:
            self._log.unlink(missing_ok=True)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            if _is_locked(error):
                raise AnnotationsBusy(
                    f"Another program is writing notes ({self._path} is locked). Try again."
                ) from error
            raise AnnotationsUnavailable(f"{self._path}: {error.orig}.") from error
        except OSError as error:
            raise AnnotationsUnavailable(f"{self._path}: {error.strerror}.") from error


_Identity = tuple[int, int]
"""Device and inode."""


def _identity(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _is_locked(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _engine(path: Path) -> Engine:
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, connect_args={"timeout": WAIT})

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        # With a write-ahead log, a crash of the machine loses at most the last changes.
        connection.execute("PRAGMA synchronous = NORMAL")

    return engine


def _use_write_ahead_log(connection: Connection) -> None:
    """Set the journal mode, a persistent property of the file; unsupported file systems keep locks.

    Retries while another process has the file locked, because SQLite does not wait here.
    """
    end = time.monotonic() + WAIT
    while True:
        try:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        except DBAPIError as error:
            connection.rollback()
            if not _is_locked(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return
