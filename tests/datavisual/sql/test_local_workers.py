from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.local_workers import LocalWorkers
from mindviz.datavisual.sql.run_import import Batch, RunResult, Target
from mindviz.datavisual.sql.writer import experiment_id_of
from mindviz.errors import StartError
from tests.written_logs import found_job, tensorboard_log, write


@pytest.fixture
def batch(tmp_path: Path) -> Iterator[Batch]:
    write(tmp_path / "logs", "tfevents.1", tensorboard_log([(1, 1.0), (2, 2.0)]))
    url = str(tmp_path / "x.db")
    database = Database(url)
    database.create()
    target = Target(url, experiment_id_of(database, "e", "logs"), tmp_path / "logs", True)
    yield Batch(target, (found_job(tmp_path / "logs"),))
    database.close()


def results(workers: LocalWorkers, *batches: Batch) -> list[RunResult]:
    return list(workers.results(iter(batches), lambda nbytes, points: None))


def kill_workers() -> None:
    for process in multiprocessing.active_children():
        process.kill()
        process.join()


def test_a_process_that_died_is_replaced(batch: Batch) -> None:
    with LocalWorkers(1) as workers:
        kill_workers()
        assert results(workers, batch) == [RunResult("./", points=2)]


def test_a_run_whose_processes_die_twice_fails(batch: Batch) -> None:
    with LocalWorkers(1) as workers:
        kill_workers()
        (repeated,) = batch.repeated()
        (result,) = results(workers, repeated)
    assert result.may_pass
    assert result.failure == "the process that imported it ended (exit code -9)"


def test_errors_of_a_process_are_raised(batch: Batch) -> None:
    target = Target("", 1, "", verify_all=True, layout=0)
    with LocalWorkers(1) as workers, pytest.raises(StartError, match="another version of mindviz"):
        results(workers, Batch(target, batch.jobs))


def test_each_byte_and_point_is_reported_once(batch: Batch) -> None:
    for processes in (0, 1):
        read = [0, 0]

        def report(nbytes: int, points: int, read: list[int] = read) -> None:
            read[0] += nbytes
            read[1] += points

        with LocalWorkers(processes) as workers:
            assert len(list(workers.results(iter([batch]), report))) == 1
        assert read == [batch.nbytes, 0 if processes else 2]  # the second time, it is unchanged
