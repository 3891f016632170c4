"""FoundSeries: finds experiments, and the series that a query selects."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping, inspect, select

from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.records import SeriesRecord, storable
from mindviz.datavisual.sql.tables import EXPERIMENTS, RUNS, TAGS
from mindviz.errors import ExperimentNotFound

_MOST_NAMES = 1000
"""Most names of a filter in SQL; longer filters are applied to the rows."""


@dataclass(frozen=True, slots=True)
class FoundSeries:
    """A series that a query selects."""

    run_id: int
    train_id: str
    record: SeriesRecord


def experiment_names(connection: Connection) -> list[str]:
    """All experiments, the first one first; none of a database that nothing was imported into."""
    if not inspect(connection).has_table(EXPERIMENTS.name):
        return []
    query = select(EXPERIMENTS.c.name).order_by(EXPERIMENTS.c.experiment_id)
    return list(connection.execute(query).scalars())


def experiment_row(connection: Connection, experiment_id: str) -> RowMapping:
    """An experiment; the first one if the id is empty. Raises ExperimentNotFound."""
    query = select(EXPERIMENTS).order_by(EXPERIMENTS.c.experiment_id).limit(1)
    if experiment_id:
        query = query.where(EXPERIMENTS.c.name == storable(experiment_id))
    row = connection.execute(query).mappings().first()
    if row is None:
        raise ExperimentNotFound(experiment_id, experiment_names(connection))
    return row


def experiment_number(connection: Connection, experiment_id: str) -> int:
    """Its number. Raises as `experiment_row`."""
    return int(experiment_row(connection, experiment_id)["experiment_id"])


def series_of(connection: Connection, experiment_id: str, asked: SeriesQuery) -> list[FoundSeries]:
    """The series that a query selects, by train_id and tag. Raises ExperimentNotFound."""
    query = (
        select(TAGS, RUNS.c.train_id)
        .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
        .where(
            RUNS.c.experiment_id == experiment_number(connection, experiment_id),
            TAGS.c.plugin_name == storable(asked.plugin_name),
            TAGS.c.writer_rank == 0,
            TAGS.c.data_class != DataClass.UNKNOWN.value,
        )
    )
    if asked.data_class is not None:
        query = query.where(TAGS.c.data_class == asked.data_class.value)
    run_tag_filter = asked.run_tag_filter
    for column, names in (
        (RUNS.c.train_id, run_tag_filter.train_ids),
        (TAGS.c.tag, run_tag_filter.tags),
    ):
        if names is not None and len(names) <= _MOST_NAMES:
            query = query.where(column.in_([storable(name) for name in names]))
    found = [
        FoundSeries(row["run_id"], row["train_id"], SeriesRecord.of(row))
        for row in connection.execute(query).mappings()
        if _admits(run_tag_filter.train_ids, row["train_id"])
        and _admits(run_tag_filter.tags, row["tag"])
    ]
    return sorted(found, key=lambda series: (series.train_id, series.record.tag))


def _admits(names: frozenset[str] | None, name: str) -> bool:
    return names is None or name in names
