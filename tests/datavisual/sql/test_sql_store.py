"""A database returns the same as the directory that was imported."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.run_listing import JobVersion
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.latest_cache import LatestCache
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.store import LoadStatus, Store
from mindviz.errors import (
    DamagedValue,
    DatabaseUnavailable,
    ExperimentNotFound,
    InvalidQuery,
    TagNotFound,
    TrainJobNotFound,
)
from tests import lineage_logs
from tests.imported_logs import imported
from tests.postgresql import PostgreSQL
from tests.provider_logs import write_provider_logs
from tests.restart_suite import RestartSuite
from tests.written_logs import events, loaded, rows, tensorboard_log, write

NAME = "tfevents.1"
ELSEWHERE = {"hparam"}
"""Tags that are stored as facts of the job."""


def opened(database: Database, experiment_id: str = "") -> SqlStore:
    store = SqlStore(database, experiment_id)
    store.load_once()
    return store


def plain(value: Any) -> Any:
    """Comparable with `==`, including arrays and NaN."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, np.ndarray):
        return value.dtype.name, value.shape, repr(value.tolist())
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return repr(value) if isinstance(value, float) else value


def points(series: ScalarTimeSeries) -> Any:
    """Without the epoch, which depends on the storage."""
    return {name: column for name, column in plain(series).items() if name != "epoch"}


def values(store: Store, train_id: str, plugin_name: str, tag: str) -> Any:
    series = store.read_values(train_id, plugin_name, tag)
    rows_read = []
    for row in range(len(series.step)):
        size = None
        try:
            if plugin_name == "image" and series.read_size is not None:
                size = series.read_size(row)
            value = plain(series.read(row))
        except DamagedValue as error:
            value = str(error)
        rows_read.append((int(series.step[row]), float(series.wall_time[row]), size, value))
    return rows_read, series.data_class, series.variety, series.writers


@pytest.fixture
def logs(base_dir: Path) -> Path:
    write_provider_logs(base_dir)
    lineage_logs.write_mindspore_job(
        base_dir / "trained", lineage_logs.training(), lineage_logs.evaluation({"acc": 0.5})
    )
    return base_dir


def test_jobs_equal_those_of_the_directory(database: Database, logs: Path) -> None:
    imported(database, logs)
    there, here = loaded(logs), opened(database)
    own = {"version", "cache_status"}
    for job, stored in zip(there.list_train_jobs(), here.list_train_jobs(), strict=True):
        for name in {field.name for field in dataclasses.fields(job)} - own:
            if name != "problems":
                assert getattr(job, name) == getattr(stored, name), (job.train_id, name)
        assert set(job.problems) <= set(stored.problems)
        assert list(here.log_files(job.train_id)) == list(there.log_files(job.train_id))
        assert here.read_lineage(job.train_id).facts == there.read_lineage(job.train_id).facts
        assert plain(here.scalar_summaries(job.train_id)) == plain(
            there.scalar_summaries(job.train_id)
        )
    assert [job.train_id for job in here.list_lineages()] == [
        job.train_id for job in there.list_lineages()
    ]
    status = here.status()
    assert (status.load_status, status.train_jobs, status.loaded_train_jobs) == ("loaded", 6, 6)
    assert (status.points, status.files) == (there.status().points, there.status().files)


def test_series_equal_those_of_the_directory(database: Database, logs: Path) -> None:
    imported(database, logs)
    there, here = loaded(logs), opened(database)
    compared = 0
    for job in there.list_train_jobs():
        listed = here.list_tags(job.train_id)
        for plugin_name, tags in there.list_tags(job.train_id).items():
            for tag in tags:
                if tag in ELSEWHERE:
                    continue
                assert tag in listed.get(plugin_name, ()), (job.train_id, plugin_name, tag)
                compared += 1
                if plugin_name == "scalar":
                    for which in ("latest", "all"):
                        logged, stored = (
                            points(of.read_scalars(job.train_id, tag, restarts=which))
                            for of in (there, here)
                        )
                        assert logged == stored, (job.train_id, tag)
                    continue
                logged, stored = (
                    values(of, job.train_id, plugin_name, tag) for of in (there, here)
                )
                assert logged == stored, (job.train_id, plugin_name, tag)
    assert compared > 30


