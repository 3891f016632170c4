"""Stored series: the series of a train job in a database, as mindviz's plugins know them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Table, and_, func, select

from mindviz.datavisual.logs.formats import SeriesClass
from mindviz.datavisual.logs.migration import logged_blobs, logged_class, logged_tensor
from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.payloads.packed_tensor import unpacked
from mindviz.datavisual.plugins import generic_names, plugins
from mindviz.datavisual.series.columns import Bools, Float64s, Int64s
from mindviz.datavisual.series.generic_name import SIZE_BLOBS
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    DataClass,
    ImageSize,
    ScalarIncrement,
    ScalarTimeSeries,
    Value,
    ValueTimeSeries,
)
from mindviz.datavisual.sql.column_codec import decoded
from mindviz.datavisual.sql.column_transfer import Array, fetched, read_columns
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.records import SeriesRecord
from mindviz.datavisual.sql.stored_chunks import SelectedPoints
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    DROPPED_VALUES,
    SUPERSEDED_CHUNKS,
    TAGS,
    TENSORS,
)
from mindviz.errors import DamagedValue


@dataclass(frozen=True, slots=True)
class StoredLine:
    """The part of a series that one writer and its restarts wrote."""

    run_id: int
    record: SeriesRecord
    series_class: SeriesClass
    companions: Mapping[str, SeriesRecord]
    """Plugin -> series with further data of the same steps, such as labels."""

    @property
    def epoch(self) -> str:
        """Constant while points are only appended."""
        return f"{self.run_id}-{self.record.tag_id}-{self.record.epoch}"

    def owns(self, table: Table) -> ColumnElement[bool]:
        """Whether a row of values belongs to the line."""
        return (table.c.run_id == self.run_id) & (table.c.tag_id == self.record.tag_id)


Lines = Mapping[str, Mapping[str, Sequence[StoredLine]]]
"""plugin_name -> tag -> lines, the default one first."""


def lines_of(connection: Connection, run_id: int, tag: str | None = None) -> Lines:
    """The series of a run, or those of one tag."""
    query = select(TAGS).where(TAGS.c.run_id == run_id)
    if tag is not None:
        query = query.where(TAGS.c.tag == tag)
    rows = connection.execute(query).mappings()
    return grouped(run_id, (SeriesRecord.of(row) for row in rows))


def grouped(run_id: int, records: Iterable[SeriesRecord]) -> Lines:
    """The lines of each series; tags are sorted.

    Several generic series may be one series of a plugin; then the first one counts.
    """
    known = sorted(records, key=lambda record: (record.writer_rank, record.tag_id))
    companions: dict[tuple[str, str, str], dict[str, SeriesRecord]] = {}
    for record in known:
        key = (generic_names().companion_of(record.plugin_name), record.tag, record.writer)
        companions.setdefault(key, {})[record.plugin_name] = record
    grouped_lines: dict[str, dict[str, list[StoredLine]]] = {}
    for record in sorted(known, key=lambda record: record.tag):
        series_class = _series_class(record)
        if series_class is None:
            continue
        lines = grouped_lines.setdefault(series_class.plugin_name, {}).setdefault(record.tag, [])
        if not lines or lines[0].record.plugin_name == record.plugin_name:
            # Series from files next to a log have no writer.
            of_line = {
                plugin_name: companion
                for writer in ("", record.writer)
                for plugin_name, companion in companions.get(
                    (record.plugin_name, record.tag, writer), {}
                ).items()
            }
            lines.append(StoredLine(run_id, record, series_class, of_line))
    return grouped_lines


def _series_class(record: SeriesRecord) -> SeriesClass | None:
    if not record.is_logged:
        return None
    if record.stored_as == DataClass.SCALAR:
        return SeriesClass(SCALAR_PLUGIN, record.tag, DataClass.SCALAR)
    return logged_class(record.tag, record.metadata)


# Scalars ------------------------------------------------------------------------------------------


def scalar_series(
    connection: Connection, line: StoredLine, writers: tuple[str, ...], *, superseded: bool = False
) -> ScalarTimeSeries:
    """The points of a line that count, or with `superseded` all points written."""
    replaced = _replaced(connection, line)
    columns = _counting(connection, line)
    if superseded and len(replaced[0]):
        return _series(line, writers, replaced, *_in_order_written(columns, replaced))
    return _series(line, writers, replaced, columns)


def scalar_increment(
    connection: Connection, line: StoredLine, writers: tuple[str, ...], epoch: str, total: int
) -> ScalarIncrement:
    """The points after the first `total` of this `epoch`; all points if either does not match."""
    replaced = _replaced(connection, line)
    count = len(replaced[0])
    reset = epoch != _epoch(line, count) or not count <= total <= line.record.length + count
    columns = _counting(connection, line, 0 if reset else total - count)
    return ScalarIncrement(_series(line, writers, replaced, columns), None, reset=reset)


def _counting(connection: Connection, line: StoredLine, first: int = 0) -> Sequence[Array]:
    """The points that count, without the first ones."""
    series = SeriesSet(np.array([line.run_id]), np.array([line.record.tag_id]))
    after = StepRange(most_recent=line.record.length - first)
    query = SeriesQuery(line.record.plugin_name, steps=after)
    lengths = np.array([line.record.length], np.int64)
    (points,) = SelectedPoints(connection, series, lengths, query).read()
    return points.step, points.wall_time, points.value


def _replaced(connection: Connection, line: StoredLine) -> Sequence[Array]:
    """Replaced points: position in the order written, step, wall time, value."""
    table = SUPERSEDED_CHUNKS
    query = select(table.c.data, table.c.length).where(line.owns(table))
    rows = fetched(connection, query.order_by(table.c.first_rank))
    empty = (*np.empty((2, 0), np.int64), *np.empty((2, 0)))
    parts = [empty, *(decoded(data, length, count=4) for data, length in rows)]
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def _epoch(line: StoredLine, replaced: int) -> str:
    """Epoch of the line's points, which also changes when points are replaced."""
    return f"{line.epoch}-{replaced}"


