"""The data provider in process: 800 series at once, and one train job among many.

    python benchmarks/provider.py [--repeats N]

The peer is SQLite with the same points in a table keyed by series and step, read with one query
into the same columns. The second row has no peer: it compares listing one of 10,000 train jobs with
listing a single one, which cost the same if the others are not touched.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from comparison import Row, median, progress, report, spread, turn_by_turn

from mindviz.config import Config
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext, StoreProvider
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

SERIES, POINTS = 800, 5_000
JOBS = 10_000
CONTEXT = RequestContext()


def provider_of(base_dir: Path) -> DataProvider:
    """Everything in a directory, loaded."""
    store = LogStore(Config(base_dir, reload_interval=0, inotify=False))
    store.load_once()
    return StoreProvider.of(store)


def write_series(directory: Path) -> None:
    """40 train jobs of 20 series."""
    for job in range(40):
        folder = directory / f"job{job:02d}"
        folder.mkdir()
        tags = [f"series/{number:02d}" for number in range(20)]
        events = [
            tensorboard.scalars_event(1e9 + step, step, dict.fromkeys(tags, step / (1 + job)))
            for step in range(POINTS)
        ]
        (folder / "events.out.tfevents.1").write_bytes(frames(events, Framing.TFRECORD))


def summed(provider: DataProvider) -> float:
    """Read everything, and access each number once."""
    answer = provider.read_scalars(CONTEXT, experiment_id="", plugin_name="scalars")
    return sum(
        float(columns.step.sum()) + float(columns.wall_time.sum()) + float(columns.value.sum())
        for tags in answer.values()
        for columns in tags.values()
    )


def sqlite_of(provider: DataProvider, path: Path) -> sqlite3.Connection:
    """The same points in a table."""
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE scalars (series INTEGER, step INTEGER, wall_time REAL, value REAL, "
        "PRIMARY KEY (series, step)) WITHOUT ROWID"
    )
    answer = provider.read_scalars(CONTEXT, experiment_id="", plugin_name="scalars")
    every = [columns for tags in answer.values() for columns in tags.values()]
    for number, one in enumerate(every):
        columns = (one.step.tolist(), one.wall_time.tolist(), one.value.tolist())
        rows = ((number, *row) for row in zip(*columns, strict=True))
        connection.executemany("INSERT INTO scalars VALUES (?, ?, ?, ?)", rows)
    connection.commit()
    return connection


def summed_by_sqlite(connection: sqlite3.Connection) -> float:
    """The same from the table: rows to columns, and a sum over each."""
    total = 0.0
    query = "SELECT step, wall_time, value FROM scalars WHERE series = ? ORDER BY step"
    for number in range(SERIES):
        rows = np.array(connection.execute(query, (number,)).fetchall())
        total += float(rows.sum())
    return total


def seconds(function: Callable[[], object]) -> float:
    """The duration of a call."""
    begun = time.perf_counter()
    function()
    return time.perf_counter() - begun


def series_row(directory: Path, repeats: int) -> Row:
    """All points of 800 series."""
    progress(f"{SERIES} series of {POINTS} points ...")
    logs = directory / "series"
    logs.mkdir()
    write_series(logs)
    provider = provider_of(logs)
    connection = sqlite_of(provider, directory / "series.db")
    assert np.isclose(summed(provider), summed_by_sqlite(connection))
    ours, theirs = turn_by_turn(
        lambda: seconds(lambda: summed(provider)),
        lambda: seconds(lambda: summed_by_sqlite(connection)),
        repeats,
    )
    connection.close()
    return Row(
        what=f"read_scalars, {SERIES} series of {POINTS} points",
        peer="SQLite",
        ours=1000 * median(ours),
        theirs=1000 * median(theirs),
        unit="ms",
        target="< 50 ms",
        reached=median(ours) < 0.05,
        note=spread([1000 * one for one in ours]),
    )


def listing_row(directory: Path, repeats: int) -> Row:
    """One train job of 10,000 by its name, compared with a single one in a base dir."""
    progress(f"{JOBS} train jobs ...")
    log = frames([tensorboard.scalars_event(1e9, 1, {"loss": 1.0})], Framing.TFRECORD)
    for name, jobs in (("many", JOBS), ("one", 1)):
        for number in range(jobs):
            folder = directory / name / f"job{number}"
            folder.mkdir(parents=True)
            (folder / "events.out.tfevents.1").write_bytes(log)
    wanted = RunTagFilter(train_ids=frozenset(["./job0"]))

    def listed(provider: DataProvider) -> float:
        def lists() -> None:
            for _ in range(1000):
                answer = provider.list_scalars(
                    CONTEXT, experiment_id="", plugin_name="scalars", run_tag_filter=wanted
                )
                assert list(answer) == ["./job0"]

        return seconds(lists)

    many, one = provider_of(directory / "many"), provider_of(directory / "one")
    ours, theirs = turn_by_turn(lambda: listed(many), lambda: listed(one), repeats)
    return Row(
        what=f"list_scalars of one of {JOBS} train jobs",
        peer="the only one there is",
        ours=1000 * median(ours),
        theirs=1000 * median(theirs),
        unit="us",
        target=">= 0.5x",
        reached=median(ours) <= 2 * median(theirs),
        note=spread([1000 * each for each in ours]),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        report([series_row(directory, repeats), listing_row(directory, repeats)])


if __name__ == "__main__":
    main()
