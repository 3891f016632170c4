"""Imports while workers, schedulers, databases and disks fail.

Afterwards, the database holds what an undisturbed import of the same files stores, every point as
in the files.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from mindviz.datavisual.sql import importer as importer_module
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import ImportProgress
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.errors import DatabaseUnavailable
from tests.dask_cluster import DaskCluster, dask_cluster
from tests.disk_faults import Faults
from tests.imported_logs import imported, note, write_large_jobs
from tests.mindviz_process import wait_until
from tests.postgresql import PostgreSQL, postgresql
from tests.provider_logs import write_provider_logs
from tests.stored_tables import stored_tables
from tests.written_logs import events, loaded, tensorboard_log, write

NAME = "events.out.tfevents.1.host"
RUNS = 4


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


@pytest.fixture
def server() -> PostgreSQL:
    return postgresql()


@pytest.fixture
def database(server: PostgreSQL) -> Iterator[Database]:
    database = Database(server.new_database())
    database.create()
    yield database
    database.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(running: DaskCluster) -> DaskCluster:
    """With one worker, also after a test that killed processes."""
    running.repair()
    return running


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
    """Transactions that wait for a lock."""
    query = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND wait_event_type = 'Lock'"
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
    progress = imported(database, logs, scheduler=cluster.address)
    assert (progress.imported, progress.unchanged, progress.failed) == (RUNS + 5, 0, {})
    assert progress.bytes_read == progress.bytes
    assert_complete(database, logs, expected)
    again = imported(database, logs, scheduler=cluster.address)
    assert (again.imported, again.unchanged) == (0, RUNS + 5)


def test_runs_of_a_killed_worker_are_imported_by_another(
    database: Database, cluster: DaskCluster, logs: Path, expected: dict[str, list[Any]]
) -> None:
    with in_background(database, logs, scheduler=cluster.address) as result:
        with blocked_import(database):
            wait_until(lambda: waiting_writers(database), "a transaction")
            cluster.kill_worker()
            cluster.repair()
        assert result.result().failed == {}
    assert_complete(database, logs, expected)


def test_a_restarted_scheduler_continues_the_import(
    database: Database, cluster: DaskCluster, logs: Path, expected: dict[str, list[Any]]
) -> None:
    with in_background(database, logs, scheduler=cluster.address) as result:
        with blocked_import(database):
            wait_until(lambda: waiting_writers(database), "a transaction")
            cluster.kill_scheduler()
            cluster.kill_worker()  # it would end with its transaction
            cluster.repair()
        assert result.result().failed == {}
    assert_complete(database, logs, expected)


def test_a_restarted_database_continues_the_import(
    database: Database,
    server: PostgreSQL,
    cluster: DaskCluster,
    logs: Path,
    expected: dict[str, list[Any]],
) -> None:
    with in_background(database, logs, scheduler=cluster.address) as result:
        with suppress(DatabaseUnavailable), blocked_import(database):
            wait_until(lambda: waiting_writers(database), "a transaction")
            server.stop()
        server.start()
        assert result.result().failed == {}
    assert_complete(database, logs, expected)


def test_two_imports_of_the_same_logs_at_once_store_each_run_once(
    database: Database, cluster: DaskCluster, logs: Path, expected: dict[str, list[Any]]
) -> None:
    with (
        in_background(database, logs, scheduler=cluster.address) as first,
        in_background(database, logs) as second,
    ):
        with blocked_import(database):
            wait_until(lambda: waiting_writers(database) == 2, "two transactions")
        results = [first.result(), second.result()]
    assert sum(result.imported for result in results) == RUNS + 5
    assert [result.imported + result.unchanged for result in results] == [RUNS + 5] * 2
    assert_complete(database, logs, expected)


def test_two_imports_grow_the_same_runs(database: Database, tmp_path: Path) -> None:
    base_dir = tmp_path / "logs"
    points = [(step, step / 3) for step in range(40)]
    for number in range(3):
        write(base_dir / f"run{number}", NAME, tensorboard_log(points[:10]))
    imported(database, base_dir)
    for number in range(3):
        with (base_dir / f"run{number}" / NAME).open("ab") as file:
            file.write(events(points[10:], start=1_010.0))
    with (
        in_background(database, base_dir) as first,
        in_background(database, base_dir) as second,
    ):
        with blocked_import(database):
            wait_until(lambda: waiting_writers(database) == 2, "two transactions")
        results = [first.result(), second.result()]
    assert sum(result.points for result in results) == 3 * 30
    store = SqlStore(database)
    store.load_once()
    assert scalars_of(store) == scalars_of(loaded(base_dir))


def test_a_killed_local_process_is_replaced(
    database: Database,
    logs: Path,
    expected: dict[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importer_module, "_SMALL", 0)
    with in_background(database, logs, processes=1) as result:
        with blocked_import(database):
            wait_until(lambda: waiting_writers(database), "a transaction")
            (process,) = multiprocessing.active_children()
            process.kill()
        assert result.result().failed == {}
    assert_complete(database, logs, expected)


def test_workers_without_permission_for_the_logs_store_nothing(
    database: Database, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Faults(monkeypatch).on("open", NAME, errno.EACCES):
        progress = imported(database, logs)
    assert progress.failed["./run00"] == (
        f"run00/{NAME} cannot be read at the moment (Permission denied)."
    )
    assert imported(database, logs).failed == {}
    store = SqlStore(database)
    store.load_once()
    assert scalars_of(store) == scalars_of(loaded(logs))


def test_an_import_continues_when_a_full_disk_has_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(disk), "-o"]
    if subprocess.run([*mount, "size=3m"], check=False, capture_output=True).returncode:
        pytest.skip("needs permission to mount a file system")
    try:
        write_large_jobs(tmp_path / "logs", jobs=3, points=50)
        database = Database(str(disk / "x.db"))
        with in_background(database, tmp_path / "logs") as result:
            wait_until(lambda: "disk is full. Waiting" in caplog.text, "the warning")
            subprocess.run([*mount, "remount,size=64m"], check=True)
            assert result.result().failed == {}
        store = SqlStore(database)
        store.load_once()
        assert scalars_of(store) == scalars_of(loaded(tmp_path / "logs"))
        assert store.status().loaded_train_jobs == 3
        database.close()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_log_truncated_while_it_is_read_is_stored_as_it_is_then(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base_dir = tmp_path / "logs"
    notes = [note(step) for step in range(20)]
    path = write(base_dir, NAME, b"".join(notes))
    real, reads = os.preadv, 0

    def truncating(*arguments: Any) -> int:
        nonlocal reads
        reads += 1
        if reads == 4:  # the first values have been read
            path.write_bytes(b"".join(notes[:10]))
        return real(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(os, "preadv", truncating)
        imported(database, base_dir)
    assert reads > 4
    imported(database, base_dir)
    fresh = Database(str(tmp_path / "fresh.db"))
    imported(fresh, base_dir)
    assert stored_tables(database) == stored_tables(fresh)
    assert len(stored_tables(fresh)["blob_sequences"]) == 10
    fresh.close()