def test_missing_jobs_and_series_are_errors(database: Database, base_dir: Path) -> None:
    write(base_dir, NAME, tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    store = opened(database, "e")
    with pytest.raises(TrainJobNotFound):
        store.read_scalars("./x", "loss")
    with pytest.raises(TagNotFound):
        store.read_scalars("./", "x")
    with pytest.raises(TagNotFound):
        store.read_values("./", "scalar", "loss")
    with pytest.raises(InvalidQuery, match="No writer"):
        store.read_scalars("./", "loss", writer="x")
    with pytest.raises(ExperimentNotFound):
        opened(database, "x")


def test_several_writers_are_separate_lines(database: Database, base_dir: Path) -> None:
    write(base_dir, "tfevents.rank0", tensorboard_log([(1, 1.0), (2, 2.0)], start=100.0))
    write(base_dir, "tfevents.rank1", tensorboard_log([(1, 10.0), (2, 20.0)], start=100.5))
    imported(database, base_dir)
    store = opened(database)
    series = store.read_scalars("./", "loss")
    assert series.writers == ("tfevents.rank0", "tfevents.rank1")
    other = store.read_scalars("./", "loss", writer="tfevents.rank1")
    assert rows(other) == [(1, 10.0), (2, 20.0)]


def test_imports_become_visible_to_every_server(database: Database, base_dir: Path) -> None:
    path = write(base_dir, NAME, tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    other_database = Database(database.url.render_as_string(hide_password=False))
    experiments = [opened(database), opened(other_database)]
    seen = [store.version for store in experiments]
    for store in experiments:
        assert (store.list_tags("./"), store.scalar_summaries("./").total) == (
            {"scalar": ["loss"]},
            (1,),
        )
        store.refresh()
    assert [store.version for store in experiments] == seen
    with path.open("ab") as file:
        file.write(events([(2, 2.0), (3, 3.0)], start=1_010.0))
        file.write(events([(1, 9.0)], tag="acc", start=1_020.0))
    write(base_dir / "b", NAME, tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    for store, version in zip(experiments, seen, strict=True):
        store.refresh()
        assert store.version > version
        assert {job.train_id for job in store.list_train_jobs()} == {"./", "./b"}
        assert store.list_tags("./") == {"scalar": ["acc", "loss"]}
        assert rows(store.read_scalars("./", "loss")) == [(1, 1.0), (2, 2.0), (3, 3.0)]
        assert store.scalar_summaries("./").total == (1, 3)
        assert store.scalar_summaries("./b").total == (1,)
    other_database.close()


def test_it_follows_the_database_by_itself(database: Database, base_dir: Path) -> None:
    write(base_dir, NAME, tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    store = SqlStore(database, reload_interval=0.01)
    store.start()
    try:
        store.wait_until_loaded(30)
        assert store.status().load_status is LoadStatus.LOADED
        write(base_dir / "b", NAME, tensorboard_log([(1, 1.0)]))
        imported(database, base_dir)
        arrived = threading.Event()
        for _ in range(3000):
            if len(store.list_train_jobs()) == 2 or arrived.wait(0.01):
                break
        assert len(store.list_train_jobs()) == 2
    finally:
        store.close()


def test_a_recreated_database_is_read_again(tmp_path: Path, base_dir: Path) -> None:
    path = tmp_path / "x.db"
    write(base_dir / "a", NAME, tensorboard_log([(1, 1.0)]))
    database = Database(str(path))
    imported(database, base_dir)
    store = opened(database)
    assert rows(store.read_scalars("./a", "loss")) == [(1, 1.0)]
    assert [job.train_id for job in store.list_train_jobs()] == ["./a"]
    for file in tmp_path.glob("x.db*"):
        file.unlink()
    with pytest.raises(DatabaseUnavailable):
        store.refresh()
    (problem,) = store.status().problems
    assert "x.db" in problem.detail
    assert store.status().train_jobs == 1
    with pytest.raises(DatabaseUnavailable):
        list(store.list_train_jobs())
    (base_dir / "a").rename(base_dir / "b")
    imported(database, base_dir)
    store.refresh()
    assert store.status().problems == ()
    assert [job.train_id for job in store.list_train_jobs()] == ["./b"]
    with pytest.raises(TrainJobNotFound):
        store.read_scalars("./a", "loss")
    database.close()


def test_questions_fail_cleanly_while_the_server_is_away(
    server: PostgreSQL, base_dir: Path
) -> None:
    write(base_dir, NAME, tensorboard_log([(1, 1.0)]))
    database = Database(server.new_database())
    imported(database, base_dir)
    store = opened(database)
    server.stop()
    try:
        with pytest.raises(DatabaseUnavailable):
            store.read_scalars("./", "loss")
        with pytest.raises(DatabaseUnavailable):
            store.train_job("./")
    finally:
        server.start()
    assert store.train_job("./").points == 1
    assert rows(store.read_scalars("./", "loss")) == [(1, 1.0)]
    database.close()


def test_caches_count_as_memory(tmp_path: Path, base_dir: Path) -> None:
    for name in "ab":
        write(base_dir / name, NAME, tensorboard_log([(1, 1.0)]))
    database = Database(str(tmp_path / "x.db"))
    imported(database, base_dir)
    store = SqlStore(database, max_memory=100)
    store.load_once()
    dropped: list[str] = []
    store.charge_cache("./a", "graph", 60, lambda: dropped.append("a"))
    store.charge_cache("./b", "graph", 60, lambda: dropped.append("b"))
    assert dropped == ["a"]
    with pytest.raises(TrainJobNotFound):
        store.charge_cache("./x", "graph", 1, lambda: None)
    database.close()


APPENDS = st.lists(
    st.lists(st.tuples(st.integers(0, 15), st.integers(-5, 5).map(float)), max_size=6),
    min_size=1,
    max_size=4,
)


@settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(appends=APPENDS)
def test_a_reader_of_increments_always_equals_a_new_reader(
    tmp_path_factory: pytest.TempPathFactory, appends: Sequence[Sequence[tuple[int, float]]]
) -> None:
    directory = tmp_path_factory.mktemp("x")
    path = write(directory / "logs", NAME, tensorboard_log([(0, 0.0)]))
    database = Database(str(directory / "x.db"))
    seen: dict[int, float] = {}
    epoch, total, written = "", 0, 1
    for new in appends:
        with path.open("ab") as file:
            file.write(events(new, start=1_000.0 + written))
        written += len(new)
        imported(database, directory / "logs")
        store, there = opened(database), loaded(directory / "logs")
        increment = store.read_scalars_since("./", "loss", epoch=epoch, total=total)
        if increment.reset:
            seen.clear()
        seen.update(rows(increment.points))
        epoch, total = increment.points.epoch, increment.points.total
        assert sorted(seen.items()) == rows(there.read_scalars("./", "loss"))
        assert total == written
        everything = store.read_scalars("./", "loss", restarts="all")
        assert written_points(everything) == written_points(
            there.read_scalars("./", "loss", restarts="all")
        )
    database.close()


def written_points(series: ScalarTimeSeries) -> list[tuple[float, ...]]:
    """Everything ever written, in any order."""
    columns = (series.step, series.wall_time, series.value, series.superseded)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


class TestRestarts(RestartSuite):
    @staticmethod
    @contextmanager
    def opened(base_dir: Path, scratch: Path) -> Iterator[Store]:
        database = Database(str(scratch / "x.db"))
        imported(database, base_dir)
        yield opened(database)
        database.close()


def test_a_stray_value_is_stored_although_nothing_else_is_new(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write(logs, NAME, tensorboard_log([(1, 1.0), (2, 2.0)]))
    database = Database(str(tmp_path / "x.db"))
    imported(database, logs)
    write(logs, "tfevents.2", tensorboard_log([(0, 9.0)], start=2_000.0))
    imported(database, logs)
    store = opened(database)
    assert rows(store.read_scalars("./", "loss")) == [(1, 1.0), (2, 2.0)]
    written = store.read_scalars("./", "loss", restarts="all")
    assert (rows(written)[-1], written.superseded.tolist()) == ((0, 9.0), [False, False, True])
    assert store.scalar_summaries("./").total == (3,)
    database.close()


def test_listings_and_statistics_equal_those_of_the_files(tmp_path: Path, base_dir: Path) -> None:
    for number in range(3):
        points = [(1, number / 3), (2, -0.5 * number)]
        write(base_dir / str(number), NAME, tensorboard_log(points))
    write(base_dir / "other", NAME, tensorboard_log([(1, 1.0)], tag="accuracy")[:-3])
    database = Database(str(tmp_path / "x.db"))
    imported(database, base_dir)
    store, files = opened(database), loaded(base_dir)
    ours, theirs = store.listing(), files.listing()
    assert ours.train_id == theirs.train_id
    for name in ("create_time", "update_time", "points", "bytes", "files", "problems"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name
    for name in ("formats", "display_name", "session_status", "tags"):
        assert list(getattr(ours, name)) == list(getattr(theirs, name)), name
    infos = store.list_train_jobs()
    assert [info.problems for info in infos] == [job.problems for job in files.list_train_jobs()]
    assert store.job_versions() == [
        JobVersion(info.train_id, info.version, len(info.problems)) for info in infos
    ]
    assert list(infos) == list(infos[:]) == list(store.train_jobs([*ours.train_id, "./gone"]))
    for statistic in ("last", "min", "max_step"):
        assert store.scalar_statistic("loss", statistic) == {
            f"./{n}": getattr(files.scalar_summaries(f"./{n}").stats, statistic)[0]
            for n in range(3)
        }
    database.close()


def test_details_are_read_again_only_after_changes() -> None:
    reads: list[list[int]] = []

    def read(run_ids: Collection[int]) -> dict[int, str]:
        reads.append(sorted(run_ids))
        return {run_id: f"details of {run_id}" for run_id in run_ids if run_id != 3}

    jobs = [SimpleNamespace(run_id=number, version=1) for number in range(5)]
    cache: LatestCache[str] = LatestCache(4)
    assert cache.of(jobs[:1], read, ahead=jobs[:3]) == {0: "details of 0"}
    assert cache.of(jobs[1:3], read) == {1: "details of 1", 2: "details of 2"}
    assert cache.of(jobs[3:4], read) == cache.of(jobs[3:4], read) == {}
    jobs[1].version = 2
    cache.of(jobs[:2], read)
    assert reads == [[0, 1, 2], [3], [1]]
    cache.of(jobs[4:], read)
    cache.of(jobs[2:3], read)  # was dropped
    assert reads[3:] == [[4], [2]]
