from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.answer_bounds import AnswerBounds, AnswerSize
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import IndexRange, SeriesQuery, check_query, index_slice
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import AnswerTooLarge, InvalidQuery

BOUNDS = AnswerBounds(points=10, bytes=100)
ALL = SeriesQuery("scalars", DataClass.SCALAR)


def test_an_answer_may_be_as_large_as_its_bounds() -> None:
    size = AnswerSize(BOUNDS)
    size.add(4, 40)
    size.add(6, 60)
    with pytest.raises(AnswerTooLarge, match="more than 10 points"):
        size.add(1, 0)
    with pytest.raises(AnswerTooLarge, match="more than 100 bytes"):
        AnswerSize(BOUNDS).add(1, 101)


@given(length=st.integers(0, 5), start=st.integers(0, 7), end=st.none() | st.integers(0, 7))
def test_a_range_of_indices_selects_the_elements_inside(
    length: int, start: int, end: int | None
) -> None:
    elements = list(range(length))
    assert elements[index_slice(IndexRange(start, end), length)] == elements[start:end]
    assert elements[index_slice(IndexRange(most_recent=True), length)] == elements[-1:]


def test_sensible_queries_pass() -> None:
    check_query(ALL)
    check_query(replace(ALL, steps=StepRange(5, 3, 0), downsample=Downsample(0, "minmax")))
    check_query(replace(ALL, indices=IndexRange(5, 3)))


def test_minmax_is_for_scalars() -> None:
    with pytest.raises(InvalidQuery, match="scalars"):
        check_query(replace(ALL, data_class=DataClass.TENSOR, downsample=Downsample(3, "minmax")))
