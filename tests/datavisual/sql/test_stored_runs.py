"""What an import asks about stored runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from mindviz.datavisual.sql import stored_runs
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.stored_jobs import experiment_number
from mindviz.datavisual.sql.stored_runs import RunState, has_more_runs, run_states
from tests.imported_logs import imported
from tests.postgresql import PostgreSQL
from tests.written_logs import tensorboard_log, write

NAMES = ("a", "b%", "c_d", "cxd", "é")


def imported_experiment(database: Database, base_dir: Path) -> int:
    """Import runs of these names; the key of their experiment."""
    for name in NAMES:
        write(base_dir / name, "tfevents.1", tensorboard_log([(0, 1.0)]))
    imported(database, base_dir)
    with database.reading() as connection:
        return experiment_number(connection, "")


@pytest.mark.parametrize("most", [3, 0])
def test_states_are_those_of_the_wanted_runs(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    number = imported_experiment(database, base_dir)
    monkeypatch.setattr(stored_runs, "_MOST_SELECTED", most)
    monkeypatch.setattr(stored_runs, "_BATCH", 2)
    states = run_states(database, number, ["./b%", "./c_d", "./é"] if most else ["./b%"])
    assert states.keys() == ({"./b%", "./c_d", "./é"} if most else {f"./{name}" for name in NAMES})
    status = (base_dir / "b%" / "tfevents.1").stat()
    assert states["./b%"] == RunState("", [("b%/tfevents.1", status.st_size, status.st_mtime_ns)])
    assert run_states(database, number, ["./c%"] if most else []) == {}


def test_runs_are_counted_as_far_as_needed(database: Database, base_dir: Path) -> None:
    imported_experiment(database, base_dir)
    assert has_more_runs(database, len(NAMES) - 1)
    assert not has_more_runs(database, len(NAMES))


def test_postgresql_is_analyzed_after_large_imports_only(
    server: PostgreSQL, base_dir: Path, tmp_path: Path
) -> None:
    database = Database(server.new_database())

    def analyzed_runs() -> int:
        with database.reading() as connection:
            query = text("SELECT reltuples FROM pg_class WHERE relname = 'runs'")
            return int(connection.execute(query).scalar_one())

    for run in range(11):
        write(base_dir / str(run), "tfevents.1", tensorboard_log([(0, 1.0)]))
    imported(database, base_dir)
    assert analyzed_runs() == 11
    write(tmp_path / "other" / "another", "tfevents.1", tensorboard_log([(0, 1.0)]))
    imported(database, tmp_path / "other", may_move=True)
    assert analyzed_runs() == 11
    for run in range(2):
        write(tmp_path / "two" / f"more{run}", "tfevents.1", tensorboard_log([(0, 1.0)]))
    imported(database, tmp_path / "two", may_move=True)
    assert analyzed_runs() == 14
    database.close()


def test_sqlite_is_analyzed(tmp_path: Path, base_dir: Path) -> None:
    database = Database(str(tmp_path / "runs.db"))
    imported_experiment(database, base_dir)
    with database.reading() as connection:
        query = text("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'runs'")
        assert connection.execute(query).scalar_one() > 0
    database.close()
