"""The scalars of a generic series: all points that count, a selection, what they come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mindviz.datavisual.generic.data_provider import (
    ScalarAggregate,
    ScalarColumns,
    SeriesListing,
)
from mindviz.datavisual.generic.series_query import SeriesQuery
from mindviz.datavisual.logs.snapshots.generic_catalog import GenericEntry
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.selection import Downsample, StepRange, kept_ranks, step_slice
from mindviz.datavisual.series.time_series import DataClass


def scalar_listings(
    snapshot: TrainJobSnapshot, query: SeriesQuery
) -> Iterator[tuple[str, SeriesListing]]:
    """The series of scalars that a query is about, by tag."""
    summaries = snapshot.summaries
    for tag, entry in snapshot.generic.admitted(replace(query, data_class=DataClass.SCALAR)):
        row = summaries.index_of(entry.logged.series_class.tag)
        yield (
            tag,
            SeriesListing(
                data_class=DataClass.SCALAR,
                max_step=int(summaries.stats.last_step[row]),
                max_wall_time=float(summaries.stats.last_wall_time[row]),
                max_length=0,
                summary_metadata=entry.series.metadata,
            ),
        )


def points_of(snapshot: TrainJobSnapshot, entry: GenericEntry) -> ScalarColumns:
    """All points that count of the writer that is served by default."""
    ref = entry.logged.refs[0]
    file = snapshot.files[ref.file]
    one_part = len(entry.logged.refs) == 1 and len(file.spans) == 1
    if one_part and file.totals.stats.increasing[ref.series]:
        # Almost every series: nobody restarted, so all points count, and nothing has to be derived.
        return ScalarColumns(*file.scalars(ref.series, file.spans[0].segment))
    line = snapshot.scalar_line(snapshot.lines(entry.logged)[0])
    kept = line.counting
    return ScalarColumns(line.step[kept], line.wall_time[kept], line.value[kept])


def selected(
    points: ScalarColumns, steps: StepRange, downsample: Downsample | None
) -> ScalarColumns:
    """Those that a query admits."""
    part = step_slice(points.step, steps)
    columns = points.step[part], points.wall_time[part], points.value[part]
    kept = kept_ranks(len(columns[0]), downsample, columns[2])
    return ScalarColumns(*(columns if kept is None else (column[kept] for column in columns)))


def known_aggregates(
    snapshot: TrainJobSnapshot, query: SeriesQuery
) -> dict[str, ScalarAggregate] | None:
    """What whole series come to, without their points; None if these are necessary."""
    if query.steps != StepRange():
        return None
    known: dict[str, ScalarAggregate] = {}
    for tag, entry in snapshot.generic.admitted(query):
        found = summed_up(snapshot, entry)
        if found is None:
            return None
        known[tag] = found
    return known


def summed_up(snapshot: TrainJobSnapshot, entry: GenericEntry) -> ScalarAggregate | None:
    """From what is known without the points; None if a restart makes them necessary."""
    summaries = snapshot.summaries
    row = summaries.index_of(entry.logged.series_class.tag)
    stats = summaries.stats
    if not stats.increasing[row]:
        return None
    return ScalarAggregate(
        count=summaries.total[row],
        min=float(stats.min[row]),
        argmin=int(stats.min_step[row]),
        max=float(stats.max[row]),
        argmax=int(stats.max_step[row]),
        first=float(stats.first[row]),
        last=float(stats.last[row]),
    )


def aggregate(points: ScalarColumns) -> ScalarAggregate | None:
    """What some points come to; None if there are none."""
    step, value = points.step, points.value
    if not len(step):
        return None
    numbers = np.flatnonzero(~np.isnan(value))
    low = int(numbers[np.argmin(value[numbers])]) if len(numbers) else 0
    high = int(numbers[np.argmax(value[numbers])]) if len(numbers) else 0
    return ScalarAggregate(
        count=len(step),
        min=float(value[low]),
        argmin=int(step[low]),
        max=float(value[high]),
        argmax=int(step[high]),
        first=float(value[0]),
        last=float(value[-1]),
    )
