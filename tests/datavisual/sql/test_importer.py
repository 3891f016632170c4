from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.generic.data_provider import RequestContext, StoreProvider
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.sampling import minmax
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.time_series import Embedding, Histogram, Tensor
from mindviz.datavisual.sql import importer as importer_module
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.sql.writer import SqlWriter
from mindviz.errors import DamagedValue, DatabaseUnavailable
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.disk_faults import Faults
from tests.imported_logs import imported
from tests.postgresql import PostgreSQL
from tests.proto import tensorboard_pb2 as proto
from tests.provider_logs import write_provider_logs
from tests.written_logs import events, tensorboard_log, write

CONTEXT = RequestContext()
SCALARS: Any = {"experiment_id": "", "plugin_name": "scalars"}
NAME = "tfevents.1"


def read(database: Database, **query: Any) -> dict[tuple[str, str], list[tuple[int, float]]]:
    answer = StoreProvider.of(SqlStore(database)).read_scalars(CONTEXT, **SCALARS, **query)
    return {
        (train_id, tag): list(zip(one.step.tolist(), one.value.tolist(), strict=True))
        for train_id, tags in answer.items()
        for tag, one in tags.items()
    }


def test_imported_data_is_not_read_again(database: Database, base_dir: Path) -> None:
    write_provider_logs(base_dir)
    first = imported(database, base_dir)
    assert (first.train_jobs, first.imported, first.unchanged) == (5, 5, 0)
    assert first.bytes_read == first.bytes > 0
    assert first.points > 0
    assert first.values > 0
    before = repr(read(database))
    again = imported(database, base_dir)
    assert (again.train_jobs, again.unchanged, again.points, again.values) == (0, 5, 0, 0)
    assert repr(read(database)) == before


def test_a_tensor_too_large_for_generic_answers_is_stored_and_reported(
    database: Database, base_dir: Path
) -> None:
    large = np.arange(11 * 2**17).reshape(11, -1)
    values = [
        tensorboard.tensor(tag, array, plugin_name="tensor")
        for tag, array in (("large", large), ("small", large[:1, :2]))
    ]
    write(base_dir, NAME, frames([tensorboard.event(1.0, 1, values)], Framing.TFRECORD))
    imported(database, base_dir)
    store = SqlStore(database)
    store.load_once()
    (finding,) = store.train_job("./").problems
    assert (finding.kind, finding.offset) == (FindingKind.LARGE_TENSOR, 0)
    assert "'large'" in finding.detail
    assert "11534336 bytes" in finding.detail
    stored = store.read_values("./", "tensor", "large").read(0)
    assert isinstance(stored, Tensor)
    np.testing.assert_array_equal(stored.data, large)
    read_tensors = StoreProvider.of(SqlStore(database)).read_tensors(
        CONTEXT, experiment_id="", plugin_name="tensor"
    )
    assert {tag: len(one.step) for tag, one in read_tensors["./"].items()} == {
        "large": 0,
        "small": 1,
    }


def test_assets_of_a_log_are_read_again_when_they_change(
    database: Database, base_dir: Path
) -> None:
    write(base_dir / "a", NAME, tensorboard_log([(1, 1.0)]))
    write(base_dir / "a", "t.tsv", b"1\t2\n")
    assert imported(database, base_dir).values == 0
    config = b'embeddings { tensor_name: "t" tensor_path: "t.tsv" }'
    write(base_dir / "a", "projector_config.pbtxt", config)
    assert imported(database, base_dir).values == 1
    assert embedding_of(database) == [1, 2]
    assert imported(database, base_dir).unchanged == 1
    write(base_dir / "a", "t.tsv", b"3\t4.5\n")
    again = imported(database, base_dir)
    assert (again.points, again.values) == (0, 1)
    assert embedding_of(database) == [3, 4.5]
    (base_dir / "a" / "projector_config.pbtxt").unlink()
    imported(database, base_dir)
    store = SqlStore(database)
    store.load_once()
    assert list(store.list_tags("./a")) == ["scalar"]


def embedding_of(database: Database) -> list[float]:
    store = SqlStore(database)
    store.load_once()
    value = store.read_values("./a", "embedding", "t").read(0)
    assert isinstance(value, Embedding)
    return value.vectors.ravel().tolist()


def test_an_omitted_value_keeps_its_step_and_the_reason(database: Database, base_dir: Path) -> None:
    write_provider_logs(base_dir)
    imported(database, base_dir)
    imported(database, base_dir)
    store = SqlStore(database)
    store.load_once()
    series = store.read_values("./tb/declared", "histogram", "broken/h")
    assert series.step.tolist() == [10, 20, 30]
    assert isinstance(series.read(0), Histogram)
    for row in (1, 2):
        with pytest.raises(DamagedValue, match=r"shape \[3, 2\]"):
            series.read(row)
    numbers = store.read_values("./tb/declared", "tensor", "broken/s")
    assert numbers.step.tolist() == [20, 30]