def _series(
    line: StoredLine,
    writers: tuple[str, ...],
    replaced: Sequence[Array],
    columns: Sequence[Array],
    superseded: Bools | None = None,
) -> ScalarTimeSeries:
    step, wall_time, value = columns
    count = len(replaced[0])
    return ScalarTimeSeries(
        step,
        wall_time,
        value,
        superseded=np.zeros(len(step), np.bool_) if superseded is None else superseded,
        total=line.record.length + count,
        superseded_count=count,
        epoch=_epoch(line, count),
        writers=writers,
    )


def _in_order_written(
    counting: Sequence[Array], replaced: Sequence[Array]
) -> tuple[tuple[Array, ...], Array]:
    """All points, and which of them were replaced; the others are in the order of steps."""
    position, *columns = replaced
    marks = np.zeros(len(counting[0]) + len(position), np.bool_)
    marks[position] = True
    merged = []
    for kept, gone in zip(counting, columns, strict=True):
        column = np.empty(len(marks), kept.dtype)
        column[marks], column[~marks] = gone, kept
        merged.append(column)
    return tuple(merged), marks


# Tensors and blobs --------------------------------------------------------------------------------


_GONE = "The value is no longer in the database, because its series was imported again."


def value_series(
    database: Database, connection: Connection, line: StoredLine, writers: tuple[str, ...]
) -> ValueTimeSeries:
    """The steps of a series; each value is read on demand by its own query."""
    steps, wall_time, dropped = _times(connection, line)
    series_class, record = line.series_class, line.record
    name = generic_names().get(record.plugin_name)
    plugin = plugins().get(series_class.plugin_name)

    def read(index: int) -> Value:
        step = int(steps[index])
        if step in dropped:
            raise DamagedValue(dropped[step])
        with database.reading() as reading:
            companions = {
                plugin_name: tensor
                for plugin_name, companion in line.companions.items()
                if (tensor := _tensor(reading, line.run_id, companion, step)) is not None
            }
            if record.stored_as == DataClass.TENSOR:
                tensor = _tensor(reading, line.run_id, record, step)
            else:
                blobs = _blobs(reading, line, step)
        if record.stored_as != DataClass.TENSOR:
            return logged_blobs(record.metadata, blobs, companions)
        if tensor is None:
            raise DamagedValue(_GONE)
        return logged_tensor(record.metadata, tensor, companions)

    def read_size(index: int) -> ImageSize:
        step = int(steps[index])
        with database.reading() as reading:
            size = string_image_size(_blobs(reading, line, step, limit=SIZE_BLOBS))
            return ImageSize(*size, samples=_blob_count(reading, line, step) - SIZE_BLOBS)

    return ValueTimeSeries(
        data_class=series_class.data_class,
        step=steps,
        wall_time=wall_time,
        read=read,
        read_size=read_size if name is not None and name.is_sized else None,
        variety=series_class.variety,
        epoch=line.epoch,
        writers=writers,
        config=plugin.config(record.plugin_content) if plugin and plugin.config else {},
    )


