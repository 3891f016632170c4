"""Another scalar as the x axis: points are joined by step, exactly."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.scalar_axis import ScalarAxis, placed

STEPS = st.lists(st.integers(0, 40), unique=True).map(sorted)
PLACES = st.dictionaries(
    st.integers(0, 40), st.sampled_from([-1.5, 0.0, 2.0, math.nan, math.inf, -math.inf])
)


@given(step=STEPS, x_of=PLACES)
def test_x_is_the_other_series_at_the_same_step(step: list[int], x_of: dict[int, float]) -> None:
    x_step = sorted(x_of)
    points = placed(
        np.array(step, np.int64), np.array(x_step, np.int64), np.array([x_of[s] for s in x_step])
    )
    wanted = [(x_of[s], row) for row, s in enumerate(step) if math.isfinite(x_of.get(s, math.nan))]
    assert list(zip(points.x.tolist(), points.rows.tolist(), strict=True)) == sorted(wanted)


@given(x=st.lists(st.floats(-3, 3)), start=st.floats(-3, 3), end=st.floats(-3, 3))
def test_a_window_includes_its_bounds(x: list[float], start: float, end: float) -> None:
    steps = np.arange(len(x), dtype=np.int64)
    points = placed(steps, steps, np.array(x, np.float64))
    seen = points.within(ScalarAxis("lr", start, end))
    assert seen.x.tolist() == sorted(one for one in x if start <= one <= end)
    assert len(points.within(ScalarAxis("lr")).x) == len(x)
