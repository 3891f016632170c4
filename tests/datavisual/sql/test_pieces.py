from __future__ import annotations

import numpy as np

from mindviz.datavisual.sql.pieces import SeriesDigest


def test_a_grown_series_begins_with_its_earlier_points() -> None:
    step, value = np.arange(5), np.array([1.0, np.nan, 3.0, 4.0, 5.0])
    before = SeriesDigest(step[:3], value[:3]).of_first(3)
    grown = SeriesDigest(step, value)
    assert grown.begins_with(3, before)
    assert grown.begins_with(0, SeriesDigest(step[:0], value[:0]).of_first(0))


def test_a_series_that_changed_or_shrank_does_not() -> None:
    step, value = np.arange(3), np.array([1.0, 2.0, 3.0])
    before = SeriesDigest(step, value).of_first(3)
    assert not SeriesDigest(step, value + 1).begins_with(3, before)
    assert not SeriesDigest(step[:2], value[:2]).begins_with(3, before)
