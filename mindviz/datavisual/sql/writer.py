"""SqlWriter: stores runs in a database; every commit is a consistent state."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from sqlalchemy import (
    Connection,
    Table,
    UniqueConstraint,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.sql.catalog import catalog_run
from mindviz.datavisual.sql.column_transfer import insert_rows
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.records import Finished, Piece, storable
from mindviz.datavisual.sql.scalar_chunks import CHUNK_POINTS, ScalarChunk, chunks_of, points_of
from mindviz.datavisual.sql.stored_chunks import StoredChunk, joined, listed_chunks, read_chunks
from mindviz.datavisual.sql.stored_runs import is_run
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    CHUNK_SIZE,
    DROPPED_VALUES,
    EXPERIMENTS,
    FINDINGS,
    LOG_FILES,
    RUNS,
    SCALAR_CHUNKS,
    SCALAR_SUMMARIES,
    SUPERSEDED_CHUNKS,
    TAGS,
    TENSORS,
)
from mindviz.errors import DamagedValue, MindvizError, StartError

_TAG_COLUMNS = attrgetter(*TAGS.c.keys()[1:])
"""A series' record -> its row in `TAGS` without run_id."""
_DECODED_AHEAD = 32 * 1024 * 1024
"""Bytes of a run that are decoded before its transaction."""
_VALUE_TABLES = (
    *(SCALAR_CHUNKS, SUPERSEDED_CHUNKS, SCALAR_SUMMARIES),
    *(TENSORS, BLOB_SEQUENCES, BLOB_CHUNKS, DROPPED_VALUES),
)


def experiment_id_of(
    database: Database, name: str, data_location: str, *, may_move: bool = True
) -> int:
    """The key of the experiment with this name, created if missing.

    Raises StartError if it was imported from another directory and must not move;
    DatabaseUnavailable.
    """
    location = storable(data_location)
    query = select(EXPERIMENTS.c.experiment_id, EXPERIMENTS.c.data_location)
    known = query.where(EXPERIMENTS.c.name == name)
    with database.writing() as connection:
        row = connection.execute(known).first()
        if row is None:
            values = {"description": "", "creation_time": time.time(), "version": 0}
            connection.execute(
                _insertion(database, EXPERIMENTS, name=name, data_location=location, **values)
            )
            row = connection.execute(known).one()
        experiment_id, before = row
        if before != location and not may_move:
            raise StartError(
                f"The database has an experiment {name!r} of another directory, {before!r}: "
                f"name this one with --experiment, or go on with --experiment {name}."
            )
        if before != location:
            ours = EXPERIMENTS.c.experiment_id == experiment_id
            connection.execute(update(EXPERIMENTS).where(ours).values(data_location=location))
    return int(experiment_id)


def _insertion(database: Database, table: Table, **values: Any) -> Any:
    """Insert a row, unless its unique key exists; waits for transactions that insert the same."""
    dialect: Any = sqlite if database.is_sqlite else postgresql
    (unique,) = (one for one in table.constraints if isinstance(one, UniqueConstraint))
    return (
        dialect.insert(table)
        .values(values)
        .on_conflict_do_nothing(index_elements=list(unique.columns))
    )


class RunChanged(MindvizError):
    """Another import changed or created the run since its stored state was read."""


