"""AnnotationStore: the annotations and saved views in a workspace, a SQLite database.

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
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, String, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from mindviz.errors import AnnotationsBusy, AnnotationsUnavailable
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.annotation_tables import AnnotationTables
from mindviz.lineagemgr.saved_view import SavedView

WAIT = 1.0
"""Seconds that a writer waits for others; a change takes milliseconds."""
LAYOUT = 1
"""`PRAGMA user_version` of this schema."""

TABLES = AnnotationTables("base_dir", String)


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
            TABLES.create(connection)
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
                self._known = version, TABLES.annotations(reader, self._base_dir)
            return self._known[1]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._lock, self._translate_errors():
            if self._closed:
                raise AnnotationsUnavailable(f"{self._path} is closed.")
            yield self._reader

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._translate_errors(), self._engine.begin() as connection:
            yield connection

    def update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        """Set these columns of a run's row. Raises AnnotationsUnavailable, AnnotationsBusy."""
        with self._writing() as connection:
            TABLES.update(connection, self._base_dir, train_id, changes)

    def views(self) -> list[SavedView]:
        """All views, by name. Raises AnnotationsUnavailable."""
        with self._reading() as reader:
            return TABLES.views(reader, self._base_dir)

    def update_view(self, view_id: str, changes: Mapping[str, Any]) -> None:
        """Set these columns of a view; create it if it is new and the changes are complete.

        Raises ViewNotFound, InvalidAnnotation, AnnotationsUnavailable, AnnotationsBusy.
        """
        with self._writing() as connection:
            TABLES.update_view(connection, self._base_dir, view_id, changes)

    def delete_view(self, view_id: str) -> None:
        """Delete a view. Raises ViewNotFound, AnnotationsUnavailable, AnnotationsBusy."""
        with self._writing() as connection:
            TABLES.delete_view(connection, self._base_dir, view_id)

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