def test_touched_files_add_nothing(database: Database, base_dir: Path) -> None:
    write_provider_logs(base_dir)
    imported(database, base_dir)
    before = repr(read(database))
    for path in base_dir.rglob("*"):
        if path.suffix not in (".tsv", ".png"):  # their time is that of the step
            path.touch()
    again = imported(database, base_dir)
    assert (again.imported, again.points, again.values) == (5, 0, 0)
    assert repr(read(database)) == before


def test_only_new_data_is_written(database: Database, base_dir: Path) -> None:
    path = write(base_dir, NAME, tensorboard_log([(1, 1.0), (2, 2.0)]))
    imported(database, base_dir)
    with path.open("ab") as file:
        file.write(events([(3, math.nan), (4, math.inf), (5, -math.inf)], start=1_010.0))
    assert imported(database, base_dir).points == 3
    ((steps, values),) = [tuple(zip(*points, strict=True)) for points in read(database).values()]
    assert steps == (1, 2, 3, 4, 5)
    np.testing.assert_array_equal(values, [1.0, 2.0, math.nan, math.inf, -math.inf])


def test_a_series_that_was_rewritten_is_replaced(database: Database, base_dir: Path) -> None:
    path = write(base_dir, NAME, tensorboard_log([(1, 1.0), (2, 2.0), (3, 3.0)]))
    imported(database, base_dir)
    with path.open("ab") as file:
        file.write(events([(2, 20.0), (3, 30.0)], start=1_010.0))
    imported(database, base_dir)
    assert read(database) == {("./", "loss"): [(1, 1.0), (2, 20.0), (3, 30.0)]}
    path.unlink()
    write(base_dir, "tfevents.2", tensorboard_log([(7, 7.0)], tag="other"))
    imported(database, base_dir)
    assert read(database) == {("./", "other"): [(7, 7.0)]}


def test_train_jobs_that_are_gone_stay_in_the_database(database: Database, base_dir: Path) -> None:
    path = write(base_dir / "a", NAME, tensorboard_log([(1, 1.0)]))
    write(base_dir / "b", NAME, tensorboard_log([(1, 2.0)]))
    imported(database, base_dir)
    path.unlink()
    imported(database, base_dir)
    assert set(read(database)) == {("./a", "loss"), ("./b", "loss")}