class SqlWriter:
    """Writes the runs of one experiment, as others may do at the same time."""

    def __init__(self, database: Database, experiment_id: int) -> None:
        self._database = database
        self._experiment_id = experiment_id

    def write(self, train_id: str, version: int | None, parts: Iterator[Piece | Finished]) -> None:
        """Store a run in one transaction; a failure leaves the database as it was.

        `version` is that of the stored run to which `parts` add, None for a new run.
        Raises RunChanged, RefusedByDatabase, DatabaseUnavailable, and the errors of `parts`.
        """
        # Only one process may write to SQLite: decode before that, as far as memory allows.
        ready = _decoded_ahead(parts)
        with self._database.writing() as connection:
            run_id = self._lock(connection, train_id, version)
            edition = self._version(connection) + 1
            for part in chain(_drained(ready), parts):
                if isinstance(part, Finished):
                    self._finish(connection, run_id, part)
                else:
                    _add(connection, run_id, part, edition)

    def _lock(self, connection: Connection, train_id: str, version: int | None) -> int:
        """The key of the run, which no other transaction changes until the end of this one."""
        if version is None:
            creation = _insertion(
                self._database,
                RUNS,
                experiment_id=self._experiment_id,
                train_id=storable(train_id),
                display_name="",
                create_time=time.time(),
                update_time=time.time(),
                points=0,
                is_integrity=True,
                version=0,
                complete=False,
            )
            run_id = connection.execute(creation.returning(RUNS.c.run_id)).scalar()
        else:
            query = select(RUNS.c.run_id).where(
                is_run(self._experiment_id, train_id), RUNS.c.version == version
            )
            run_id = connection.execute(query.with_for_update()).scalar()
        if run_id is None:
            raise RunChanged(f"{train_id} was changed by another import.")
        return int(run_id)

    def _version(self, connection: Connection) -> int:
        of_experiment = EXPERIMENTS.c.experiment_id == self._experiment_id
        query = select(EXPERIMENTS.c.version).where(of_experiment)
        return int(connection.execute(query).scalar_one())

    def _finish(self, connection: Connection, run_id: int, end: Finished) -> None:
        gone = _tag_ids(connection, TAGS, run_id) - end.tag_ids
        _delete_values(connection, run_id, gone)
        _delete_from(connection, TAGS, run_id, gone)
        for table, rows in ((FINDINGS, end.run.finding_rows()), (LOG_FILES, end.run.file_rows())):
            connection.execute(delete(table).where(table.c.run_id == run_id))
            if rows:
                connection.execute(insert(table), [{"run_id": run_id, **row} for row in rows])
        is_ours = RUNS.c.run_id == run_id
        connection.execute(update(RUNS).where(is_ours).values(end.run.row()))
        columns = catalog_run(connection, self._experiment_id, run_id)
        columns |= {"version": self._next_version(connection), "complete": True}
        connection.execute(update(RUNS).where(is_ours).values(columns))

    def _next_version(self, connection: Connection) -> int:
        """Taken last: its lock orders commits by version, so that readers miss none."""
        statement = (
            update(EXPERIMENTS)
            .where(EXPERIMENTS.c.experiment_id == self._experiment_id)
            .values(version=EXPERIMENTS.c.version + 1)
            .returning(EXPERIMENTS.c.version)
        )
        return int(connection.execute(statement).scalar_one())


def _decoded_ahead(parts: Iterator[Piece | Finished]) -> deque[Piece | Finished]:
    ready: deque[Piece | Finished] = deque()
    nbytes = 0
    for part in parts:
        ready.append(part)
        nbytes += part.nbytes if isinstance(part, Piece) else 0
        if nbytes >= _DECODED_AHEAD:
            break
    return ready


def _drained(ready: deque[Piece | Finished]) -> Iterator[Piece | Finished]:
    while ready:
        yield ready.popleft()


def _add(connection: Connection, run_id: int, piece: Piece, edition: int) -> None:
    _delete_values(connection, run_id, {record.tag_id for record in piece.replaced})
    _replace(connection, TAGS, run_id, list(map(_TAG_COLUMNS, piece.series)))
    if piece.scalars:
        chunks = _with_tails(connection, run_id, piece.scalars)
        insert_rows(connection, SCALAR_CHUNKS, ((run_id, *chunk) for chunk in chunks))
    if piece.superseded:
        tag_ids = {chunk.tag_id for chunk in piece.superseded}
        _delete_from(connection, SUPERSEDED_CHUNKS, run_id, tag_ids)
        rows = ((run_id, *chunk) for chunk in piece.superseded)
        insert_rows(connection, SUPERSEDED_CHUNKS, rows)
    _replace(connection, SCALAR_SUMMARIES, run_id, piece.summaries)
    if piece.tensors:
        tensors = (
            (run_id, row.tag_id, row.step, row.wall_time, row.dtype, row.shape, row.data)
            for row in piece.tensors
        )
        insert_rows(connection, TENSORS, tensors)
    if piece.blobs:
        _add_blobs(connection, run_id, piece, edition)
    if piece.dropped:
        dropped = [{"run_id": run_id, **asdict(row)} for row in piece.dropped]
        connection.execute(insert(DROPPED_VALUES), dropped)


