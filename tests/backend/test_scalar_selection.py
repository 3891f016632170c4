"""Which points of a scalar series an answer holds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.scalar_selection import ScalarSelection, read_selection, read_selection_since
from tests.experiment_fake import FakeStore

bounds = st.none() | st.integers(-50, 50)


@given(
    values=st.lists(st.floats(width=32), min_size=1, max_size=80),
    max_points=st.none() | st.integers(1, 20),
    start=bounds,
    end=bounds,
)
def test_a_selection_is_points_of_the_series_within_the_bounds(
    values: list[float], max_points: int | None, start: int | None, end: int | None
) -> None:
    experiment = FakeStore()
    experiment.add("./a").append("t", range(-40, len(values) - 40), values)
    selection = ScalarSelection(max_points=max_points, start_step=start, end_step=end)
    selected = read_selection(experiment, "./a", "t", selection)
    chosen = selected.points
    whole = experiment.read_scalars("./a", "t")
    kept = np.isin(whole.step, chosen.step)
    assert repr(chosen.value.tolist()) == repr(whole.value[kept].tolist())
    low, high = (-(10**9) if start is None else start), (10**9 if end is None else end)
    inside = (whole.step >= low) & (whole.step <= high)
    assert not (kept & ~inside).any()
    assert selected.in_range == inside.sum()
    if max_points is None or inside.sum() <= max_points:
        assert (kept == inside).all()
    else:
        assert len(chosen.step) <= max_points
    assert (chosen.total, chosen.epoch) == (whole.total, whole.epoch)


def test_a_range_of_steps_needs_no_copy() -> None:
    experiment = FakeStore()
    experiment.add("./a").append("t", range(10), [1.0] * 10)
    whole = experiment.read_scalars("./a", "t")
    assert ScalarSelection().in_range(whole) == slice(0, 10)
    assert ScalarSelection(start_step=3, end_step=5).in_range(whole) == slice(3, 6)
    assert ScalarSelection(start_step=5, end_step=3).in_range(whole) == slice(5, 5)


def test_what_is_new_is_not_reduced_and_all_is_if_too_much_is_new() -> None:
    experiment = FakeStore()
    job = experiment.add("./a")
    job.append("t", range(100), [1.0] * 100)
    selection = ScalarSelection(max_points=10)
    job.append("t", range(100, 110), [1.0] * 10)
    ten = read_selection_since(experiment, "./a", "t", selection, ("0", 100))
    assert (ten.reset, ten.points.step.tolist()) == (False, list(range(100, 110)))
    eleven = read_selection_since(experiment, "./a", "t", selection, ("0", 99))
    assert eleven.reset
    assert len(eleven.points.step) <= 10
    assert eleven.points.step[0] == 0
