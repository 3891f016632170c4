"""StoredLines: the series of a train job in a database, as our plugins know them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import ColumnElement, Connection, Table, select

from mindviz.datavisual.logs.formats import SeriesClass
from mindviz.datavisual.logs.migration import companion_of, logged_class
from mindviz.datavisual.series.columns import Bools
from mindviz.datavisual.series.time_series import (
    DataClass,
    ScalarIncrement,
    ScalarTimeSeries,
)
from mindviz.datavisual.sql.column_transfer import Array, read_columns
from mindviz.datavisual.sql.queries import SeriesSet
from mindviz.datavisual.sql.records import SeriesRecord
from mindviz.datavisual.sql.sampled_rows import SampledRows, read_points
from mindviz.datavisual.sql.tables import SCALARS, SUPERSEDED_SCALARS, TAGS


@dataclass(frozen=True, slots=True)
class StoredLine:
    """What one writer and its restarts wrote of a series."""

    run_id: int
    record: SeriesRecord
    series_class: SeriesClass
    companions: Mapping[str, SeriesRecord]
    """Plugin -> the series that holds what this one has no room for."""

    @property
    def epoch(self) -> str:
        """Stays the same as long as points are only appended."""
        return f"{self.run_id}-{self.record.tag_id}-{self.record.epoch}"

    def owns(self, table: Table) -> ColumnElement[bool]:
        """Whether a row of a table of values is the line's."""
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

    What several generic plugins have under one tag may be one series to ours: then the first is.
    """
    known = sorted(records, key=lambda record: (record.writer_rank, record.tag_id))
    companions: dict[tuple[str, str, str], dict[str, SeriesRecord]] = {}
    for record in known:
        key = (companion_of(record.metadata), record.tag, record.writer)
        companions.setdefault(key, {})[record.plugin_name] = record
    found: dict[str, dict[str, list[StoredLine]]] = {}
    for record in sorted(known, key=lambda record: record.tag):
        series_class = _series_class(record)
        if series_class is None:
            continue
        lines = found.setdefault(series_class.plugin_name, {}).setdefault(record.tag, [])
        if not lines or lines[0].record.plugin_name == record.plugin_name:
            # What lies beside a log has no writer.
            beside = {
                plugin_name: one
                for writer in ("", record.writer)
                for plugin_name, one in companions.get(
                    (record.plugin_name, record.tag, writer), {}
                ).items()
            }
            lines.append(StoredLine(run_id, record, series_class, beside))
    return found


def _series_class(record: SeriesRecord) -> SeriesClass | None:
    if not record.is_logged:
        return None
    if record.stored_as == DataClass.SCALAR:
        return SeriesClass("scalar", record.tag, DataClass.SCALAR)
    return logged_class(record.tag, record.metadata)


# -------------------------------------------------------------------------------------- scalars


_POINT = ("step", "wall_time", "value")


def scalar_series(
    connection: Connection, line: StoredLine, writers: tuple[str, ...], *, superseded: bool = False
) -> ScalarTimeSeries:
    """The points of a line that count, or all that were ever written."""
    replaced = _replaced(connection, line)
    columns = _counting(connection, line)
    if superseded and len(replaced[0]):
        return _series(line, writers, replaced, *_in_order_written(columns, replaced))
    return _series(line, writers, replaced, columns)


def scalar_increment(
    connection: Connection, line: StoredLine, writers: tuple[str, ...], epoch: str, total: int
) -> ScalarIncrement:
    """What is new to a reader who has seen so much of the line; all of it to others."""
    replaced = _replaced(connection, line)
    count = len(replaced[0])
    reset = epoch != _epoch(line, count) or not count <= total <= line.record.length + count
    columns = _counting(connection, line, 0 if reset else total - count)
    return ScalarIncrement(_series(line, writers, replaced, columns), None, reset=reset)


def _counting(connection: Connection, line: StoredLine, first: int = 0) -> Sequence[Array]:
    """The points that count, from number `first` on."""
    if not first:
        series = SeriesSet(np.array([line.run_id]), np.array([line.record.tag_id]))
        length = line.record.length
        points = read_points(connection, SampledRows(SCALARS, series, None, length, length))
        return points.step, points.wall_time, points.value
    query = select(*(SCALARS.c[name] for name in _POINT)).where(line.owns(SCALARS))
    return read_columns(connection, query.order_by(SCALARS.c.step).offset(first))


def _replaced(connection: Connection, line: StoredLine) -> Sequence[Array]:
    """Position among all points that were written, and the points that a later one replaced."""
    table = SUPERSEDED_SCALARS
    query = select(*(table.c[name] for name in ("position", *_POINT))).where(line.owns(table))
    return read_columns(connection, query.order_by(table.c.position))


def _epoch(line: StoredLine, replaced: int) -> str:
    """Of the line's points: it changes, too, when further ones were replaced."""
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
    """All points, and which of them were replaced; those that count are in the order of steps."""
    position, *columns = replaced
    marks = np.zeros(len(counting[0]) + len(position), np.bool_)
    marks[position] = True
    merged = []
    for kept, gone in zip(counting, columns, strict=True):
        column = np.empty(len(marks), kept.dtype)
        column[marks], column[~marks] = gone, kept
        merged.append(column)
    return tuple(merged), marks
