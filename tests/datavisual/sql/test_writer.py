from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import Connection, select, text, update

from examples.synthetic_runs import fill
from mindviz.datavisual.sql import scalar_chunks, writer
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.sql.stored_chunks import read_series
from mindviz.datavisual.sql.tables import BLOB_SEQUENCES, SCALAR_CHUNKS
from mindviz.datavisual.sql.writer import RunChanged, SqlWriter, experiment_id_of
from mindviz.errors import DamagedValue
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.imported_logs import imported
from tests.postgresql import PostgreSQL
from tests.proto import tensorboard_pb2 as proto
from tests.written_logs import events, loaded, tensorboard_log, write

NAME = "tfevents.1"


@pytest.fixture
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (scalar_chunks, writer):
        monkeypatch.setattr(module, "CHUNK_POINTS", 16)


def stored_lengths(connection: Connection) -> list[int]:
    query = select(SCALAR_CHUNKS.c.length).order_by(SCALAR_CHUNKS.c.first_rank)
    return list(connection.execute(query).scalars())


def append(path: Path, steps: range) -> None:
    with path.open("ab") as file:
        file.write(events([(step, step / 3) for step in steps], start=1_000.0 + steps.start))


@pytest.mark.usefixtures("short_chunks")
def test_small_chunks_of_a_growing_series_are_merged(database: Database, base_dir: Path) -> None:
    path = write(base_dir, NAME, tensorboard_log([(0, 0.0)]))
    imported(database, base_dir)
    count = 1
    for new in (1, 1, 1, 5, 1, 20, 2, 3, 1, 1):
        append(path, range(count, count + new))
        count += new
        assert imported(database, base_dir).points == new
        with database.reading() as connection:
            lengths = stored_lengths(connection)
        full = [length for length in lengths if length == 16]
        rest = lengths[len(full) :]
        assert sum(lengths) == count
        assert all(length <= 16 for length in lengths)
        assert all(later * 2 < earlier for earlier, later in pairwise(rest))
        store = SqlStore(database)
        store.load_once()
        stored, logged = (one.read_scalars("./", "loss") for one in (store, loaded(base_dir)))
        for name in ("step", "wall_time", "value"):
            assert getattr(stored, name).tobytes() == getattr(logged, name).tobytes()


@pytest.mark.usefixtures("short_chunks")
def test_a_reader_sees_no_merge_that_happens_meanwhile(database: Database, base_dir: Path) -> None:
    path = write(base_dir, NAME, tensorboard_log([(step, step / 3) for step in range(5)]))
    imported(database, base_dir)
    with database.reading() as connection:
        assert stored_lengths(connection) == [5]
        append(path, range(5, 12))
        imported(database, base_dir)
        one = SeriesSet(np.array([1]), np.array([1]))
        (points,) = read_series(connection, one, np.array([5]))
        assert points.step.tolist() == [0, 1, 2, 3, 4]
    with database.reading() as connection:
        assert stored_lengths(connection) == [12]


@pytest.mark.usefixtures("short_chunks")
def test_a_damaged_chunk_is_reported_and_does_not_stop_imports(
    database: Database, base_dir: Path
) -> None:
    path = write(base_dir, NAME, tensorboard_log([(step, 1.0) for step in range(5)]))
    imported(database, base_dir)
    with database.writing() as connection:
        connection.execute(update(SCALAR_CHUNKS).values(data=b"damaged"))
    append(path, range(5, 10))
    assert imported(database, base_dir).points == 5
    store = SqlStore(database)
    store.load_once()
    with pytest.raises(DamagedValue, match="damaged in the database"):
        store.read_scalars("./", "loss")


def test_a_writer_notices_that_another_one_was_first(database: Database, base_dir: Path) -> None:
    write(base_dir, NAME, tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    one = SqlWriter(database, 1)
    for version in (None, 0, 2):  # a new run, and states that are not the stored one
        with pytest.raises(RunChanged):
            one.write("./", version, iter(()))


def test_a_key_that_is_in_use_is_reported_not_tried_again(
    server: PostgreSQL, base_dir: Path
) -> None:
    database = Database(server.new_database())
    for name in "ab":
        write(base_dir / name, NAME, tensorboard_log([(1, 1.0)]))
    imported(database, base_dir)
    with database.writing() as connection:  # as in a copy without its sequences
        connection.execute(text("SELECT setval('runs_run_id_seq', 1, false)"))
    failed = imported(database, base_dir, "other").failed
    assert failed.keys() == {"./a", "./b"}
    assert all("runs_pkey" in reason for reason in failed.values())
    database.close()


def test_runs_are_imported_beside_synthetic_ones(database: Database, base_dir: Path) -> None:
    database.create()
    fill(database, 20)
    write(base_dir, NAME, tensorboard_log([(1, 1.0)]))
    progress = imported(database, base_dir)
    assert (progress.imported, progress.failed) == (1, {})
    store = SqlStore(database, "e")
    store.load_once()
    assert store.list_train_ids() == ["./"]


def test_experiments_are_created_once(database: Database) -> None:
    database.create()
    first, again, other = (experiment_id_of(database, name, "logs") for name in "aab")
    assert first == again != other


def test_a_rewritten_blob_gets_another_edition(database: Database, base_dir: Path) -> None:
    def edition(text: bytes) -> int:
        value = tensorboard.strings_tensor(
            "x", [text], (1,), plugin_name="p", data_class=proto.DATA_CLASS_BLOB_SEQUENCE
        )
        write(base_dir, NAME, frames([tensorboard.event(1.0, 1, [value])], Framing.TFRECORD))
        assert imported(database, base_dir).values == 1
        with database.reading() as connection:
            return int(connection.execute(select(BLOB_SEQUENCES.c.edition)).scalar_one())

    editions = [edition(b"x" * length) for length in (1, 2, 3)]
    assert editions == sorted(set(editions))
