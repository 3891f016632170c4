"""Listings, points and aggregates of generic scalar series, from a snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mindviz.datavisual.logs.snapshots.generic_catalog import GenericEntry
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints, SeriesListing
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass


def scalar_listings(
    snapshot: TrainJobSnapshot, query: SeriesQuery
) -> Iterator[tuple[str, SeriesListing]]:
    """The scalar series that a query selects, by tag."""
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


def points_of(snapshot: TrainJobSnapshot, entry: GenericEntry) -> ScalarPoints:
    """The counting points of the default writer."""
    ref = entry.logged.refs[0]
    file = snapshot.files[ref.file]
    one_part = len(entry.logged.refs) == 1 and len(file.spans) == 1
    if one_part and file.totals.stats.increasing[ref.series]:
        # Nearly every series: without restarts, all points count (3 us instead of 20).
        return ScalarPoints(*file.scalars(ref.series, file.spans[0].segment))
    line = snapshot.scalar_line(snapshot.lines(entry.logged)[0])
    kept = line.counting
    return ScalarPoints(line.step[kept], line.wall_time[kept], line.value[kept])


def known_aggregates(
    snapshot: TrainJobSnapshot, query: SeriesQuery
) -> dict[str, ScalarAggregate] | None:
    """Aggregates of whole series without their points; None if the points are needed."""
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
    """The aggregate without the points; None if a restart makes them necessary."""
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
