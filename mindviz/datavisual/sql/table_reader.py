"""TableReader: reads many series of many train jobs, filtered and sampled in SQL."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import Connection, Select, Table, and_, func, select

from mindviz.datavisual.answer_bounds import KEY_BYTES, AnswerSize, check_series
from mindviz.datavisual.logs.reading.logged_blob import media_type
from mindviz.datavisual.payloads.packed_tensor import unpacked
from mindviz.datavisual.series.blob_key import BlobAddress
from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.generic_series import (
    Blob,
    BlobElements,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarPoints,
    SeriesListing,
    TensorPoints,
)
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import IndexRange, SeriesQuery, index_slice
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.records import SeriesRecord, storable
from mindviz.datavisual.sql.sampled_rows import SampledRows
from mindviz.datavisual.sql.stored_chunks import SelectedPoints, aggregates
from mindviz.datavisual.sql.stored_jobs import experiment_number
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    CHUNK_SIZE,
    RUNS,
    TAGS,
    TENSORS,
)
from mindviz.datavisual.store import SeriesReader
from mindviz.errors import BlobNotFound, DamagedValue, ExperimentNotFound

_T = TypeVar("_T")

_MOST_NAMES = 1000
"""Most names of a filter in SQL; longer filters are applied to the rows."""


@dataclass(frozen=True, slots=True)
class FoundSeries:
    """A series that a query selects."""

    run_id: int
    train_id: str
    record: SeriesRecord


class TableReader(SeriesReader):
    """Reads one experiment of a database."""

    def __init__(self, database: Database, experiment_id: str) -> None:
        """The empty id means the first experiment."""
        self._database = database
        self._experiment_id = experiment_id

    def plugins(self) -> Collection[str]:
        with self._database.reading() as connection:
            query = (
                select(TAGS.c.plugin_name)
                .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
                .where(
                    RUNS.c.experiment_id == experiment_number(connection, self._experiment_id),
                    TAGS.c.data_class != DataClass.UNKNOWN.value,
                    TAGS.c.max_step.is_not(None),
                )
                .distinct()
            )
            return list(connection.execute(query).scalars())

    def runs(self) -> Sequence[RunInfo]:
        with self._database.reading() as connection:
            query = select(RUNS.c.train_id, RUNS.c.display_name, RUNS.c.start_time).where(
                RUNS.c.experiment_id == experiment_number(connection, self._experiment_id)
            )
            return [RunInfo(*row) for row in connection.execute(query)]

    def list_series(self, query: SeriesQuery) -> Nested[SeriesListing]:
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
        return _nested(
            (series, _listing(series.record))
            for series in listed
            if series.record.max_step is not None
        )

    def read_points(self, query: SeriesQuery, size: AnswerSize) -> Nested[ScalarPoints]:
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
            points = _read_points(connection, listed, query, size)
        # It needs values, so it does not run on ranks.
        is_minmax = query.downsample is not None and query.downsample.strategy == "minmax"
        if is_minmax:
            points = [columns.selected(StepRange(), query.downsample) for columns in points]
        return _nested(zip(listed, points, strict=True))

    def aggregate_points(self, query: SeriesQuery) -> Nested[ScalarAggregate]:
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
            series = _series_set(listed)
            if query.steps.most_recent is None:
                found = aggregates(connection, series, query.steps)
            else:
                in_range = replace(query, downsample=None)
                selected = SelectedPoints(connection, series, _lengths(listed), in_range)
                found = [ScalarAggregate.of(points) for points in selected.read()]
        return _nested(
            (series, aggregate)
            for series, aggregate in zip(listed, found, strict=True)
            if aggregate is not None
        )

    def read_tensors(self, query: SeriesQuery, size: AnswerSize) -> Nested[TensorPoints]:
        names = ("step", "wall_time", "dtype", "shape", "data")
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
            numbers = [series for series in listed if series.record.stored_as == DataClass.SCALAR]
            others = [series for series in listed if series.record.stored_as == DataClass.TENSOR]
            sampled = _sampled(connection, TENSORS, others, query)
            rows = self._rows(connection, sampled, names, size)
            points = _read_points(connection, numbers, query, size)
        answer = {
            id(series): _tensors(its_rows) for series, its_rows in zip(others, rows, strict=True)
        }
        for series, columns in zip(numbers, points, strict=True):
            tensors = tuple(np.asarray(value) for value in columns.value)
            answer[id(series)] = TensorPoints(columns.step, columns.wall_time, tensors)
        return _nested((series, answer[id(series)]) for series in listed)

    def read_blob_sequences(self, query: SeriesQuery, size: AnswerSize) -> Nested[BlobElements]:
        names = ("step", "index", "wall_time", "edition")
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
            sampled = _sampled(connection, BLOB_SEQUENCES, listed, query)
            rows = self._rows(connection, sampled, names, size)
        return _nested(
            (series, _elements(its_rows, query.indices, size))
            for series, its_rows in zip(listed, rows, strict=True)
        )

    def _rows(
        self, connection: Connection, sampled: SampledRows, names: Sequence[str], size: AnswerSize
    ) -> list[list[Any]]:
        """The sampled rows of each series, sorted by their key."""
        size.add(sampled.steps, 0)
        statement = sampled.statement(connection, names)
        if sampled.table is TENSORS:
            statement = self._bounded(connection, statement, size)
        fetched = sorted(connection.execute(statement).all(), key=lambda row: row[:3])
        answer: list[list[Any]] = [[] for _ in sampled.series.run_id]
        for number, *row in fetched:
            answer[number].append(row)
        return answer

    def _bounded(
        self, connection: Connection, statement: Select[Any], size: AnswerSize
    ) -> Select[Any]:
        """The statement without tensors over the bound of one tensor. Raises AnswerTooLarge."""
        inner = statement.subquery()
        # Databases compute the length without reading the value.
        octets = func.length if self._database.is_sqlite else func.octet_length
        nbytes = octets(inner.c.data)
        admitted = nbytes <= size.bounds.tensor_bytes
        total = connection.execute(select(func.sum(nbytes)).where(admitted)).scalar()
        size.add(0, int(total or 0))
        return select(*inner.c).where(admitted)

    def read_blob(self, address: BlobAddress) -> Blob:
        table = BLOB_SEQUENCES.c
        query = (
            select(table.run_id, table.tag_id, table.step, table.index, table.length)
            .join(TAGS, (TAGS.c.run_id == table.run_id) & (TAGS.c.tag_id == table.tag_id))
            .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
            .where(
                RUNS.c.train_id == storable(address.train_id),
                TAGS.c.plugin_name == storable(address.plugin_name),
                TAGS.c.tag == storable(address.tag),
                table.step == address.step,
                table.index == address.index,
                table.edition == address.edition,
            )
        )
        with self._database.reading() as connection:
            try:
                number = experiment_number(connection, self._experiment_id)
            except ExperimentNotFound:
                raise BlobNotFound from None
            of_experiment = query.where(RUNS.c.experiment_id == number)
            row = connection.execute(of_experiment).first()
        if row is None:
            raise BlobNotFound
        *key, length = row
        return StoredBlob(self._database, tuple(key), address.edition, length)


def _read_points(
    connection: Connection, listed: Sequence[FoundSeries], query: SeriesQuery, size: AnswerSize
) -> list[ScalarPoints]:
    """The points of each series; adds them to the size first."""
    selected = SelectedPoints(connection, _series_set(listed), _lengths(listed), query)
    size.add(selected.total, 24 * selected.total)
    return list(selected.read())


def _selected_series(
    connection: Connection, experiment_id: str, query: SeriesQuery
) -> list[FoundSeries]:
    """The series that a query selects, by train_id and tag. Raises ExperimentNotFound."""
    statement = (
        select(TAGS, RUNS.c.train_id)
        .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
        .where(
            RUNS.c.experiment_id == experiment_number(connection, experiment_id),
            TAGS.c.plugin_name == storable(query.plugin_name),
            TAGS.c.writer_rank == 0,
            TAGS.c.data_class != DataClass.UNKNOWN.value,
        )
    )
    if query.data_class is not None:
        statement = statement.where(TAGS.c.data_class == query.data_class.value)
    train_ids, tags = query.run_tag_filter.train_ids, query.run_tag_filter.tags
    for column, names in ((RUNS.c.train_id, train_ids), (TAGS.c.tag, tags)):
        if names is not None and len(names) <= _MOST_NAMES:
            statement = statement.where(column.in_([storable(name) for name in names]))
    matches = []
    for count, row in enumerate(connection.execute(statement).mappings(), 1):
        check_series(count)
        if _admits(train_ids, row["train_id"]) and _admits(tags, row["tag"]):
            matches.append(FoundSeries(row["run_id"], row["train_id"], SeriesRecord.of(row)))
    return sorted(matches, key=lambda series: (series.train_id, series.record.tag))


def _admits(names: frozenset[str] | None, name: str) -> bool:
    return names is None or name in names


def _sampled(
    connection: Connection, table: Table, listed: Sequence[FoundSeries], query: SeriesQuery
) -> SampledRows:
    return SampledRows.of(connection, table, _series_set(listed), _lengths(listed), query)


def _lengths(listed: Sequence[FoundSeries]) -> Int64s:
    return np.array([series.record.length for series in listed], np.int64)


def _series_set(listed: Sequence[FoundSeries]) -> SeriesSet:
    return SeriesSet(
        np.array([series.run_id for series in listed], np.int64),
        np.array([series.record.tag_id for series in listed], np.int64),
    )


def _nested(answer: Iterable[tuple[FoundSeries, _T]]) -> Nested[_T]:
    nested: dict[str, dict[str, _T]] = {}
    for series, value in answer:
        nested.setdefault(series.train_id, {})[series.record.tag] = value
    return nested


def _listing(record: SeriesRecord) -> SeriesListing:
    return SeriesListing(
        data_class=DataClass(record.data_class),
        max_step=record.max_step or 0,
        max_wall_time=math.nan if record.max_wall_time is None else record.max_wall_time,
        max_length=record.max_length,
        summary_metadata=record.metadata,
    )


def _tensors(rows: Sequence[Any]) -> TensorPoints:
    return TensorPoints(
        step=np.array([row[0] for row in rows], np.int64),
        wall_time=np.array([row[1] for row in rows], np.float64),
        value=tuple(unpacked(*row[2:]) for row in rows),
    )


def _elements(rows: Sequence[Any], indices: IndexRange, size: AnswerSize) -> BlobElements:
    steps: list[int] = []
    times: list[float | None] = []
    selected: list[tuple[tuple[int, int], ...]] = []
    for step, of_step in groupby(rows, key=itemgetter(0)):
        elements = list(of_step)
        blobs = [(index, edition) for _, index, _, edition in elements if index >= 0]
        blobs_of_step = tuple(blobs[index_slice(indices, len(blobs))])
        size.add(0, KEY_BYTES * len(blobs_of_step))
        steps.append(step)
        times.append(elements[0][2])
        selected.append(blobs_of_step)
    return BlobElements(np.array(steps, np.int64), np.array(times, np.float64), tuple(selected))


class StoredBlob(Blob):
    """A blob in the database, read by chunks."""

    def __init__(self, database: Database, key: tuple[int, ...], edition: int, length: int) -> None:
        """Read the first bytes. Raises DamagedValue, DatabaseUnavailable.

        `key` has the columns that `BLOB_CHUNKS` and `BLOB_SEQUENCES` share.
        """
        self._database = database
        self._key = key
        self.length = length
        # The blobs of an edition never change.
        self.etag = f"{edition:x}-{length:x}"
        self.content_type = media_type(b"".join(self.chunks(0, 64)))

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """As in `Blob`. Also raises DatabaseUnavailable."""
        end = self.length if stop is None else min(stop, self.length)
        while start < end:
            number, offset = divmod(start, CHUNK_SIZE)
            wanted = zip(BLOB_CHUNKS.primary_key, (*self._key, number), strict=True)
            is_chunk = and_(*(column == value for column, value in wanted))
            # A connection per chunk, so that a slow client does not hold one.
            with self._database.reading() as connection:
                stored = connection.execute(select(BLOB_CHUNKS.c.data).where(is_chunk)).scalar()
            data = (stored or b"")[offset : offset + end - start]
            if not data:
                raise DamagedValue("Part of a blob is missing in the database.")
            yield data
            start += len(data)