def test_an_interrupted_import_resumes_after_the_last_whole_run(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_provider_logs(base_dir)
    finish = SqlWriter._finish
    calls = 0

    def interrupted(writer: SqlWriter, *arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        finish(writer, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(SqlWriter, "_finish", interrupted)
        with pytest.raises(KeyboardInterrupt):
            imported(database, base_dir)
    store = SqlStore(database)
    store.load_once()
    assert len(store.list_train_jobs()) == store.status().loaded_train_jobs == 2
    rest = imported(database, base_dir)
    assert (rest.imported, rest.unchanged) == (3, 2)
    fresh = Database(str(base_dir.parent / "fresh.db"))
    imported(fresh, base_dir)
    assert repr(read(database)) == repr(read(fresh))
    fresh.close()


def test_several_processes_decode_the_same_as_one(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_provider_logs(base_dir)
    monkeypatch.setattr(importer_module, "_SMALL", 0)
    progress = imported(database, base_dir, processes=2)
    assert (progress.imported, progress.failed) == (5, {})
    assert len(read(database)) == 6


def test_a_base_dir_without_logs_becomes_an_empty_experiment(
    database: Database, base_dir: Path
) -> None:
    assert imported(database, base_dir).train_jobs == 0
    assert read(database) == {}
    assert SqlStore(database, "e").info().name == "e"


def test_an_import_continues_when_the_database_is_back(
    server: PostgreSQL, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(server.new_database())
    for name in ("a", "b", "c"):
        write(base_dir / name, NAME, tensorboard_log([(1, 1.0), (2, 2.0)]))
    finish = SqlWriter._finish
    restarts: list[threading.Thread] = []

    def stored(writer: SqlWriter, connection: Any, run_id: int, end: Any) -> None:
        if end.run.train_id == "./b" and not restarts:
            server.stop()
            with pytest.raises(DatabaseUnavailable):
                read(database)
            restarts.append(threading.Thread(target=server.start))
            restarts[0].start()
        finish(writer, connection, run_id, end)

    monkeypatch.setattr(SqlWriter, "_finish", stored)
    try:
        imported(database, base_dir)
        assert len(restarts) == 1
        assert set(read(database)) == {("./a", "loss"), ("./b", "loss"), ("./c", "loss")}
    finally:
        for restart in restarts:
            restart.join()
        database.close()


def test_a_job_that_the_database_refuses_does_not_affect_others(
    server: PostgreSQL, base_dir: Path
) -> None:
    database = Database(server.new_database())
    # PostgreSQL can't index it.
    endless = "".join(map(chr, range(33, 5000)))
    refused = tensorboard.strings_tensor(
        "x", [b"x"], (1,), plugin_name=endless, data_class=proto.DATA_CLASS_BLOB_SEQUENCE
    )
    for name in ("a", "c"):
        write(base_dir / name, NAME, tensorboard_log([(1, 1.0), (2, 2.0)]))
    event = tensorboard.event(1.0, 1, [tensorboard.scalar("loss", 1.0), refused])
    write(base_dir / "b", NAME, frames([event], Framing.TFRECORD))
    progress = imported(database, base_dir)
    assert (progress.imported, list(progress.failed)) == (2, ["./b"])
    assert "index row" in progress.failed["./b"]
    assert {train_id for train_id, _ in read(database)} >= {"./a", "./c"}
    again = Importer(database, ImportOptions(base_dir, "e"))
    again.run()
    assert again.progress.train_jobs == 1  # a new command tries it again
    for progress in (again.progress, next(again.watch(0.0))):
        assert (progress.unchanged, progress.imported, list(progress.failed)) == (2, 0, ["./b"])
    assert progress.train_jobs == 0  # watching does not, until its files change
    with (base_dir / "b" / NAME).open("ab") as file:
        file.write(events([(2, 2.0)], start=1_010.0))
    assert next(again.watch(0.0)).train_jobs == 1
    database.close()


def test_a_directory_that_cannot_be_listed_at_the_moment_fails(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        write(base_dir / name, NAME, tensorboard_log([(1, 1.0)]))
    with Faults(monkeypatch).on("scandir", "logs/a"):
        progress = imported(database, base_dir)
    assert (progress.imported, len(progress.failed)) == (1, 1)
    assert "Input/output error" in next(iter(progress.failed.values()))
    assert imported(database, base_dir).imported == 1


def test_waiting_ends_if_a_database_stores_nothing(
    database: Database, base_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(base_dir, NAME, tensorboard_log([(1, 1.0)]))

    def full(*_: object) -> None:
        raise DatabaseUnavailable("The disk is full.")

    monkeypatch.setattr(SqlWriter, "_finish", full)
    with pytest.raises(DatabaseUnavailable, match="full"):
        imported(database, base_dir, patience=0.6)


def test_tags_that_databases_cannot_store_remain_different_series(
    database: Database, base_dir: Path
) -> None:
    values = [tensorboard.scalar(tag, 1.0) for tag in ("a\0b", "a\ufffdb", "loss")]
    write(base_dir, NAME, frames([tensorboard.event(1.0, 1, values)], Framing.TFRECORD))
    assert imported(database, base_dir).failed == {}
    assert set(read(database)) == {("./", "a\ufffdb"), ("./", "a\ufffdb#2"), ("./", "loss")}
    assert imported(database, base_dir).train_jobs == 0


def test_an_unavailable_database_ends_the_import(server: PostgreSQL, base_dir: Path) -> None:
    database = Database(server.new_database())
    server.stop()
    try:
        with pytest.raises(DatabaseUnavailable, match="refused"):
            Importer(database, ImportOptions(base_dir, "e", patience=0)).run()
    finally:
        server.start()


SERIES = st.lists(
    st.one_of(st.floats(width=32), st.sampled_from([math.nan, 0.0, 1.0])), min_size=1, max_size=40
)


@settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    series=st.lists(SERIES, min_size=1, max_size=4),
    kept=st.integers(0, 12),
    first=st.integers(0, 20),
    recent=st.none() | st.integers(0, 30),
)
def test_sql_and_numpy_sample_the_same_points(
    tmp_path_factory: pytest.TempPathFactory,
    series: Sequence[Sequence[float]],
    kept: int,
    first: int,
    recent: int | None,
) -> None:
    directory = tmp_path_factory.mktemp("x")
    for number, values in enumerate(series):
        log = tensorboard_log(list(enumerate(values)))
        write(directory / "logs" / str(number), NAME, log)
    database = Database(str(directory / "x.db"))
    imported(database, directory / "logs")
    wanted = RunTagFilter(tags=frozenset(["loss"]))
    query: Any = {"run_tag_filter": wanted, "steps": StepRange(first, None, recent)}
    whole = read(database, **query)
    for (train_id, _), points in read(
        database, **query, downsample=Downsample(kept, "minmax")
    ).items():
        numbers = np.array([value for _, value in whole[train_id, "loss"]], np.float64)
        rows = minmax(numbers, kept).tolist() if kept and len(numbers) else []
        expected = [whole[train_id, "loss"][row] for row in rows]
        np.testing.assert_array_equal(points, expected)
    database.close()
