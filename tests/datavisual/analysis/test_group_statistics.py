"""Statistics of groups of series, against the standard library's."""

from __future__ import annotations

import math
import statistics

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.group_statistics import group_points, group_statistics
from tests.store_fake import FakeStore

points = st.dictionaries(st.integers(0, 30), st.floats(-1e3, 1e3) | st.just(math.nan), max_size=20)


def columns(series: dict[int, float]) -> tuple[np.ndarray, np.ndarray]:
    steps = sorted(series)
    return np.array(steps, np.float64), np.array([series[step] for step in steps], np.float64)


@given(group=st.lists(points, max_size=6))
def test_each_step_covers_all_runs_that_reached_it(
    group: list[dict[int, float]],
) -> None:
    stats = group_statistics([columns(series) for series in group], 100)
    finite = [{s: v for s, v in series.items() if math.isfinite(v)} for series in group]
    assert stats.x.tolist() == sorted({step for series in finite for step in series})
    for i, x in enumerate(stats.x):
        values = [
            series[max(step for step in series if step <= x)]
            for series in finite
            if series and min(series) <= x <= max(series)
        ]
        assert stats.n[i] == len(values)
        assert math.isclose(stats.mean[i], statistics.fmean(values), rel_tol=1e-9, abs_tol=1e-9)
        assert math.isclose(stats.median[i], statistics.median(values), abs_tol=1e-12)
        assert (stats.min[i], stats.max[i]) == (min(values), max(values))
        if len(values) > 1:
            std = statistics.stdev(values)
            assert math.isclose(stats.std[i], std, rel_tol=1e-9, abs_tol=1e-9)
        else:
            assert math.isnan(stats.std[i])


def test_equal_steps_of_several_series_are_each_placed() -> None:
    same, other = {0: 1.0, 2: 3.0, 4: 5.0}, {0: 7.0, 1: 8.0, 4: 9.0}
    series = [same, {step: -value for step, value in same.items()}, other, same]
    stats = group_statistics([columns(points) for points in series], 100)
    assert stats.x.tolist() == [0, 1, 2, 4]
    assert stats.n.tolist() == [4, 4, 4, 4]
    assert stats.min.tolist() == [-1, -1, -3, -5]
    assert stats.max.tolist() == [7, 8, 8, 9]
    assert stats.mean.tolist() == [2, 2.25, 2.75, 3.5]


def test_the_interval_is_students() -> None:
    series = [(np.zeros(1), np.full(1, value)) for value in (1.0, 2.0, 3.0, 4.0)]
    stats = group_statistics(series, 10)
    # 3.182 is the quantile for three degrees of freedom.
    assert math.isclose(stats.confidence[0], 3.182446305 * statistics.stdev([1, 2, 3, 4]) / 2)
    many = [(np.zeros(1), np.full(1, float(value))) for value in range(41)]
    half = group_statistics(many, 10).confidence[0]
    assert math.isclose(
        half / (statistics.stdev(range(41)) / math.sqrt(41)), 2.021075, rel_tol=1e-4
    )


def test_many_steps_are_reduced_to_an_even_grid() -> None:
    steps = np.arange(10_000.0)
    stats = group_statistics([(steps, steps), (steps, steps + 2)], 101)
    assert (len(stats.x), stats.x[0], stats.x[-1]) == (101, 0, 9999)
    assert np.allclose(np.diff(stats.x), 99.99)
    assert np.allclose(stats.mean, np.floor(stats.x) + 1)


def test_infinite_positions_and_values_are_left_out() -> None:
    x = np.array([0.0, 1.0, 2.0, math.inf])
    series = [
        (x, np.array([1.0, 2.0, 3.0, 4.0])),
        (x[:3], np.array([3.0, -math.inf, 5.0])),
        (x[3:], np.array([9.0])),
    ]
    stats = group_statistics(series, 10)
    assert stats.x.tolist() == [0, 1, 2]
    assert stats.n.tolist() == [2, 2, 2]
    assert stats.mean.tolist() == [2, 2.5, 4]


def test_no_runs_are_no_points() -> None:
    assert len(group_statistics([], 10).x) == 0


def test_the_largest_numbers_have_statistics() -> None:
    large = 2.0**1022
    group = [{0: 1.0, 1: 2.0}, {0: 2.0, 1: 2.0}]
    larger = [{step: value * large for step, value in series.items()} for series in group]
    small = group_statistics([columns(series) for series in group], 10)
    stats = group_statistics([columns(series) for series in larger], 10)
    for name in ("mean", "median", "min", "max", "std"):
        np.testing.assert_array_equal(getattr(stats, name), getattr(small, name) * large)


def test_a_window_begins_and_ends_with_the_last_values_before() -> None:
    store = FakeStore()
    store.add("./a").append("t", [0, 10, 20], [1.0, 2.0, 3.0])
    (points,) = store.read_points(["./a"], "t")
    x, value = group_points(points, "step", 5.0, 15.0)
    assert (x.tolist(), value.tolist()) == ([5.0, 10.0, 15.0], [1.0, 2.0, 2.0])
    x, value = group_points(points, "step", 5.0, 25.0)
    assert (x.tolist(), value.tolist()) == ([5.0, 10.0, 20.0], [1.0, 2.0, 3.0])
    for outside in ((None, -1.0), (21.0, 30.0)):
        assert len(group_points(points, "step", *outside)[0]) == 0
    x, value = group_points(points, "relative", None, 1.0)
    assert (x.tolist(), value.tolist()) == ([0.0, 1.0], [1.0, 2.0])


few_points = st.dictionaries(st.integers(0, 6), st.floats(0, 9) | st.just(math.nan), max_size=5)


@given(st.lists(few_points, min_size=2, max_size=3), st.integers(0, 6), st.integers(0, 6))
def test_a_window_counts_the_runs_that_the_whole_counts(
    group: list[dict[int, float]], start: int, length: int
) -> None:
    store = FakeStore()
    for number, series in enumerate(group):
        steps, values = columns(series)
        store.add(f"./{number}").append("t", steps.astype(np.int64).tolist(), values.tolist())
    read = list(store.read_points([f"./{number}" for number in range(len(group))], "t"))
    whole = group_statistics([group_points(one, "step", None, None) for one in read], 100)
    window = (float(start), float(start + length))
    part = group_statistics([group_points(one, "step", *window) for one in read], 100)
    for x, n, mean in zip(part.x, part.n, part.mean, strict=True):
        # Every x of the whole is a step of a run.
        at = int(whole.x.searchsorted(x, side="right")) - 1
        if whole.x[at] == x:
            assert (n, mean) == (whole.n[at], whole.mean[at])


def test_time_axes_omit_points_without_a_time() -> None:
    store = FakeStore()
    store.add("./a").append("t", [0, 1, 2], [1.0, 2.0, 3.0])
    (points,) = store.read_points(["./a"], "t")
    points.wall_time[1] = np.nan
    _, value = group_points(points, "wall", None, None)
    assert value.tolist() == [1.0, 3.0]
