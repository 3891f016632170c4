from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints
from mindviz.datavisual.series.selection import Downsample, StepRange

NUMBERS = st.lists(st.floats(width=32, allow_subnormal=False), min_size=1, max_size=20)


def points(values: list[float]) -> ScalarPoints:
    step = np.arange(len(values)) * 10
    return ScalarPoints(step, step.astype(np.float64) + 0.5, np.array(values))


@given(values=NUMBERS)
def test_an_aggregate_equals_that_of_plain_python(values: list[float]) -> None:
    aggregate = ScalarAggregate.of(points(values))
    assert aggregate is not None
    numbers = [value for value in values if not math.isnan(value)]
    assert aggregate.count == len(values)
    np.testing.assert_equal([aggregate.first, aggregate.last], [values[0], values[-1]])
    if numbers:
        assert (aggregate.min, aggregate.max) == (min(numbers), max(numbers))
        assert aggregate.argmin == 10 * values.index(min(numbers))
        assert aggregate.argmax == 10 * values.index(max(numbers))
    else:
        assert math.isnan(aggregate.min)
        assert (aggregate.argmin, aggregate.argmax) == (0, 0)


@given(values=NUMBERS, others=NUMBERS)
def test_aggregates_of_parts_are_joined(values: list[float], others: list[float]) -> None:
    whole = points([*values, *others])
    cut = len(values)
    first, second = (
        ScalarAggregate.of(ScalarPoints(whole.step[part], whole.wall_time[part], whole.value[part]))
        for part in (slice(cut), slice(cut, None))
    )
    assert first is not None
    assert second is not None
    assert repr(first.followed_by(second)) == repr(ScalarAggregate.of(whole))


def test_no_points_have_no_aggregate() -> None:
    assert ScalarAggregate.of(points([])) is None


def test_a_range_applies_before_sampling() -> None:
    selected = points([5.0, 4.0, 3.0, 2.0, 1.0]).selected(StepRange(10, 30), Downsample(1))
    assert (selected.step.tolist(), selected.value.tolist()) == ([30], [2.0])
    assert selected.wall_time.tolist() == [30.5]
