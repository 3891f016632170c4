"""Layout migration: converts a database of an earlier version to the current layout.

In one transaction, so an interrupted migration leaves the database as it was.
"""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Double,
    TableClause,
    column,
    select,
    table,
    text,
    update,
)
from sqlalchemy.schema import CreateColumn

from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.sql.catalog import catalog_all
from mindviz.datavisual.sql.column_transfer import insert_rows, read_columns
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.scalar_chunks import chunks_of, superseded_chunks
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    CATALOG,
    CATALOG_COLUMNS,
    LAYOUT,
    LAYOUTS,
    PLAIN_LAYOUT,
    ROW_LAYOUT,
    RUNS,
    SCALAR_CHUNKS,
    SUPERSEDED_CHUNKS,
)

_LOGGER = logging.getLogger(__name__)


def _points(name: str, *more: str) -> TableClause:
    integers = (column(key, BigInteger) for key in ("run_id", "tag_id", *more, "step"))
    return table(name, *integers, column("wall_time", Double), column("value", Double))


_SCALARS = _points("scalars")
_SUPERSEDED = _points("superseded_scalars", "position")

_RENAMED = "old_blob_sequences", "old_blob_chunks"
_BLOBS = (
    """
    INSERT INTO blob_sequences (run_id, tag_id, step, "index", wall_time, length, edition)
    SELECT run_id, tag_id, step, "index", wall_time, coalesce(length, 0), coalesce(s.blob_id, 0)
    FROM old_blob_sequences s LEFT JOIN blobs ON blobs.blob_id = s.blob_id
    """,
    """
    INSERT INTO blob_chunks (run_id, tag_id, step, "index", chunk, data)
    SELECT run_id, tag_id, step, "index", chunk, data
    FROM old_blob_sequences s JOIN old_blob_chunks c ON c.blob_id = s.blob_id
    """,
)
"""Ids of blobs become editions, so that links to them remain valid."""


def migrate(database: Database) -> None:
    """Convert the database if it has an earlier layout. Raises DatabaseUnavailable."""
    with database.writing() as connection:
        # Locks the row in PostgreSQL: two processes must not convert at once.
        layout = connection.execute(select(LAYOUTS.c.layout).with_for_update()).scalar()
        if layout not in (ROW_LAYOUT, PLAIN_LAYOUT):
            return
        _LOGGER.warning("Converting %s to the layout of this version.", database.shown)
        if layout == ROW_LAYOUT:
            _convert_rows(connection)
        _add_catalog(connection)
        connection.execute(update(LAYOUTS).values(layout=LAYOUT))


def _add_catalog(connection: Connection) -> None:
    for name in CATALOG_COLUMNS:
        column = CreateColumn(RUNS.c[name]).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE runs ADD COLUMN {column}"))
    for created in CATALOG:
        created.create(connection)
    catalog_all(connection)
    for index in RUNS.indexes:
        index.create(connection)


def _convert_rows(connection: Connection) -> None:
    for old, new in zip((BLOB_SEQUENCES, BLOB_CHUNKS), _RENAMED, strict=True):
        connection.execute(text(f"ALTER TABLE {old.name} RENAME TO {new}"))
        if connection.dialect.name != "sqlite":  # its names of keys are unique in a schema
            rename = f"ALTER INDEX {old.name}_pkey RENAME TO {new}_pkey"
            connection.execute(text(rename))
    for created in (SCALAR_CHUNKS, SUPERSEDED_CHUNKS, BLOB_SEQUENCES, BLOB_CHUNKS):
        created.create(connection)
    _convert_points(connection)
    for statement in _BLOBS:
        connection.execute(text(statement))
    for dropped in (_SCALARS.name, _SUPERSEDED.name, "blobs", *_RENAMED):
        connection.execute(text(f"DROP TABLE {dropped}"))


def _convert_points(connection: Connection) -> None:
    for old, order in ((_SCALARS, "step"), (_SUPERSEDED, "position")):
        series = select(old.c.run_id, old.c.tag_id).distinct()
        for run_id, tag_id in connection.execute(series).all():
            values = [old.c[name] for name in dict.fromkeys((order, "step", "wall_time", "value"))]
            owned = (old.c.run_id == run_id) & (old.c.tag_id == tag_id)
            columns: Any = read_columns(connection, select(*values).where(owned).order_by(order))
            if old is _SCALARS:
                chunks: Any = chunks_of(tag_id, 0, ScalarPoints(*columns))
            else:
                chunks = superseded_chunks(tag_id, *columns)
            new = SCALAR_CHUNKS if old is _SCALARS else SUPERSEDED_CHUNKS
            insert_rows(connection, new, ((run_id, *chunk) for chunk in chunks))
