"""Numbers of many jobs at once: packed jobs are not unpacked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.kept_job import ROWS, Rows, Traits, row_of, times_row
from mindviz.datavisual.run_listing import ListedRun, RunListing
from mindviz.datavisual.series.job_lineages import JobLineages
from mindviz.datavisual.series.lineage_facts import NO_FACTS, LineageFacts
from mindviz.datavisual.series.value_order import latest_first

_NO_ROW = times_row(0.0, 0.0)


def sorted_by_update(jobs: Iterable[CachedJob]) -> Sequence[CachedJob]:
    """Jobs, last updated first, then by train_id."""
    unsorted = list(jobs)
    kept = [job.packed for job in unsorted]
    rows = columns_of([_NO_ROW if one is None else one.row for one in kept])
    times = np.array(rows["update_time"])
    for place, one in enumerate(kept):
        if one is None:
            times[place] = unsorted[place].update_time
    order = latest_first(times, lambda place: unsorted[place].train_id)
    return [unsorted[place] for place in order.tolist()]


def lineages_of(jobs: Sequence[CachedJob]) -> JobLineages:
    """The lineages of jobs."""
    rows: list[bytes] = []
    versions: list[int] = []
    facts: dict[int, LineageFacts] = {}
    for place, job in enumerate(jobs):
        kept, version = job.packed, job.version
        if kept is None:
            lineage = job.lineage
            version, of_job = lineage.version, lineage.facts
            rows.append(times_row(lineage.create_time, lineage.update_time))
        else:
            of_job = kept.traits.facts
            rows.append(kept.row)
        versions.append(version)
        if of_job is not NO_FACTS:
            facts[place] = of_job
    numbers = columns_of(rows)
    return JobLineages(
        [job.train_id for job in jobs],
        np.array(versions, np.int64),
        np.array(numbers["create_time"]),
        np.array(numbers["update_time"]),
        facts,
    )


def listing_of(jobs: Sequence[CachedJob], listed: Callable[[CachedJob], ListedRun]) -> RunListing:
    """The listing of jobs; `listed` gives the row of one."""
    rows: list[bytes] = []
    described: list[Traits | ListedRun] = []
    for job in jobs:
        kept = job.plain
        if kept is None:
            run = listed(job)
            rows.append(row_of(run))
            described.append(run)
        else:
            rows.append(kept.row)
            described.append(kept.traits)
    numbers = columns_of(rows)
    columns: Any = {name: np.ascontiguousarray(numbers[name]) for name in ListedRun._fields[:7]}
    return RunListing(
        train_id=[job.train_id for job in jobs],
        formats=[one.formats for one in described],
        display_name=[one.display_name for one in described],
        session_status=[one.session_status for one in described],
        tags=[one.tags for one in described],
        **columns,
    )


def columns_of(rows: Sequence[bytes]) -> Rows:
    """The rows of `KeptJob.row`, with named columns."""
    return np.frombuffer(b"".join(rows), ROWS)
