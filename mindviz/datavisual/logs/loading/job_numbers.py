"""Numbers of many jobs at once: packed jobs are not unpacked one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.kept_job import ROWS, Rows, row_of
from mindviz.datavisual.run_listing import ListedRun, RunListing, Tags


def sorted_by_update(jobs: Sequence[tuple[str, CachedJob]]) -> Sequence[tuple[str, CachedJob]]:
    """Jobs by train_id, last updated first, then by train_id."""
    by_name = sorted(jobs, key=lambda item: item[0])
    times = np.array([job.update_time for _, job in by_name], np.float64)
    return [by_name[place] for place in np.argsort(-times, kind="stable").tolist()]


def listing_of(
    jobs: Sequence[tuple[str, CachedJob]], listed: Callable[[tuple[str, CachedJob]], ListedRun]
) -> RunListing:
    """The listing of jobs; `listed` gives the row of one."""
    rows: list[bytes] = []
    formats: list[tuple[str, ...]] = []
    names: list[str] = []
    statuses: list[str | None] = []
    tags: list[Tags] = []
    for item in jobs:
        kept = item[1].plain
        if kept is None:
            run = listed(item)
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
        train_id=[train_id for train_id, _ in jobs],
        formats=formats,
        display_name=names,
        session_status=statuses,
        tags=tags,
        **columns,
    )


def columns_of(rows: Sequence[bytes]) -> Rows:
    """The rows of `KeptJob.row`, with named columns."""
    return np.frombuffer(b"".join(rows), ROWS)