def _times(connection: Connection, line: StoredLine) -> tuple[Int64s, Float64s, Mapping[int, str]]:
    """Steps, their times, and the reasons for steps without a value."""
    table = TENSORS if line.record.stored_as == DataClass.TENSOR else BLOB_SEQUENCES
    query = select(table.c.step, table.c.wall_time).where(line.owns(table))
    # The blobs of a sequence share its step and time.
    step, wall_time = read_columns(connection, query.distinct().order_by(table.c.step))
    gone = DROPPED_VALUES
    query_gone = select(gone.c.step, gone.c.wall_time, gone.c.reason).where(line.owns(gone))
    rows = connection.execute(query_gone.order_by(gone.c.step)).all()
    if not rows:
        return step, wall_time, {}
    places = np.searchsorted(step, [row[0] for row in rows])
    times = [math.nan if row[1] is None else row[1] for row in rows]
    return (
        np.insert(step, places, [row[0] for row in rows]),
        np.insert(wall_time, places, times),
        {row[0]: row[2] for row in rows},
    )


def _tensor(
    connection: Connection, run_id: int, record: SeriesRecord, step: int
) -> NDArray[np.generic] | None:
    """None if it does not exist."""
    query = select(TENSORS.c.dtype, TENSORS.c.shape, TENSORS.c.data).where(
        TENSORS.c.run_id == run_id, TENSORS.c.tag_id == record.tag_id, TENSORS.c.step == step
    )
    row = connection.execute(query).first()
    return None if row is None else unpacked(*row)


def _blob_count(connection: Connection, line: StoredLine, step: int) -> int:
    table = BLOB_SEQUENCES
    query = select(func.count()).where(line.owns(table), table.c.step == step, table.c.index >= 0)
    return connection.execute(query).scalar_one()


def _blobs(
    connection: Connection, line: StoredLine, step: int, limit: int | None = None
) -> list[bytes]:
    """The blobs of one step, or the first `limit` of them. Raises DamagedValue."""
    table, chunks = BLOB_SEQUENCES, BLOB_CHUNKS
    key = ("run_id", "tag_id", "step", "index")
    is_of_blob = and_(*(chunks.c[name] == table.c[name] for name in key))
    query = (
        select(table.c.index, chunks.c.data)
        .outerjoin(chunks, is_of_blob)
        .where(line.owns(table), table.c.step == step)
        .order_by(table.c.index, chunks.c.chunk)
    )
    if limit is not None:
        query = query.where(table.c.index < limit)
    rows = connection.execute(query).all()
    if not rows:
        raise DamagedValue(_GONE)
    blobs: dict[int, list[bytes]] = {}
    for index, data in rows:
        if index >= 0:
            blobs.setdefault(index, []).append(data or b"")  # without chunks, it is empty
    return [b"".join(parts) for parts in blobs.values()]
