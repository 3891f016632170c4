"""The last written value of a scalar series, which TensorBoard's HParams page shows as a metric.

TensorBoard requests one point of the series. That is the last point of the line, unless an hparams
session wrote a value later, which is not on the line.
"""

from __future__ import annotations

import numpy as np

from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.lineage_facts import MetricValue
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.store import SeriesRows, Store
from mindviz.errors import TrainJobNotFound


def asks_for_last_value(query: SeriesQuery) -> bool:
    """Whether a query of scalars asks for one point of each whole series."""
    asked = query.downsample
    return (
        asked is not None
        and (asked.num_points, asked.strategy) == (1, "uniform")
        and query.steps == StepRange()
    )


def with_session_values(rows: SeriesRows[ScalarPoints], store: Store) -> SeriesRows[ScalarPoints]:
    """Rows of last points, replaced where an hparams session wrote a later value."""
    for train_id, tag, points in rows:
        yield train_id, tag, later_of(points, _session_value(store, train_id, tag))


def _session_value(store: Store, train_id: str, tag: str) -> MetricValue | None:
    try:
        return store.read_lineage(train_id).facts.session_values.get(tag)
    except TrainJobNotFound:  # removed meanwhile
        return None


def later_of(points: ScalarPoints, session: MetricValue | None) -> ScalarPoints:
    """The last point of the line, or the value of a session if it was written after it."""
    if (
        session is None
        or not len(points.step)
        or not session.was_written_after(float(points.wall_time[-1]))
    ):
        return points
    return ScalarPoints(
        np.array([session.step]), np.array([session.wall_time]), np.array([session.value])
    )
