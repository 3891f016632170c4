from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.generic.last_value import later_of, selects_last_value
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.lineage_facts import MetricValue
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import SeriesQuery

ONE = SeriesQuery("scalars", downsample=Downsample(1))
LINE = ScalarPoints(np.array([7]), np.array([100.0]), np.array([0.5]))


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        (ONE, True),
        (SeriesQuery("scalars"), False),
        (SeriesQuery("scalars", downsample=Downsample(2)), False),
        (SeriesQuery("scalars", downsample=Downsample(1, "reservoir")), False),
        (SeriesQuery("scalars", downsample=Downsample(1), steps=StepRange(0)), False),
    ],
)
def test_a_single_point_of_the_whole_series_is_its_last_value(
    query: SeriesQuery, asks: bool
) -> None:
    assert selects_last_value(query) is asks


def test_a_session_that_wrote_later_has_the_last_value() -> None:
    assert later_of(LINE, MetricValue(0.9, 0, 200.0)).value.tolist() == [0.9]


@pytest.mark.parametrize(
    "session",
    [None, MetricValue(0.9, 0, 50.0), MetricValue(0.9, 0, float("nan")), MetricValue(0.9)],
)
def test_the_line_is_read_if_no_session_wrote_later(session: MetricValue | None) -> None:
    assert later_of(LINE, session) is LINE


def test_a_series_without_points_has_no_last_value() -> None:
    none = ScalarPoints(np.array([], np.int64), np.array([]), np.array([]))
    assert later_of(none, MetricValue(0.9, 0, 200.0)) is none
