"""SqlProvider: a DataProvider over the experiments in a database."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import Connection, Select, Table, func, select

from mindviz.datavisual.generic.answer_bounds import (
    AnswerBounds,
    AnswerSize,
    check_query,
    index_slice,
)
from mindviz.datavisual.generic.blob_key import BlobAddress
from mindviz.datavisual.generic.data_provider import (
    Blob,
    BlobReference,
    BlobSequenceColumns,
    DataProvider,
    ExperimentInfo,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarColumns,
    SeriesListing,
    TensorColumns,
)
from mindviz.datavisual.generic.last_value import with_session_value
from mindviz.datavisual.generic.series_query import IndexRange, RequestContext, SeriesQuery
from mindviz.datavisual.payloads.packed_tensor import unpacked
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.found_series import (
    FoundSeries,
    experiment_number,
    experiment_row,
    read_session_values,
    series_of,
)
from mindviz.datavisual.sql.queries import SeriesSet, aggregates
from mindviz.datavisual.sql.records import SeriesRecord, storable
from mindviz.datavisual.sql.sampled_rows import (
    Points,
    SampledRows,
    read_extremes,
    read_points,
)
from mindviz.datavisual.sql.stored_blob import StoredBlob
from mindviz.datavisual.sql.tables import (
    BLOB_SEQUENCES,
    BLOBS,
    EXPERIMENTS,
    RUNS,
    SCALARS,
    TAGS,
    TENSORS,
)
from mindviz.errors import BlobNotFound

T = TypeVar("T")


class SqlProvider(DataProvider):
    """Reads all experiments of one database, which it neither opens nor closes."""

    def __init__(self, database: Database, bounds: AnswerBounds = AnswerBounds()) -> None:
        self._database = database
        self._bounds = bounds

    # Lists --------------------------------------------------------------------------------------

    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        with self._database.reading() as connection:
            row = experiment_row(connection, experiment_id)
        return ExperimentInfo(
            experiment_id=row["name"],
            data_location=self._database.shown,
            name=row["name"],
            description=row["description"],
            creation_time=row["creation_time"],
        )

    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        with self._database.reading() as connection:
            query = (
                select(TAGS.c.plugin_name)
                .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
                .where(
                    RUNS.c.experiment_id == experiment_number(connection, experiment_id),
                    TAGS.c.data_class != DataClass.UNKNOWN.value,
                    TAGS.c.max_step.is_not(None),
                )
                .distinct()
            )
            return sorted(connection.execute(query).scalars())

    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        with self._database.reading() as connection:
            query = select(RUNS.c.train_id, RUNS.c.display_name, RUNS.c.start_time).where(
                RUNS.c.experiment_id == experiment_number(connection, experiment_id)
            )
            runs = [RunInfo(*row) for row in connection.execute(query)]
        return sorted(runs, key=RunInfo.place)

    def listings(self, context: RequestContext, query: SeriesQuery) -> Nested[SeriesListing]:
        with self._database.reading() as connection:
            found = series_of(connection, query)
        return _nested(
            (series, _listing(series.record))
            for series in found
            if series.record.max_step is not None
        )

    # Reads --------------------------------------------------------------------------------------

    def scalars(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarColumns]:
        check_query(query)
        with self._database.reading() as connection:
            found = series_of(connection, query)
            sampled = _sampled(connection, SCALARS, found, query)
            AnswerSize(self._bounds).add(sampled.steps, 24 * sampled.steps)
            downsample = query.downsample
            if downsample is not None and downsample.strategy == "minmax":
                points = read_extremes(connection, sampled, downsample.num_points)
            else:
                points = read_points(connection, sampled)
            sessions = read_session_values(connection, found, query)
        return _nested(
            (one, with_session_value(columns, sessions.get((one.run_id, one.record.tag)), query))
            for one, columns in _each(found, points)
        )

    def aggregates(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarAggregate]:
        with self._database.reading() as connection:
            found = series_of(connection, query)
            wanted = _series_set(found).of_range(query.steps)
            statement = aggregates(connection, wanted)
            answer = {row[0]: row[1:] for row in connection.execute(statement)}
        return _nested(
            (series, _aggregate(answer[n])) for n, series in enumerate(found) if n in answer
        )

    def tensors(self, context: RequestContext, query: SeriesQuery) -> Nested[TensorColumns]:
        check_query(query)
        names = ("step", "wall_time", "dtype", "shape", "data")
        size = AnswerSize(self._bounds)
        with self._database.reading() as connection:
            found = series_of(connection, query)
            numbers = [one for one in found if one.record.stored_as == DataClass.SCALAR]
            others = [one for one in found if one.record.stored_as == DataClass.TENSOR]
            sampled = _sampled(connection, TENSORS, others, query)
            rows = self._rows(connection, sampled, names, size)
            sampled = _sampled(connection, SCALARS, numbers, query)
            size.add(sampled.steps, 24 * sampled.steps)
            points = read_points(connection, sampled)
        answer = {id(one): _tensors(of_one) for one, of_one in zip(others, rows, strict=True)}
        for one, columns in _each(numbers, points):
            tensors = tuple(np.asarray(value) for value in columns.value)
            answer[id(one)] = TensorColumns(columns.step, columns.wall_time, tensors)
        return _nested((one, answer[id(one)]) for one in found)

    def blob_sequences(
        self, context: RequestContext, query: SeriesQuery
    ) -> Nested[BlobSequenceColumns]:
        check_query(query)
        names = ("step", "index", "wall_time", "blob_id")
        with self._database.reading() as connection:
            name = experiment_row(connection, query.experiment_id)["name"]
            found = series_of(connection, query)
            size = AnswerSize(self._bounds)
            sampled = _sampled(connection, BLOB_SEQUENCES, found, query)
            rows = self._rows(connection, sampled, names, size)
        return _nested(
            (one, _sequences(name, one, of_one, query.indices))
            for one, of_one in zip(found, rows, strict=True)
        )

    def _rows(
        self, connection: Connection, sampled: SampledRows, names: Sequence[str], size: AnswerSize
    ) -> list[list[Any]]:
        """Of each series the rows that are asked for, in the order of their key."""
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
        """Without tensors that are too large for an answer. Raises AnswerTooLarge."""
        inner = statement.subquery()
        # The length of a value is known without reading it.
        octets = func.length if self._database.is_sqlite else func.octet_length
        nbytes = octets(inner.c.data)
        admitted = nbytes <= self._bounds.tensor_bytes
        total = connection.execute(select(func.sum(nbytes)).where(admitted)).scalar()
        size.add(0, int(total or 0))
        return select(*inner.c).where(admitted)

    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        address = BlobAddress.of(blob_key)
        query = (
            select(BLOBS.c.length)
            .join(BLOB_SEQUENCES, BLOB_SEQUENCES.c.blob_id == BLOBS.c.blob_id)
            .join(
                TAGS,
                (TAGS.c.run_id == BLOB_SEQUENCES.c.run_id)
                & (TAGS.c.tag_id == BLOB_SEQUENCES.c.tag_id),
            )
            .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
            .join(EXPERIMENTS, EXPERIMENTS.c.experiment_id == RUNS.c.experiment_id)
            .where(
                EXPERIMENTS.c.name == storable(address.experiment_id),
                RUNS.c.train_id == storable(address.train_id),
                TAGS.c.plugin_name == storable(address.plugin_name),
                TAGS.c.tag == storable(address.tag),
                BLOB_SEQUENCES.c.step == address.step,
                BLOB_SEQUENCES.c.index == address.index,
                BLOB_SEQUENCES.c.blob_id == address.edition,
            )
        )
        with self._database.reading() as connection:
            length = connection.execute(query).scalar()
        if length is None:
            raise BlobNotFound
        return StoredBlob(self._database, address.edition, length)


def _sampled(
    connection: Connection,
    table: Table,
    found: Sequence[FoundSeries],
    query: SeriesQuery,
) -> SampledRows:
    lengths = np.array([series.record.length for series in found], np.int64)
    return SampledRows.of(
        connection,
        table,
        _series_set(found),
        lengths=lengths,
        steps=query.steps,
        downsample=query.downsample,
    )


def _series_set(found: Sequence[FoundSeries]) -> SeriesSet:
    return SeriesSet(
        np.array([series.run_id for series in found], np.int64),
        np.array([series.record.tag_id for series in found], np.int64),
    )


def _nested(answer: Iterable[tuple[FoundSeries, T]]) -> dict[str, dict[str, T]]:
    """train_id -> tag -> what belongs to the series."""
    nested: dict[str, dict[str, T]] = {}
    for series, one in answer:
        nested.setdefault(series.train_id, {})[series.record.tag] = one
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
    found: Sequence[FoundSeries], points: Points
) -> Iterator[tuple[FoundSeries, ScalarColumns]]:
    """Each series with its points, which are none if it has none."""
    ends = np.searchsorted(points.number, np.arange(len(found) + 1)).tolist()
    for series, (start, end) in zip(found, pairwise(ends), strict=True):
        part = slice(start, end)
        yield (
            series,
            ScalarColumns(points.step[part], points.wall_time[part], points.value[part]),
        )


def _aggregate(row: Sequence[Any]) -> ScalarAggregate:
    count, least, argmin, largest, argmax, first, last = row
    least, largest, first, last = (
        math.nan if number is None else number for number in (least, largest, first, last)
    )
    return ScalarAggregate(count, least, argmin, largest, argmax, first, last)


def _times(rows: Sequence[Any], at: int) -> Float64s:
    return np.array([row[at] for row in rows], np.float64)


def _tensors(rows: Sequence[Any]) -> TensorColumns:
    return TensorColumns(
        step=np.array([row[0] for row in rows], np.int64),
        wall_time=_times(rows, 1),
        value=tuple(unpacked(*row[2:]) for row in rows),
    )


def _sequences(
    experiment_id: str, series: FoundSeries, rows: Sequence[Any], indices: IndexRange
) -> BlobSequenceColumns:
    steps: list[int] = []
    times: list[float | None] = []
    references: list[tuple[BlobReference, ...]] = []
    record = series.record
    for step, of_step in groupby(rows, key=itemgetter(0)):
        elements = list(of_step)
        steps.append(step)
        times.append(elements[0][2])
        blobs = [(index, blob_id) for _, index, _, blob_id in elements if blob_id is not None]
        references.append(
            tuple(
                BlobReference(
                    BlobAddress(
                        experiment_id,
                        series.train_id,
                        record.plugin_name,
                        record.tag,
                        step,
                        index,
                        blob_id,
                    ).key()
                )
                for index, blob_id in blobs[index_slice(indices, len(blobs))]
            )
        )
    return BlobSequenceColumns(
        np.array(steps, np.int64), np.array(times, np.float64), tuple(references)
    )
