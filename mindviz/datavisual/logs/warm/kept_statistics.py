"""Statistics of the scalars of many jobs: a list sorted by a metric decodes no job.

A section of a pack has the jobs with the same tags. A job is known by the offset of its first file
in the pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mindviz.datavisual.logs.warm.kept_job import KeptJob
from mindviz.datavisual.logs.warm.pack import PackWriter, Section
from mindviz.datavisual.series.columns import STATS_DTYPES, Float64s, Int64s, SeriesStats
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN

STATISTICS = ("last", "min", "max", "min_step", "max_step")
Statistic = Float64s | Int64s
"""One of them, of many jobs."""
_ROW_BYTES = 8 * len(STATISTICS)
_SECTION_BYTES = 4 * 1024 * 1024
"""A section is read as a whole."""


def statistics_bytes(stats: SeriesStats, series: Int64s) -> bytes:
    """The statistics of some series, in the order of STATISTICS."""
    return b"".join(getattr(stats, name).take(series).tobytes() for name in STATISTICS)


def add_statistics(
    writer: PackWriter, jobs: Iterable[tuple[int, KeptJob]]
) -> list[tuple[int, int, int]]:
    """Write the statistics of jobs, as far as they have any; the places of the sections."""
    groups: dict[tuple[str, ...], list[tuple[int, bytes]]] = {}
    for offset, job in jobs:
        if job.statistics is not None:
            tags = tuple(job.traits.tags.get(SCALAR_PLUGIN, ()))
            groups.setdefault(tags, []).append((offset, job.statistics))
    places = []
    for tags, rows in groups.items():
        most = max(1, _SECTION_BYTES // (_ROW_BYTES * max(1, len(tags))))
        for start in range(0, len(rows), most):
            place = writer.add(_section(tags, rows[start : start + most]))
            places.append((place.offset, place.size, place.checksum))
    return places


def _section(tags: Sequence[str], rows: Sequence[tuple[int, bytes]]) -> Section:
    offsets = np.array([offset for offset, _ in rows], np.int64)
    cells = np.frombuffer(b"".join(row for _, row in rows), np.int64)
    by_job = cells.reshape(len(rows), len(STATISTICS), len(tags))
    return Section(
        {"tags": tags}, (offsets, np.ascontiguousarray(by_job.transpose(1, 2, 0)).ravel())
    )


def rows_in(section: Section) -> dict[int, bytes]:
    """Offset of each job -> its `statistics_bytes`."""
    offsets, cells = section.columns
    by_job = cells.reshape(-1, len(offsets)).T if len(offsets) else cells
    return {offset: row.tobytes() for offset, row in zip(offsets.tolist(), by_job, strict=True)}


def statistics_in(section: Section, tag: str) -> tuple[Int64s, Sequence[Statistic] | None]:
    """Offsets of all jobs, and their STATISTICS of a tag; None if they have no such series."""
    tags = section.document["tags"]
    offsets, cells = section.columns
    if tag not in tags:
        return offsets, None
    by_name = cells.reshape(len(STATISTICS), len(tags), len(offsets))[:, tags.index(tag)]
    columns = zip(STATISTICS, by_name, strict=True)
    return offsets, [column.view(f"<{STATS_DTYPES[name]}") for name, column in columns]
