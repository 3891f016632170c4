"""Numbers of many jobs at once: packed jobs are not unpacked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.kept_job import ROWS, Rows, row_of
from mindviz.datavisual.run_listing import ListedRun, RunListing, Tags


def sorted_by_update(jobs: Iterable[CachedJob]) -> Sequence[CachedJob]:
    """Jobs, last updated first, then by train_id."""
    by_name = sorted(jobs, key=attrgetter("train_id"))
    times = np.array([job.update_time for job in by_name], np.float64)
    return [by_name[place] for place in np.argsort(-times, kind="stable").tolist()]


def listing_of(jobs: Sequence[CachedJob], listed: Callable[[CachedJob], ListedRun]) -> RunListing:
    """The listing of jobs; `listed` gives the row of one."""
    rows: list[bytes] = []
    formats: list[tuple[str, ...]] = []
    names: list[str] = []
    statuses: list[str | None] = []
    tags: list[Tags] = []
    for job in jobs:
        kept = job.plain
        if kept is None:
            run = listed(job)
            rows.append(row_of(run))
            described = run[7:]
        else:
            rows.append(kept.row)
            described = kept.traits[:4]
        formats.append(described[0])
        names.append(described[1])
        statuses.append(described[2])
        tags.append(described[3])
    numbers = columns_of(rows)
    columns: Any = {name: np.ascontiguousarray(numbers[name]) for name in ListedRun._fields[:7]}
    return RunListing(
        train_id=[job.train_id for job in jobs],
        formats=formats,
        display_name=names,
        session_status=statuses,
        tags=tags,
        **columns,
    )


def columns_of(rows: Sequence[bytes]) -> Rows:
    """The rows of `KeptJob.row`, with named columns."""
    return np.frombuffer(b"".join(rows), ROWS)
