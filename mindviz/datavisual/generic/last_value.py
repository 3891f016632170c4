"""The last written value of a scalar series, which TensorBoard's HParams page shows as a metric.

TensorBoard requests one point of the series. That is the last point of the line, unless an hparams
session wrote a value later, which is not on the line.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from mindviz.datavisual.series.generic_series import Nested, ScalarPoints
from mindviz.datavisual.series.lineage_facts import MetricValue
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.store import Store
from mindviz.errors import TrainJobNotFound


def selects_last_value(query: SeriesQuery) -> bool:
    """Whether a query of scalars selects one point of each whole series."""
    sample = query.downsample
    return (
        sample is not None
        and (sample.num_points, sample.strategy) == (1, "uniform")
        and query.steps == StepRange()
    )


def with_session_values(last: Nested[ScalarPoints], store: Store) -> Nested[ScalarPoints]:
    """Last points of series, replaced where an hparams session wrote a later value."""
    answer: dict[str, Mapping[str, ScalarPoints]] = {}
    for train_id, tags in last.items():
        sessions: Mapping[str, MetricValue] = {}
        with suppress(TrainJobNotFound):  # removed meanwhile
            sessions = store.read_lineage(train_id).facts.session_values
        answer[train_id] = {tag: later_of(one, sessions.get(tag)) for tag, one in tags.items()}
    return answer


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
