"""SqlWriter: stores runs in a database; every commit is a consistent state."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)

from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.sql.column_transfer import insert_rows
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.records import Finished, Piece, storable
from mindviz.datavisual.sql.scalar_chunks import CHUNK_POINTS, ScalarChunk, chunks_of, points_of
from mindviz.datavisual.sql.stored_chunks import StoredChunk, joined, listed_chunks, read_chunks
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
from mindviz.errors import DamagedValue, RefusedByDatabase, StartError

_TAG_COLUMNS = attrgetter(*TAGS.c.keys()[1:])
"""A series' record -> its row in `TAGS` without run_id."""
_VALUE_TABLES = (
    *(SCALAR_CHUNKS, SUPERSEDED_CHUNKS, SCALAR_SUMMARIES),
    *(TENSORS, BLOB_SEQUENCES, BLOB_CHUNKS, DROPPED_VALUES),
)


def is_run(experiment_id: int, train_id: str) -> ColumnElement[bool]:
    """Whether a row belongs to this run."""
    return (RUNS.c.experiment_id == experiment_id) & (RUNS.c.train_id == storable(train_id))


class Budget:
    """Size of one commit: small commits are slow, and a failed commit is lost as a whole."""

    def __init__(self, nbytes: int = 16 * 1024 * 1024, seconds: float = 2.0) -> None:
        self._nbytes = nbytes
        self._seconds = seconds
        self._used = 0
        self._begun = 0.0

    def start(self, part: Piece | Finished) -> None:
        """Begin a commit with this part."""
        self._used, self._begun = 0, time.monotonic()
        self.take(part)

    def take(self, part: Piece | Finished) -> None:
        """Add a part."""
        self._used += part.nbytes if isinstance(part, Piece) else 1000

    @property
    def used_up(self) -> bool:
        """Whether to commit now."""
        return self._used >= self._nbytes or time.monotonic() - self._begun >= self._seconds


def experiment_id_of(
    database: Database, name: str, data_location: str, *, may_move: bool = True
) -> int:
    """The key of the experiment with this name, created if missing.

    Raises StartError if it was imported from another directory and must not move;
    DatabaseUnavailable.
    """
    location = storable(data_location)
    with database.writing() as connection:
        query = select(EXPERIMENTS.c.experiment_id, EXPERIMENTS.c.data_location)
        known = connection.execute(query.where(EXPERIMENTS.c.name == name)).first()
        if known is not None:
            experiment_id, before = known
            if before != location and not may_move:
                raise StartError(
                    f"The database has an experiment {name!r} of another directory, {before!r}: "
                    f"name this one with --experiment, or go on with --experiment {name}."
                )
            if before != location:
                ours = EXPERIMENTS.c.experiment_id == experiment_id
                connection.execute(update(EXPERIMENTS).where(ours).values(data_location=location))
            return int(experiment_id)
        statement = insert(EXPERIMENTS).values(
            name=name, description="", data_location=location, creation_time=time.time(), version=0
        )
        (experiment_id,) = connection.execute(statement).inserted_primary_key or (0,)
        return int(experiment_id)


