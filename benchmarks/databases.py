"""Databases: importing 4 million points, and reading all of them at once.

    python benchmarks/databases.py [--repeats N]

40 train jobs of 20 series of 5,000 points. The peer of an import is the database's driver with the
same rows, already decoded and in memory, and keys: `executemany` for SQLite, psycopg's
`copy.write_row` for PostgreSQL. The peer of reading is the same driver with one query per series.
PostgreSQL is Debian's, started as in the tests; without it, its rows are omitted.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from comparison import Row, median, progress, report, spread, turn_by_turn
from provider import CONTEXT, POINTS, SERIES, seconds, summed, write_series

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.datavisual.generic.data_provider import StoreProvider
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.postgresql import PostgreSQL, postgresql

TABLE = (
    "CREATE TABLE points (series INTEGER, step BIGINT, wall_time DOUBLE PRECISION, "
    "value DOUBLE PRECISION, PRIMARY KEY (series, step))"
)
QUERY = "SELECT step, wall_time, value FROM points WHERE series = {} ORDER BY step"


class Drivers(ABC):
    """One database with mindviz, and with its driver alone."""

    def __init__(self, name: str, logs: Path, aim: int) -> None:
        self.name = name
        self.logs = logs
        self.aim = aim
        self.rows: list[tuple[int, int, float, float]] = []

    @abstractmethod
    def url(self) -> str:
        """The URL of an empty database."""

    @abstractmethod
    def insert(self, rows: Iterable[tuple[Any, ...]]) -> float:
        """Seconds for the driver to store rows in an empty database."""

    @abstractmethod
    def read(self, series: int) -> list[tuple[Any, ...]]:
        """One series of the data inserted last."""

    def imported(self) -> tuple[str, float]:
        """The URL of a database with all data, and the seconds of its import."""
        url = self.url()
        database = Database(url)
        options = ImportOptions(self.logs, "e", processes=len(os.sched_getaffinity(0)))
        taken = seconds(Importer(database, options).run)
        database.close()
        return url, taken

    def measured(self, repeats: int) -> Iterator[Row]:
        """Both rows."""
        progress(f"{self.name}: importing {SERIES * POINTS} points ...")
        ours, theirs = turn_by_turn(
            lambda: self.imported()[1], lambda: self.insert(self.rows), repeats
        )
        rate = SERIES * POINTS / median(ours)
        yield Row(
            what=f"import of {SERIES * POINTS / 1e6:.0f} million points: {rate:,.0f} points/s",
            peer=f"{self.name}'s driver",
            ours=median(ours),
            theirs=median(theirs),
            unit="s",
            target=f">= {self.aim:,} points/s",
            reached=rate >= self.aim,
            note=spread(ours),
        )
        progress(f"{self.name}: reading {SERIES} series ...")
        database = Database(self.imported()[0])
        provider = StoreProvider.of(SqlStore(database))
        self.insert(self.rows)
        assert np.isclose(summed(provider), self.summed())
        ours, theirs = turn_by_turn(
            lambda: seconds(lambda: summed(provider)), lambda: seconds(self.summed), repeats
        )
        database.close()
        yield Row(
            what=f"read_scalars, {SERIES} series of {POINTS} points",
            peer=f"{self.name}'s driver",
            ours=median(ours),
            theirs=median(theirs),
            unit="s",
            note=spread(ours),
        )

    def summed(self) -> float:
        """The sum of all columns of all series."""
        return sum(float(np.array(self.read(number)).sum()) for number in range(SERIES))


class SQLite(Drivers):
    """A file."""

    def __init__(self, directory: Path, logs: Path) -> None:
        super().__init__("SQLite", logs, 300_000)
        self._directory = directory
        self._connection = sqlite3.connect(":memory:")

    def url(self) -> str:
        """The URL of a new file."""
        for file in self._directory.glob("ours.db*"):
            file.unlink()
        return str(self._directory / "ours.db")

    def insert(self, rows: Iterable[tuple[Any, ...]]) -> float:
        """With `executemany`."""
        self._connection.close()
        path = self._directory / "theirs.db"
        path.unlink(missing_ok=True)
        self._connection = connection = sqlite3.connect(path)
        connection.execute(TABLE)

        def store() -> None:
            connection.executemany("INSERT INTO points VALUES (?, ?, ?, ?)", rows)
            connection.commit()

        return seconds(store)

    def read(self, series: int) -> list[tuple[Any, ...]]:
        """As tuples."""
        return self._connection.execute(QUERY.format(series)).fetchall()


class Postgres(Drivers):
    """A server."""

    def __init__(self, server: PostgreSQL, logs: Path) -> None:
        super().__init__("PostgreSQL", logs, 150_000)
        self._server = server
        self._connection: Any = None

    def url(self) -> str:
        """The URL of a new database of the server."""
        return self._server.new_database()

    def insert(self, rows: Iterable[tuple[Any, ...]]) -> float:
        """With COPY, row by row."""
        if self._connection is not None:
            self._connection.close()
        self._connection = connection = psycopg.connect(self._server.new_database())
        connection.execute(TABLE)

        def store() -> None:
            with connection.cursor().copy("COPY points FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            connection.commit()

        return seconds(store)

    def read(self, series: int) -> list[tuple[Any, ...]]:
        """As tuples."""
        found: list[tuple[Any, ...]] = self._connection.execute(QUERY.format(series)).fetchall()
        return found


@contextmanager
def server() -> Iterator[PostgreSQL | None]:
    """PostgreSQL, if available."""
    try:
        opened = postgresql()
        found = opened.__enter__()
    except pytest.skip.Exception as reason:
        progress(f"no PostgreSQL: {reason}")
        yield None
        return
    try:
        yield found
    finally:
        opened.__exit__(None, None, None)


def rows_of(url: str) -> list[tuple[int, int, float, float]]:
    """All points, by series and step."""
    database = Database(url)
    answer = StoreProvider.of(SqlStore(database)).read_scalars(
        CONTEXT, experiment_id="", plugin_name="scalars"
    )
    database.close()
    every = [columns for tags in answer.values() for columns in tags.values()]
    rows: list[tuple[int, int, float, float]] = []
    for number, one in enumerate(every):
        columns = (one.step.tolist(), one.wall_time.tolist(), one.value.tolist())
        rows += [(number, *row) for row in zip(*columns, strict=True)]
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory() as name, server() as running:
        directory = Path(name)
        logs = directory / "logs"
        logs.mkdir()
        write_series(logs)
        measured: list[Drivers] = [SQLite(directory, logs)]
        if running is not None:
            measured.append(Postgres(running, logs))
        rows = rows_of(measured[0].imported()[0])
        for one in measured:
            one.rows = rows
        report([row for one in measured for row in one.measured(repeats)])


if __name__ == "__main__":
    main()
