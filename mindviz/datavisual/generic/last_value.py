"""The value of a scalar series that was written last, which TensorBoard's hparams show as metric.

It asks for a single point of the series. That is the last one of the line, unless an hparams
session wrote a value later, which is not on the line.
"""

from __future__ import annotations

import numpy as np

from mindviz.datavisual.generic.data_provider import ScalarColumns
from mindviz.datavisual.generic.series_query import SeriesQuery
from mindviz.datavisual.series.lineage_facts import MetricValue
from mindviz.datavisual.series.selection import StepRange


def asks_for_last_value(query: SeriesQuery) -> bool:
    """Whether a query of scalars asks for one point of each whole series."""
    asked = query.downsample
    return (
        asked is not None
        and (asked.num_points, asked.strategy) == (1, "uniform")
        and query.steps == StepRange()
    )


def with_session_value(
    columns: ScalarColumns, session: MetricValue | None, query: SeriesQuery
) -> ScalarColumns:
    """The answer to a query: `columns` of the line, or what a session wrote after them."""
    if (
        session is None
        or not len(columns.step)
        or not asks_for_last_value(query)
        or not session.was_written_after(float(columns.wall_time[-1]))
    ):
        return columns
    return ScalarColumns(
        np.array([session.step]), np.array([session.wall_time]), np.array([session.value])
    )