class SqlWriter:
    """Writes one experiment, as its only writer."""

    def __init__(self, database: Database, experiment_id: int) -> None:
        """Raises DatabaseUnavailable."""
        self._database = database
        self._experiment_id = experiment_id
        with database.reading() as connection:
            of_experiment = EXPERIMENTS.c.experiment_id == experiment_id
            query = select(EXPERIMENTS.c.version).where(of_experiment)
            self.version: int = connection.execute(query).scalar_one()
            """Version of the experiment, incremented by every commit."""

    # Writing ------------------------------------------------------------------------------------

    def write(self, parts: Iterator[tuple[str, Piece | Finished]], budget: Budget) -> None:
        """Store the parts of runs, each with its train_id, in commits of at most the budget.

        Raises DatabaseUnavailable, and StartError if another import writes the experiment. Parts
        that were not committed must be written again.
        """
        for part in parts:
            self._commit(part, parts, budget)

    def write_one_by_one(
        self,
        parts: Iterator[tuple[str, Piece | Finished]],
        refused: Callable[[str, RefusedByDatabase], None],
    ) -> None:
        """Store each part in its own commit, and report refused parts.

        `parts` must skip the rest of a refused run. Raises as `write`.
        """
        nothing_else = Budget(nbytes=0)
        for part in parts:
            version = self.version
            try:
                self._commit(part, parts, nothing_else)
            except RefusedByDatabase as error:
                self.version = version
                refused(part[0], error)

    def _commit(
        self,
        part: tuple[str, Piece | Finished],
        parts: Iterator[tuple[str, Piece | Finished]],
        budget: Budget,
    ) -> None:
        """Store this part, and following parts within the budget."""
        with self._database.writing() as connection:
            self._advance(connection)
            self._store(connection, *part)
            budget.start(part[1])
            while not budget.used_up:
                following = next(parts, None)
                if following is None:
                    break
                self._store(connection, *following)
                budget.take(following[1])

    def _advance(self, connection: Connection) -> None:
        of_experiment = EXPERIMENTS.c.experiment_id == self._experiment_id
        changed = connection.execute(
            update(EXPERIMENTS)
            .where(of_experiment, EXPERIMENTS.c.version == self.version)
            .values(version=self.version + 1)
        )
        if changed.rowcount != 1:
            raise StartError(
                "Another import writes into the same experiment; start this one again when it ends."
            )
        self.version += 1

    def _store(self, connection: Connection, train_id: str, part: Piece | Finished) -> None:
        run_id = self._run_id(connection, train_id)
        if isinstance(part, Finished):
            self._finish(connection, run_id, part)
        else:
            self._add(connection, run_id, part)

    def _run_id(self, connection: Connection, train_id: str) -> int:
        """The key of the run, marked as incomplete; created if missing."""
        run_id = connection.execute(
            select(RUNS.c.run_id).where(is_run(self._experiment_id, train_id))
        ).scalar()
        if run_id is not None:
            unfinished = update(RUNS).where(RUNS.c.run_id == run_id)
            connection.execute(unfinished.values(complete=False, version=self.version))
            return int(run_id)
        statement = insert(RUNS).values(
            experiment_id=self._experiment_id,
            train_id=storable(train_id),
            display_name="",
            create_time=time.time(),
            update_time=time.time(),
            points=0,
            is_integrity=True,
            version=self.version,
            complete=False,
        )
        (run_id,) = connection.execute(statement).inserted_primary_key or (0,)
        return int(run_id)

    def _add(self, connection: Connection, run_id: int, piece: Piece) -> None:
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
            self._add_blobs(connection, run_id, piece)
        if piece.dropped:
            dropped = [{"run_id": run_id, **asdict(row)} for row in piece.dropped]
            connection.execute(insert(DROPPED_VALUES), dropped)

    def _add_blobs(self, connection: Connection, run_id: int, piece: Piece) -> None:
        elements: list[tuple[Any, ...]] = []
        chunks: list[tuple[Any, ...]] = []
        for row in piece.blobs:
            step = (run_id, row.tag_id, row.step)
            if not row.blobs:
                elements.append((*step, -1, row.wall_time, 0, self.version))
            for index, blob in enumerate(row.blobs):
                elements.append((*step, index, row.wall_time, len(blob), self.version))
                starts = range(0, len(blob), CHUNK_SIZE)
                chunks += [
                    (*step, index, n, blob[at : at + CHUNK_SIZE]) for n, at in enumerate(starts)
                ]
        insert_rows(connection, BLOB_SEQUENCES, elements)
        insert_rows(connection, BLOB_CHUNKS, chunks)

    def _finish(self, connection: Connection, run_id: int, end: Finished) -> None:
        gone = _tag_ids(connection, TAGS, run_id) - end.tag_ids
        _delete_values(connection, run_id, gone)
        _delete_from(connection, TAGS, run_id, gone)
        for table, rows in ((FINDINGS, end.run.finding_rows()), (LOG_FILES, end.run.file_rows())):
            connection.execute(delete(table).where(table.c.run_id == run_id))
            if rows:
                connection.execute(insert(table), [{"run_id": run_id, **row} for row in rows])
        values = {**end.run.row(), "version": self.version, "complete": True}
        connection.execute(update(RUNS).where(RUNS.c.run_id == run_id).values(values))

    def analyze(self) -> None:
        """Update the statistics of the database's query planner."""
        with self._database.writing() as connection:
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
