"""TableReader: reads many series of many train jobs, filtered and sampled in SQL."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import Connection, Select, Table, func, select

from mindviz.answer_memory import holding
from mindviz.datavisual.answer_bounds import KEY_BYTES, AnswerSize, check_series
from mindviz.datavisual.logs.reading.logged_blob import media_type
from mindviz.datavisual.payloads.packed_tensor import unpacked
from mindviz.datavisual.series.blob_key import BlobAddress
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
from mindviz.datavisual.sql.sampled_rows import Points, SampledRows, read_points
from mindviz.datavisual.sql.stored_jobs import experiment_number
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    BLOBS,
    CHUNK_SIZE,
    RUNS,
    SCALARS,
    TAGS,
    TENSORS,
)
from mindviz.datavisual.store import SeriesReader
from mindviz.errors import BlobNotFound, DamagedValue, ExperimentNotFound

_T = TypeVar("_T")

_MOST_NAMES = 1000
"""Most names of a filter in SQL; longer filters are applied to the rows."""
_PART_POINTS = 250_000
"""Points in memory at a time while series are aggregated; a longer series is read whole."""


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
            sampled = _sampled(connection, SCALARS, listed, query)
            size.add(sampled.steps, 24 * sampled.steps)
            points = read_points(connection, sampled)
        # Ten times as fast as in SQL, where four window functions find the extremes.
        is_minmax = query.downsample is not None and query.downsample.strategy == "minmax"
        downsample = query.downsample if is_minmax else None
        return _nested(
            (series, columns.selected(StepRange(), downsample))
            for series, columns in _each(listed, points)
        )

    def aggregate_points(self, query: SeriesQuery) -> Nested[ScalarAggregate]:
        answer: dict[str, dict[str, ScalarAggregate]] = {}
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
            for part in _parts(listed):
                in_range = _series_set(part).of_range(query.steps)
                lengths = [series.record.length for series in part]
                whole = SampledRows(SCALARS, in_range, None, sum(lengths), max(lengths))
                with holding(24 * whole.steps):
                    for series, columns in _each(part, read_points(connection, whole)):
                        aggregate = ScalarAggregate.of(columns)
                        if aggregate is not None:
                            answer.setdefault(series.train_id, {})[series.record.tag] = aggregate
        return answer

    def read_tensors(self, query: SeriesQuery, size: AnswerSize) -> Nested[TensorPoints]:
        names = ("step", "wall_time", "dtype", "shape", "data")
        with self._database.reading() as connection:
            listed = _selected_series(connection, self._experiment_id, query)
            numbers = [series for series in listed if series.record.stored_as == DataClass.SCALAR]
            others = [series for series in listed if series.record.stored_as == DataClass.TENSOR]
            sampled = _sampled(connection, TENSORS, others, query)
            rows = self._rows(connection, sampled, names, size)
            sampled = _sampled(connection, SCALARS, numbers, query)
            size.add(sampled.steps, 24 * sampled.steps)
            points = read_points(connection, sampled)
        answer = {
            id(series): _tensors(its_rows) for series, its_rows in zip(others, rows, strict=True)
        }
        for series, columns in _each(numbers, points):
            tensors = tuple(np.asarray(value) for value in columns.value)
            answer[id(series)] = TensorPoints(columns.step, columns.wall_time, tensors)
        return _nested((series, answer[id(series)]) for series in listed)

    def read_blob_sequences(self, query: SeriesQuery, size: AnswerSize) -> Nested[BlobElements]:
        names = ("step", "index", "wall_time", "blob_id")
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
        query = (
            select(BLOBS.c.length)
            .join(BLOB_SEQUENCES, BLOB_SEQUENCES.c.blob_id == BLOBS.c.blob_id)
            .join(
                TAGS,
                (TAGS.c.run_id == BLOB_SEQUENCES.c.run_id)
                & (TAGS.c.tag_id == BLOB_SEQUENCES.c.tag_id),
            )
            .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
            .where(
                RUNS.c.train_id == storable(address.train_id),
                TAGS.c.plugin_name == storable(address.plugin_name),
                TAGS.c.tag == storable(address.tag),
                BLOB_SEQUENCES.c.step == address.step,
                BLOB_SEQUENCES.c.index == address.index,
                BLOB_SEQUENCES.c.blob_id == address.edition,
            )
        )
        with self._database.reading() as connection:
            try:
                number = experiment_number(connection, self._experiment_id)
            except ExperimentNotFound:
                raise BlobNotFound from None
            of_experiment = query.where(RUNS.c.experiment_id == number)
            length = connection.execute(of_experiment).scalar()
        if length is None:
            raise BlobNotFound
        return StoredBlob(self._database, address.edition, length)


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
    lengths = np.array([series.record.length for series in listed], np.int64)
    return SampledRows.of(connection, table, _series_set(listed), lengths, query)


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


def _each(
    listed: Sequence[FoundSeries], points: Points
) -> Iterator[tuple[FoundSeries, ScalarPoints]]:
    """Each series with its points, which may be empty."""
    ends = np.searchsorted(points.number, np.arange(len(listed) + 1)).tolist()
    for series, (start, end) in zip(listed, pairwise(ends), strict=True):
        part = slice(start, end)
        yield (series, ScalarPoints(points.step[part], points.wall_time[part], points.value[part]))


def _parts(listed: Sequence[FoundSeries]) -> Iterator[list[FoundSeries]]:
    """The series in groups of about _PART_POINTS points."""
    part = np.cumsum([series.record.length for series in listed]) // _PART_POINTS
    for _, group in groupby(zip(part.tolist(), listed, strict=True), key=itemgetter(0)):
        yield [series for _, series in group]


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
        blobs = [(index, blob_id) for _, index, _, blob_id in elements if blob_id is not None]
        blobs_of_step = tuple(blobs[index_slice(indices, len(blobs))])
        size.add(0, KEY_BYTES * len(blobs_of_step))
        steps.append(step)
        times.append(elements[0][2])
        selected.append(blobs_of_step)
    return BlobElements(np.array(steps, np.int64), np.array(times, np.float64), tuple(selected))


class StoredBlob(Blob):
    """A blob in the database, read by chunks."""

    def __init__(self, database: Database, blob_id: int, length: int) -> None:
        """Read the first bytes. Raises DamagedValue, DatabaseUnavailable."""
        self._database = database
        self._blob_id = blob_id
        self.length = length
        # Blobs never change.
        self.etag = f"{blob_id:x}-{length:x}"
        self.content_type = media_type(b"".join(self.chunks(0, 64)))

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """As in `Blob`. Also raises DatabaseUnavailable."""
        end = self.length if stop is None else min(stop, self.length)
        while start < end:
            number, offset = divmod(start, CHUNK_SIZE)
            is_chunk = (BLOB_CHUNKS.c.blob_id == self._blob_id) & (BLOB_CHUNKS.c.chunk == number)
            # A connection per chunk, so that a slow client does not hold one.
            with self._database.reading() as connection:
                stored = connection.execute(select(BLOB_CHUNKS.c.data).where(is_chunk)).scalar()
            data = (stored or b"")[offset : offset + end - start]
            if not data:
                raise DamagedValue("Part of a blob is missing in the database.")
            yield data
            start += len(data)
