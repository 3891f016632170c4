from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.generic.answer_bounds import (
    AnswerBounds,
    AnswerSize,
    check_query,
    index_slice,
    kept_ranks,
    step_slice,
)
from mindviz.datavisual.generic.series_query import (
    Downsample,
    IndexRange,
    SeriesQuery,
    StepRange,
)
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import AnswerTooLarge, InvalidQuery

BOUNDS = AnswerBounds(points=10, bytes=100)
ALL = SeriesQuery("", "scalars", DataClass.SCALAR)
NUMBERS = st.none() | st.integers(-(1 << 66), 1 << 66) | st.integers(-10, 10)


def test_an_answer_may_be_as_large_as_its_bounds() -> None:
    size = AnswerSize(BOUNDS)
    size.add(4, 40)
    size.add(6, 60)
    with pytest.raises(AnswerTooLarge, match="more than 10 points"):
        size.add(1, 0)
    with pytest.raises(AnswerTooLarge, match="more than 100 bytes"):
        AnswerSize(BOUNDS).add(1, 101)


@given(
    steps=st.lists(st.integers(-9, 9) | st.sampled_from([-(1 << 63), (1 << 63) - 1]), unique=True),
    start=NUMBERS,
    end=NUMBERS,
    most_recent=st.none() | st.integers(0, 30),
)
def test_a_range_of_steps_selects_what_lies_in_it(
    steps: list[int], start: int | None, end: int | None, most_recent: int | None
) -> None:
    steps.sort()
    found = step_slice(np.array(steps, np.int64), StepRange(start, end, most_recent))
    inside = [
        step for step in steps if (start is None or start <= step) and (end is None or step <= end)
    ]
    wanted = inside if most_recent is None else inside[max(0, len(inside) - most_recent) :]
    assert steps[found] == wanted


@given(length=st.integers(0, 5), start=st.integers(0, 7), end=st.none() | st.integers(0, 7))
def test_a_range_of_indices_selects_what_lies_in_it(
    length: int, start: int, end: int | None
) -> None:
    elements = list(range(length))
    assert elements[index_slice(IndexRange(start, end), length)] == elements[start:end]
    assert elements[index_slice(IndexRange(most_recent=True), length)] == elements[-1:]


def test_all_points_are_kept_where_there_are_no_more() -> None:
    assert kept_ranks(5, None) is None
    assert kept_ranks(5, Downsample(5)) is None
    ranks = kept_ranks(6, Downsample(5))
    assert ranks is not None
    assert len(ranks) == 5


def test_no_strategy_keeps_points_where_none_are_wanted() -> None:
    value = np.arange(5.0)
    for strategy in ("uniform", "reservoir", "minmax"):
        ranks = kept_ranks(5, Downsample(0, strategy), value)
        assert ranks is not None
        assert ranks.tolist() == []


def test_sensible_queries_pass() -> None:
    check_query(ALL)
    check_query(replace(ALL, steps=StepRange(5, 3, 0), downsample=Downsample(0, "minmax")))
    check_query(replace(ALL, indices=IndexRange(5, 3)))


def test_minmax_is_for_scalars() -> None:
    with pytest.raises(InvalidQuery, match="scalars"):
        check_query(replace(ALL, data_class=DataClass.TENSOR, downsample=Downsample(3, "minmax")))
