"""Databases: importing 4 million points, their size, and reading them.

    python benchmarks/databases.py [--repeats N]

40 train jobs of 20 series of 5,000 points: noisy float32 values at times with jitter. The peer is
the same database with a row per point and the database's driver. It imports rows that are already
decoded and in memory, into a table with a key: `executemany` for SQLite, psycopg's `copy.write_row`
for PostgreSQL. It reads with one query per series, and aggregates with one query in SQL. PostgreSQL
is Debian's, started as in the tests; without it, its rows are omitted.

The other peer, if installed (`pip install duckdb`), is DuckDB over one Parquet file of the same
columns, sorted by series and compressed with Zstandard, with default row groups. It fetches
numpy arrays, and is compared with SQLite.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pyarrow as pa
import pytest
from comparison import Row, median, progress, report, spread, turn_by_turn
from provider import CONTEXT, POINTS, SERIES, seconds, summed
from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.postgresql import PostgreSQL, postgresql, stop_postgresql

JOBS, TAGS = 40, SERIES // 40
ONE_TAG = RunTagFilter(tags=frozenset(["series/03"]))
TABLE = (
    "CREATE TABLE points (series INTEGER, step BIGINT, wall_time DOUBLE PRECISION, "
    "value DOUBLE PRECISION, PRIMARY KEY (series, step))"
)
QUERY = "SELECT step, wall_time, value FROM points WHERE series = {} ORDER BY step"
AGGREGATE = "SELECT series, count(*), min(value), max(value) FROM points GROUP BY series"


def write_noisy_series(directory: Path) -> None:
    """Losses with noise, and times with jitter: what compresses as real logs do."""
    random = np.random.default_rng(0)
    tags = [f"series/{number:02d}" for number in range(TAGS)]
    falling = np.exp(-np.arange(POINTS) / 2000)[:, np.newaxis]
    for job in range(JOBS):
        folder = directory / f"job{job:02d}"
        folder.mkdir()
        times = 1.7e9 + np.cumsum(random.normal(0.1, 0.005, POINTS))
        values = falling + random.normal(0, 0.05, (POINTS, TAGS))
        events = [
            tensorboard.scalars_event(time, step, dict(zip(tags, row, strict=True)))
            for step, (time, row) in enumerate(zip(times.tolist(), values.tolist(), strict=True))
        ]
        (folder / "events.out.tfevents.1").write_bytes(frames(events, Framing.TFRECORD))


@dataclass(frozen=True, slots=True)
class Reading:
    """A question that both databases answer."""

    what: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    limit: float | None = None
    """Seconds at most for ours; None without a target."""


def reading_rows(
    database: str, peer: str, readings: Iterable[Reading], repeats: int
) -> Iterator[Row]:
    """Seconds of each reading beside a peer's."""
    for reading in readings:
        limit = reading.limit
        ours, theirs = turn_by_turn(
            partial(seconds, reading.ours), partial(seconds, reading.theirs), repeats
        )
        yield Row(
            what=f"{database}: {reading.what} of {POINTS} points",
            peer=peer,
            ours=median(ours),
            theirs=median(theirs),
            unit="s",
            target="" if limit is None else f"<= {1000 * limit:g} ms",
            reached=None if limit is None else median(ours) <= limit,
            note=spread(ours),
        )


class Drivers(ABC):
    """One database with mindviz, and with its driver alone."""

    aim = 2_000_000
    """Points per second of an import."""
    size: str
    """Query for the bytes of a database."""

    def __init__(self, name: str, logs: Path) -> None:
        self.name = name
        self.logs = logs
        self.rows: list[tuple[int, int, float, float]] = []

    @abstractmethod
    def url(self) -> str:
        """The URL of an empty database."""

    @abstractmethod
    def insert(self, rows: Iterable[tuple[Any, ...]]) -> float:
        """Seconds for the driver to store rows in an empty database."""

    @abstractmethod
    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of the data inserted last."""

    def read(self, series: int) -> list[tuple[Any, ...]]:
        """One series of the data inserted last."""
        return self.query(QUERY.format(series))

    def imported(self) -> tuple[str, float]:
        """The URL of a database with all data, and the seconds of its import."""
        url = self.url()
        database = Database(url)
        options = ImportOptions(self.logs, "e", processes=len(os.sched_getaffinity(0)))
        taken = seconds(Importer(database, options).run)
        database.close()
        return url, taken

    def measured(self, repeats: int) -> Iterator[Row]:
        """All rows."""
        progress(f"{self.name}: importing {SERIES * POINTS} points ...")
        ours, theirs = turn_by_turn(
            lambda: self.imported()[1], lambda: self.insert(self.rows), repeats
        )
        rate = SERIES * POINTS / median(ours)
        yield Row(
            what=f"{self.name}: import of {SERIES * POINTS:,} points: {rate:,.0f} points/s",
            peer="a row per point",
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
        assert np.isclose(summed(provider), self.summed(range(SERIES)))
        with database.reading() as connection:
            nbytes = float(connection.execute(text(self.size)).scalar_one()) / (SERIES * POINTS)
        yield Row(
            what=f"{self.name}: size per point",
            peer="a row per point",
            ours=nbytes,
            theirs=float(self.query(self.size)[0][0]) / (SERIES * POINTS),
            unit="bytes",
            target="<= 8 bytes",
            reached=nbytes <= 8,
        )
        readings = (
            Reading(f"all {SERIES} series", lambda: summed(provider), self.summed),
            Reading(f"{JOBS} series", lambda: one_tag(provider), self.one_tag, limit=0.02),
            Reading(f"aggregates of {SERIES}", lambda: aggregates(provider), self.aggregates),
        )
        yield from reading_rows(self.name, "a row per point", readings, repeats)
        database.close()

    def summed(self, series: range = range(SERIES)) -> float:
        """The sum of all columns of these series."""
        return sum(float(np.array(self.read(number)).sum()) for number in series)

    def one_tag(self) -> float:
        """The sum of one tag's series."""
        return self.summed(range(3, SERIES, TAGS))

    def aggregates(self) -> None:
        """Extremes of all series."""
        assert len(self.query(AGGREGATE)) == SERIES


