"""Sums of all runs follow commits, and read few runs again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, insert, update

from mindviz.datavisual.sql import run_sums
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.run_sums import ExperimentVersion, RunSums
from mindviz.datavisual.sql.tables import EXPERIMENTS, RUNS
from tests.postgresql import postgresql

FORMATS = st.sampled_from([None, "tensorboard", "mindspore"])
CHANGES = st.dictionaries(st.integers(1, 60), st.tuples(FORMATS, st.integers(0, 9)), max_size=12)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    is_sqlite = request.param == "sqlite"
    file = tmp_path_factory.mktemp("db") / "runs.db"
    database = Database(str(file) if is_sqlite else postgresql().new_database())
    database.create()
    with database.writing() as connection:
        rows = [
            {"experiment_id": number, "name": str(number), "data_location": "", "version": 0}
            for number in (1, 2)
        ]
        connection.execute(insert(EXPERIMENTS), [{**row, "creation_time": 0.0} for row in rows])
    yield database
    database.close()


def store(connection: Connection, run_id: int, version: int, **columns: Any) -> None:
    """Insert or replace a run; each third one is of another experiment."""
    connection.execute(delete(RUNS).where(RUNS.c.run_id == run_id))
    row: dict[str, Any] = {
        "run_id": run_id,
        "experiment_id": 2 if run_id % 3 == 0 else 1,
        "version": version,
    }
    times = {"create_time": 0.0, "update_time": 0.0}
    row |= {"train_id": f"./{run_id}", "display_name": "", "is_integrity": True, "complete": True}
    connection.execute(insert(RUNS), [{**row, **times, **columns}])


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    commits=st.lists(CHANGES, max_size=5), block=st.sampled_from([2, 16]), most=st.integers(0, 4)
)
def test_sums_follow_commits(
    database: Database, commits: list[dict[int, tuple[str | None, int]]], block: int, most: int
) -> None:
    stored: dict[int, tuple[str | None, int]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_sums, "BLOCK", block)
        patch.setattr(run_sums, "_MOST_READ", most)
        sums = RunSums((RUNS.c.formats,), (RUNS.c.points,))
        with database.writing() as connection:
            connection.execute(delete(RUNS))
        for version, changes in enumerate(commits, 1):
            with database.writing() as connection:
                for run_id, (formats, points) in changes.items():
                    store(connection, run_id, version, formats=formats, points=points)
            stored |= changes
            expected: dict[tuple[str | None], list[int]] = {}
            for run_id, (formats, points) in stored.items():
                if run_id % 3:
                    runs, total = expected.get((formats,), [0, 0])
                    expected[formats,] = [runs + 1, total + points]
            with database.reading() as connection:
                found = sums.read(connection, ExperimentVersion(1, 0.0, version))
            assert found == expected


def test_a_commit_reads_the_runs_near_the_changed_ones(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "runs.db"))
    database.create()
    with database.writing() as connection:
        row = {"experiment_id": 1, "name": "1", "data_location": "", "version": 1}
        connection.execute(insert(EXPERIMENTS), [{**row, "creation_time": 0.0}])
        for run_id in (1, run_sums.BLOCK, 5 * run_sums.BLOCK + 1):
            store(connection, run_id, 1, experiment_id=1, points=1)
    sums = RunSums((), (RUNS.c.points,))
    with database.reading() as connection:
        assert sums.read(connection, ExperimentVersion(1, 0.0, 1)) == {(): [3, 3]}
    with database.writing() as connection:
        # Only the first one has a later version.
        connection.execute(update(RUNS).values(points=10))
        connection.execute(update(RUNS).where(RUNS.c.run_id == 1).values(version=2))
    with database.reading() as connection:
        assert sums.read(connection, ExperimentVersion(1, 0.0, 2)) == {(): [3, 12]}
        # Another experiment with this number.
        assert sums.read(connection, ExperimentVersion(1, 1.0, 2)) == {(): [3, 30]}
    database.close()
