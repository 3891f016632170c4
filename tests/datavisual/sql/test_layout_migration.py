from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import BigInteger, Integer, MetaData, select, text

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.layout_migration import migrate
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    DROPPED_VALUES,
    METADATA,
    SCALAR_CHUNKS,
    SCALAR_SUMMARIES,
    SUPERSEDED_CHUNKS,
    TENSORS,
)
from mindviz.errors import DatabaseUnavailable, StartError
from tests.imported_logs import imported
from tests.provider_logs import write_provider_logs
from tests.stored_tables import stored_tables

DATABASES = Path(__file__).parents[2] / "golden" / "databases"
"""The logs of `write_provider_logs`, imported by the last version with each layout."""
VALUES = [
    *(SCALAR_CHUNKS, SUPERSEDED_CHUNKS, SCALAR_SUMMARIES),
    *(TENSORS, BLOB_SEQUENCES, BLOB_CHUNKS, DROPPED_VALUES),
]


@pytest.fixture(params=[2, 3])
def old(request: pytest.FixtureRequest, database: Database, tmp_path: Path) -> Database:
    """Each database with each old layout."""
    content = gzip.decompress((DATABASES / f"layout{request.param}.db.gz").read_bytes())
    file = Path(database.url.database or "") if database.is_sqlite else tmp_path / "old.db"
    file.write_bytes(content)
    if not database.is_sqlite:
        source = Database(str(file))
        copy(source, database)
        source.close()
    return database


def copy(source: Database, target: Database) -> None:
    """Copy all tables from SQLite, which has one type of integers."""
    short = {
        *("layout", "experiment_id", "run_id", "tag_id", "position", "file", "index", "chunk"),
        *("writer_rank", "max_length", "epoch"),
    }
    known = MetaData()
    with source.reading() as connection, target.writing() as created:
        known.reflect(connection)
        for table in known.sorted_tables:
            for column in table.c:
                current = METADATA.tables.get(table.name, table).c.get(column.name, column)
                is_long = isinstance(column.type, Integer) and column.name not in short
                old = BigInteger() if is_long else column.type.as_generic()
                column.type = old if current is column else current.type
        known.create_all(created)
        for table in known.sorted_tables:
            rows = connection.execute(select(table)).mappings().all()
            if rows:
                created.execute(table.insert(), [dict(row) for row in rows])


def values(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All values, without the numbers of editions."""
    with database.reading() as connection:
        return {
            table.name: sorted(
                tuple(row)
                for row in connection.execute(
                    select(*(column for column in table.c if column.name != "edition"))
                )
            )
            for table in VALUES
        }


def test_an_old_database_is_refused_with_a_remedy(old: Database) -> None:
    with pytest.raises(StartError, match=r"layout [23], .*; `mindviz import DIR --db"):
        old.check()


def test_an_import_converts_an_old_database_and_adds_nothing(
    old: Database, base_dir: Path, tmp_path: Path
) -> None:
    write_provider_logs(base_dir)
    progress = imported(old, base_dir)
    assert (progress.failed, progress.points, progress.values) == ({}, 0, 0)
    fresh = Database(str(tmp_path / "fresh.db"))
    imported(fresh, base_dir)
    assert values(old) == values(fresh)
    catalog = ("runs", "run_fields", "run_scalars")
    converted, new = stored_tables(old, of_objects=True), stored_tables(fresh, of_objects=True)
    assert [converted[name] for name in catalog] == [new[name] for name in catalog]
    fresh.close()
    store = SqlStore(old)
    store.load_once()
    assert len(store.list_train_jobs()) == 5
    with old.reading() as connection:
        existing = MetaData()
        existing.reflect(connection)
        assert existing.tables.keys() == METADATA.tables.keys()


def test_a_failed_migration_changes_nothing(old: Database) -> None:
    with old.writing() as connection:
        connection.execute(text("CREATE TABLE shapes (x INTEGER)"))
    with pytest.raises(DatabaseUnavailable, match="shapes"):
        migrate(old)
    with old.writing() as connection:
        connection.execute(text("DROP TABLE shapes"))
    with pytest.raises(StartError, match=r"layout [23]"):
        old.check()
    migrate(old)
    migrate(old)
    old.check()