class SQLite(Drivers):
    """A file."""

    size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"

    def __init__(self, directory: Path, logs: Path) -> None:
        super().__init__("SQLite", logs)
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

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """As tuples."""
        return self._connection.execute(statement).fetchall()


class Postgres(Drivers):
    """A server."""

    size = "SELECT sum(pg_total_relation_size(relid)) FROM pg_statio_user_tables"

    def __init__(self, server: PostgreSQL, logs: Path) -> None:
        super().__init__("PostgreSQL", logs)
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

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """As tuples."""
        found: list[tuple[Any, ...]] = self._connection.execute(statement).fetchall()
        return found


def parquet_rows(directory: Path, ours: SQLite, repeats: int) -> Iterator[Row]:
    """Reading the same points with DuckDB from a Parquet file."""
    try:
        import duckdb  # noqa: PLC0415 - an optional peer
    except ImportError:
        progress("no DuckDB")
        return
    path = directory / "points.parquet"
    series, step, wall_time, value = (np.array(column) for column in zip(*ours.rows, strict=True))
    columns = pa.table({"series": series, "step": step, "wall_time": wall_time, "value": value})
    connection = duckdb.connect()
    connection.register("points", columns)

    def write() -> None:
        connection.execute(f"COPY points TO '{path}' (FORMAT parquet, COMPRESSION zstd)")

    def fetched(condition: str) -> float:
        query = (
            f"SELECT step, wall_time, value FROM '{path}' WHERE {condition} ORDER BY series, step"
        )
        found = connection.execute(query).fetchnumpy()
        return sum(float(column.sum()) for column in found.values())

    def aggregate() -> None:
        query = f"SELECT series, count(*), min(value), max(value) FROM '{path}' GROUP BY series"
        assert len(connection.execute(query).fetchall()) == SERIES

    written = seconds(write)
    url = ours.imported()[0]
    database = Database(url)
    provider = StoreProvider.of(SqlStore(database))
    points = SERIES * POINTS
    yield Row(
        what=f"SQLite: size per point (Parquet written in {written:.2f} s)",
        peer="DuckDB, Parquet",
        ours=Path(url).stat().st_size / points,
        theirs=path.stat().st_size / points,
        unit="bytes",
    )
    numbers = ", ".join(str(number) for number in range(3, SERIES, TAGS))
    tag = f"series IN ({numbers})"
    readings = (
        Reading(f"all {SERIES} series", lambda: summed(provider), lambda: fetched("true")),
        Reading(f"{JOBS} series", lambda: one_tag(provider), lambda: fetched(tag)),
        Reading(f"aggregates of {SERIES}", lambda: aggregates(provider), aggregate),
    )
    yield from reading_rows("SQLite", "DuckDB, Parquet", readings, repeats)
    database.close()


@contextmanager
def server() -> Iterator[PostgreSQL | None]:
    """PostgreSQL, if available."""
    try:
        found = postgresql()
    except pytest.skip.Exception as reason:
        progress(f"no PostgreSQL: {reason}")
        yield None
        return
    try:
        yield found
    finally:
        stop_postgresql()


def one_tag(provider: DataProvider) -> float:
    """Read one tag of all jobs."""
    answer = provider.read_scalars(
        CONTEXT, experiment_id="", plugin_name="scalars", run_tag_filter=ONE_TAG
    )
    return sum(float(tags["series/03"].value.sum()) for tags in answer.values())


def aggregates(provider: DataProvider) -> None:
    """Extremes of all series."""
    answer = provider.aggregate_scalars(CONTEXT, experiment_id="", plugin_name="scalars")
    assert sum(map(len, answer.values())) == SERIES


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
        write_noisy_series(logs)
        sqlite = SQLite(directory, logs)
        measured: list[Drivers] = [sqlite]
        if running is not None:
            measured.append(Postgres(running, logs))
        rows = rows_of(measured[0].imported()[0])
        for one in measured:
            one.rows = rows
        report(
            [
                *(row for one in measured for row in one.measured(repeats)),
                *parquet_rows(directory, sqlite, repeats),
            ]
        )


if __name__ == "__main__":
    main()
