"""Imports while workers, schedulers, databases, stores and disks fail.

Afterwards, the database holds what an undisturbed import of the same files stores, every point as
in the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import ImportProgress
from mindviz.datavisual.sql.sql_store import SqlStore
from tests.dask_cluster import DaskCluster, dask_cluster
from tests.imported_logs import imported
from tests.mindviz_process import wait_until
from tests.postgresql import PostgreSQL, postgresql
from tests.provider_logs import write_provider_logs
from tests.stored_tables import stored_tables
from tests.written_logs import events, loaded, tensorboard_log, write

NAME = "events.out.tfevents.1.host"
RUNS = 12


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of all formats, and small ones with a restart; some end with a cut record."""
    base_dir = tmp_path_factory.mktemp("faults") / "logs"
    write_provider_logs(base_dir)
    for number in range(RUNS):
        log = tensorboard_log([(step, step / 3 + number) for step in range(50)])
        log += events([(step, -step / 7) for step in range(40, 60)], start=2_000.0)
        write(base_dir / f"run{number:02d}", NAME, log[: len(log) - number % 3])
    return base_dir


@pytest.fixture(scope="module")
def expected(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The tables after an undisturbed import."""
    database = Database(str(tmp_path_factory.mktemp("expected") / "x.db"))
    assert not imported(database, logs).failed
    content = stored_tables(database)
    database.close()
    return content


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with postgresql() as server:
        yield server


@pytest.fixture
def database(server: PostgreSQL) -> Iterator[Database]:
    database = Database(server.new_database())
    database.create()
    yield database
    database.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path) as cluster:
        yield cluster


@contextmanager
def in_background(
    database: Database, base_dir: Path, **options: Any
) -> Iterator[Future[ImportProgress]]:
    """An import in a thread; it has ended at the end of the block."""
    with ThreadPoolExecutor(1) as pool:
        other = Database(database.url.render_as_string(hide_password=False))
        yield pool.submit(imported, other, base_dir, **options)
    other.close()


@contextmanager
def blocked_import(database: Database) -> Iterator[None]:
    """Importers wait in the middle of a transaction until the end of the block."""
    with database.writing() as connection:
        connection.exec_driver_sql("LOCK TABLE scalar_chunks IN ACCESS EXCLUSIVE MODE")
        yield


def waiting_writers(database: Database) -> int:
    """Transactions that wait for the lock."""
    query = (
        "SELECT count(*) FROM pg_locks WHERE relation = 'scalar_chunks'::regclass AND NOT granted"
    )
    with database.reading() as connection:
        return int(connection.exec_driver_sql(query).scalar_one())


def scalars_of(store: Any) -> dict[tuple[str, str], list[bytes]]:
    """Every scalar series, superseded points included."""
    return {
        (job.train_id, tag): [
            getattr(series, name).tobytes() for name in ("step", "wall_time", "value")
        ]
        for job in store.list_train_jobs()
        for tag in store.list_tags(job.train_id).get("scalar", ())
        for series in [store.read_scalars(job.train_id, tag, restarts="all")]
    }


def assert_complete(database: Database, logs: Path, expected: dict[str, list[Any]]) -> None:
    assert stored_tables(database) == expected
    store = SqlStore(database)
    store.load_once()
    assert len(store.list_train_jobs()) == RUNS + 5
    assert scalars_of(store) == scalars_of(loaded(logs))


def test_dask_workers_store_the_same_as_one_process(
    database: Database, cluster: DaskCluster, logs: Path, expected: dict[str, list[Any]]
) -> None:
    workers = [cluster.start_worker(), cluster.start_worker()]
    progress = imported(database, logs, scheduler=cluster.address)
    assert (progress.imported, progress.unchanged, progress.failed) == (RUNS + 5, 0, {})
    assert progress.bytes_read == progress.bytes
    assert_complete(database, logs, expected)
    again = imported(database, logs, scheduler=cluster.address)
    assert (again.imported, again.unchanged) == (0, RUNS + 5)
    assert [worker.poll() for worker in workers] == [None, None]


def test_runs_of_a_killed_worker_are_imported_by_another(
    database: Database, cluster: DaskCluster, logs: Path, expected: dict[str, list[Any]]
) -> None:
    first = cluster.start_worker()
    with in_background(database, logs, scheduler=cluster.address) as result:
        with blocked_import(database):
            wait_until(lambda: waiting_writers(database), "a transaction")
            first.kill()
            first.wait()
            cluster.start_worker()
        assert result.result().failed == {}
    assert_complete(database, logs, expected)
