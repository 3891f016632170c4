"""Stored summaries: statistics of scalar series, read for many runs at once."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from sqlalchemy import Connection, RowMapping, select

from mindviz.datavisual.series.columns import STATS_DTYPES, SeriesStats
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.tables import RUNS, SCALAR_SUMMARIES, TAGS
from mindviz.datavisual.store import ScalarSummaries


def read_summaries(connection: Connection, run_ids: Collection[int]) -> dict[int, ScalarSummaries]:
    """run_id -> summaries."""
    query = (
        select(SCALAR_SUMMARIES, TAGS.c.tag)
        .join(
            TAGS,
            (TAGS.c.run_id == SCALAR_SUMMARIES.c.run_id)
            & (TAGS.c.tag_id == SCALAR_SUMMARIES.c.tag_id),
        )
        .where(SCALAR_SUMMARIES.c.run_id.in_(run_ids))
    )
    by_run: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        by_run[row["run_id"]].append(row)
    return {run_id: summaries(rows) for run_id, rows in by_run.items()}


def read_statistic(
    connection: Connection, experiment_id: int, tag: str, statistic: str
) -> dict[str, float | int]:
    """train_id -> a statistic of one scalar series. NULL is NaN."""
    query = (
        select(RUNS.c.train_id, SCALAR_SUMMARIES.c[statistic])
        .join(RUNS, RUNS.c.run_id == SCALAR_SUMMARIES.c.run_id)
        .join(
            TAGS,
            (TAGS.c.run_id == SCALAR_SUMMARIES.c.run_id)
            & (TAGS.c.tag_id == SCALAR_SUMMARIES.c.tag_id),
        )
        .where(RUNS.c.experiment_id == experiment_id, TAGS.c.tag == storable(tag))
        # Of several generic series with one tag, the first one logged counts.
        .order_by(SCALAR_SUMMARIES.c.tag_id.desc())
    )
    return {
        train_id: math.nan if value is None else value
        for train_id, value in connection.execute(query)
    }


def summaries(rows: Iterable[RowMapping]) -> ScalarSummaries:
    """Summaries of one job. NULL is NaN."""
    # Of several generic series with one tag, the first one logged counts.
    ordered = {row["tag"]: row for row in sorted(rows, key=lambda r: -r["tag_id"])}
    chosen = [ordered[tag] for tag in sorted(ordered)]
    columns: list[Any] = [
        np.array([row[name] for row in chosen], SCALAR_SUMMARIES.c[name].type.python_type)
        for name in STATS_DTYPES
    ]
    return ScalarSummaries(
        tags=tuple(row["tag"] for row in chosen),
        total=tuple(row["total"] for row in chosen),
        stats=SeriesStats(*columns),
    )


NO_SUMMARIES = summaries(())