def _add_blobs(connection: Connection, run_id: int, piece: Piece, edition: int) -> None:
    elements: list[tuple[Any, ...]] = []
    chunks: list[tuple[Any, ...]] = []
    for row in piece.blobs:
        step = (run_id, row.tag_id, row.step)
        if not row.blobs:
            elements.append((*step, -1, row.wall_time, 0, edition))
        for index, blob in enumerate(row.blobs):
            elements.append((*step, index, row.wall_time, len(blob), edition))
            starts = range(0, len(blob), CHUNK_SIZE)
            chunks += [(*step, index, n, blob[at : at + CHUNK_SIZE]) for n, at in enumerate(starts)]
    insert_rows(connection, BLOB_SEQUENCES, elements)
    insert_rows(connection, BLOB_CHUNKS, chunks)


def analyze(database: Database) -> None:
    """Update the statistics of the database's query planner. Raises DatabaseUnavailable."""
    with database.writing() as connection:
        connection.execute(text("ANALYZE"))


def _with_tails(
    connection: Connection, run_id: int, chunks: Sequence[ScalarChunk]
) -> list[ScalarChunk]:
    """The chunks, merged with small ones at the ends of the stored series, which are deleted.

    A stored chunk is merged if at most twice as many points as follow it are in it. So chunks that
    are not full halve in size toward the end of a series, and a growing series rewrites each point
    a logarithmic number of times.
    """
    new: dict[int, list[ScalarChunk]] = {}
    for chunk in chunks:
        new.setdefault(chunk.tag_id, []).append(chunk)
    grown = [tag_id for tag_id, of_series in new.items() if of_series[0].first_rank]
    if not grown:
        return list(chunks)
    series = SeriesSet(np.full(len(grown), run_id), np.array(grown, np.int64))
    start = [new[tag_id][0].first_rank for tag_id in grown]
    end = [new[tag_id][-1].first_rank + new[tag_id][-1].length for tag_id in grown]
    # Chunks that are not full have fewer points than two full ones.
    tails = listed_chunks(connection, series, np.array(start, np.int64) - 2 * CHUNK_POINTS)
    merged: list[StoredChunk] = []
    for tail in reversed(tails):
        following = end[tail.number] - start[tail.number]
        is_last = tail.first_rank + tail.length == start[tail.number]
        if is_last and tail.length < CHUNK_POINTS and tail.length <= 2 * following:
            start[tail.number] = tail.first_rank
            merged.insert(0, tail)
    if not merged:
        return list(chunks)
    points: dict[int, list[ScalarPoints]] = {}
    try:
        for tail, stored in read_chunks(connection, series, merged):
            points.setdefault(grown[tail.number], []).append(stored)
    except DamagedValue:
        return list(chunks)  # readers report it
    table = SCALAR_CHUNKS.c
    connection.execute(
        delete(SCALAR_CHUNKS).where(
            table.run_id == run_id,
            table.tag_id == bindparam("of_tag"),
            table.first_rank == bindparam("rank"),
        ),
        [{"of_tag": grown[tail.number], "rank": tail.first_rank} for tail in merged],
    )
    first_rank = dict(zip(grown, start, strict=True))
    for tag_id, stored_parts in points.items():
        parts = [*stored_parts, *(points_of(chunk.data, chunk.length) for chunk in new[tag_id])]
        new[tag_id] = list(chunks_of(tag_id, first_rank[tag_id], joined(parts)))
    return [chunk for of_series in new.values() for chunk in of_series]


def _tag_ids(connection: Connection, table: Table, run_id: int) -> set[int]:
    return set(connection.execute(select(table.c.tag_id).where(table.c.run_id == run_id)).scalars())


def _delete_from(
    connection: Connection, table: Table, run_id: int, tag_ids: Collection[int]
) -> None:
    if tag_ids:
        is_of_series = (table.c.run_id == run_id) & (table.c.tag_id == bindparam("of_tag"))
        rows = [{"of_tag": tag_id} for tag_id in tag_ids]
        connection.execute(delete(table).where(is_of_series), rows)


def _delete_values(connection: Connection, run_id: int, tag_ids: Collection[int]) -> None:
    """Delete all rows of some series except those in `TAGS`."""
    for table in _VALUE_TABLES:
        _delete_from(connection, table, run_id, tag_ids)


def _replace(
    connection: Connection, table: Table, run_id: int, rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows without run_id, keyed by their first column, the tag; replaces equal keys."""
    if rows:
        stored = _tag_ids(connection, table, run_id)
        _delete_from(connection, table, run_id, stored & {row[0] for row in rows})
        insert_rows(connection, table, ((run_id, *row) for row in rows))
