"""Database: a connection pool for SQLite or PostgreSQL (psycopg 3), with mindviz's errors."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mindviz.credentials import without_password, without_passwords
from mindviz.datavisual.sql.tables import (
    LAYOUT,
    LAYOUTS,
    METADATA,
    PLAIN_LAYOUT,
    ROW_LAYOUT,
)
from mindviz.errors import DatabaseUnavailable, RefusedByDatabase, StartError

_LOGGER = logging.getLogger(__name__)
_WAIT = 30.0
_CONNECT_WAIT = 5
"""Seconds until an unresponsive server counts as unavailable."""
_CACHE_KIB = 64 * 1024
_SORT_MIB = 64


class Database:
    """One database. Methods may be called from any thread, but not across a fork."""

    def __init__(self, url: str, *, wait: float = _WAIT) -> None:
        """Takes `sqlite:///file`, `postgresql://user@host/name` or the path of a SQLite file.

        `wait`: seconds that a writer of a SQLite file waits for another one.
        Opens no connection. Raises StartError.
        """
        self.url = parse_database_url(url)
        self.shown = without_password(self.url.render_as_string(hide_password=True))
        """The URL without its password."""
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        try:
            self._engine = _sqlite(self.url, wait) if self.is_sqlite else _postgresql(self.url)
        except ImportError:
            raise StartError(
                "For PostgreSQL, mindviz needs psycopg: pip install 'mindviz[postgresql]'."
            ) from None

    @contextmanager
    def reading(self, *, large: bool = False) -> Iterator[Connection]:
        """A connection whose statements see one state. Raises DatabaseUnavailable.

        After `large` answers it is closed: PostgreSQL's driver keeps memory for the largest row.
        """
        with self._translate_errors(), self._engine.connect() as connection:
            if self.is_sqlite:
                # The driver begins a transaction only before a write.
                connection.exec_driver_sql("BEGIN")
            else:
                connection.execution_options(isolation_level="REPEATABLE READ")
                if large:
                    connection.detach()
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction, committed at the end. Raises DatabaseUnavailable."""
        with self._translate_errors(), self._engine.begin() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._failure(error.orig) from error
        except PoolTimeout as error:
            raise self._unavailable("all connections are busy") from error
        except self._engine.dialect.loaded_dbapi.Error as error:  # from a raw connection
            raise self._failure(error) from error

    def _failure(self, error: object) -> DatabaseUnavailable:
        dbapi = self._engine.dialect.loaded_dbapi
        # For psycopg, an exceeded limit (54...) is a temporary error.
        refused = str(getattr(error, "sqlstate", "")).startswith("54") or isinstance(
            error,
            (
                dbapi.DataError,
                dbapi.IntegrityError,
                dbapi.NotSupportedError,
                dbapi.ProgrammingError,
            ),
        )
        unavailable = self._unavailable(error)
        return RefusedByDatabase(str(unavailable)) if refused else unavailable

    def _unavailable(self, reason: object) -> DatabaseUnavailable:
        detail = without_passwords(as_sentences(str(reason) or repr(reason)))
        return DatabaseUnavailable(f"The database {self.shown}: {detail}")

    def create(self) -> None:
        """Create missing tables. Raises StartError, DatabaseUnavailable."""
        self.create_missing()
        self.check()

    def create_missing(self) -> None:
        """As `create`, but accepts the tables of any version."""
        if self.is_sqlite:
            path = Path(self.url.database or "")
            try:
                path.touch()  # an empty file is an empty database
            except OSError as error:
                reason = error.strerror
                raise StartError(f"No database can be made at {str(path)!r}: {reason}.") from None
            # Readers never wait for the importer. A property of the file, set outside transactions.
            with self._translate_errors(), self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        with self.writing() as connection:
            self.wait_for_others(connection)
            if not inspect(connection).has_table(LAYOUTS.name):
                METADATA.create_all(connection)
                connection.execute(LAYOUTS.insert().values(layout=LAYOUT))
            # Fail now, not during the import, without write permission.
            connection.execute(LAYOUTS.update().values(layout=LAYOUTS.c.layout))

    def wait_for_others(self, connection: Connection) -> None:
        """Run one transaction at a time of those that create tables or write notes."""
        if not self.is_sqlite:  # whose writers always wait for each other
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")

    def check(self, *, may_be_empty: bool = False) -> None:
        """Raise StartError unless the database has mindviz's tables; DatabaseUnavailable.

        `may_be_empty` accepts a database without tables, for a later import.
        """
        if self.is_sqlite and not Path(self.url.database or "").is_file():
            raise StartError(f"There is no database {self.url.database!r}; {_HINT}")
        with self.reading() as connection:
            tables = inspect(connection).get_table_names()
            if may_be_empty and not tables:
                return
            if LAYOUTS.name not in tables:
                raise StartError(f"The database {self.shown} holds no logs; {_HINT}")
            layout = connection.execute(select(LAYOUTS.c.layout)).scalar()
            if layout != LAYOUT:
                hint = "; `mindviz import DIR --db URL` converts it" * (
                    layout in (ROW_LAYOUT, PLAIN_LAYOUT)
                )
                raise StartError(
                    f"The database {self.shown} was written by another version of mindviz "
                    f"(layout {layout}, this one reads {LAYOUT}){hint}."
                )

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def as_sentences(text: str) -> str:
    """Join lines into sentences; psycopg's messages have line breaks and tabs."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return " ".join(line if line[-1] in ".:;,?!" else f"{line}." for line in lines if line)


_HINT = "`mindviz import DIR --db URL` makes one."
_LOCK = 0x6D696E64
"""An arbitrary number, the same in every mindviz."""


def parse_database_url(text: str) -> URL:
    """The URL with mindviz's driver; text that is not a URL is the path of a SQLite file.

    Raises StartError.
    """
    if "://" not in text and _KEYWORDS.match(text) and not Path(text).exists():
        raise _not_a_database(text)
    try:
        url = make_url(text) if "://" in text else URL.create("sqlite", database=text)
    except (ArgumentError, ValueError):
        raise _not_a_database(text) from None
    match url.get_backend_name():
        case "sqlite" if url.database and url.database != ":memory:":
            return url.set(drivername="sqlite", database=str(Path(url.database).absolute()))
        case "postgresql" | "postgres":
            if text.partition("://")[2].partition("?")[0].partition(":")[2].count("@") > 1:
                # The driver would take part of the password for a host, and show it in errors.
                raise StartError(
                    f"{without_password(text)!r} has an '@' too many: in a password, write %40."
                )
            return url.set(drivername="postgresql+psycopg")
    raise _not_a_database(text)


def _not_a_database(text: str) -> StartError:
    shown = without_password(text)
    return StartError(f"{shown!r} is not a database that mindviz can use: {_EXAMPLES}")


_KEYWORDS = re.compile(r"\s*(host|hostaddr|port|dbname|user|password)\s*=")
"""The start of a libpq keyword string, which is not a path."""
_EXAMPLES = "write sqlite:///path/to/file.db or postgresql://user:password@host:5432/name."


def _sqlite(url: URL, wait: float) -> Engine:
    path = str(url.database)

    def connect() -> sqlite3.Connection:
        # `mode=rw` does not create the file, so readers notice if it is missing.
        mode = "mode=ro&immutable=1" if _is_sealed(path) else "mode=rw"
        connection = sqlite3.connect(
            f"file:{quote(path)}?{mode}",
            uri=True,
            timeout=wait,
            isolation_level=None,
            check_same_thread=False,
        )
        # With a write-ahead log, a crash of the machine loses at most the last commit.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        return connection

    engine = create_engine(url, creator=connect)

    @event.listens_for(engine, "connect")
    def _(_connection: Any, record: Any) -> None:
        record.info["file"] = _file_state(path)

    @event.listens_for(engine, "checkout")
    def _(_connection: Any, record: Any, _proxy: Any) -> None:
        if record.info["file"] != _file_state(path):
            raise DisconnectionError  # deleted or replaced: the pool reconnects

    return engine


def _is_sealed(path: str) -> bool:
    """Whether no write-ahead log can be written next to the file, as on a read-only disk."""
    folder = str(Path(path).parent)
    return not (os.access(folder, os.W_OK, effective_ids=True) or Path(f"{path}-shm").exists())


def _file_state(path: str) -> tuple[int, ...] | None:
    """Identity of the file; for a sealed file, also of its content."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    if _is_sealed(path):
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    return status.st_dev, status.st_ino


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url,
        # A pooled connection may have died with its server.
        pool_pre_ping=True,
        connect_args={"connect_timeout": _CONNECT_WAIT},
    )

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        # Compiling a statement takes longer than running it, and sorting on disk, too.
        connection.execute(f"SET jit = off; SET work_mem = '{_SORT_MIB}MB'")
        connection.commit()

    return engine
