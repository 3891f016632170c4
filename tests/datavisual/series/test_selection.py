"""Which points of a series a selection keeps."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.selection import Downsample, StepRange, kept_ranks, step_slice

NUMBERS = st.none() | st.integers(-(1 << 66), 1 << 66) | st.integers(-10, 10)


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
