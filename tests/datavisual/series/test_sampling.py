from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mindviz.datavisual.series import sampling
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.sampling import minmax

SERIES = arrays(np.float64, st.integers(0, 400), elements=st.floats(width=32))
MAX_POINTS = st.integers(1, 120)


def nan_runs(value: Float64s) -> int:
    missing = np.concatenate([[False], np.isnan(value)])
    return int((missing[1:] & ~missing[:-1]).sum())


@given(value=SERIES, max_points=MAX_POINTS)
@settings(max_examples=300)
def test_indices_ascend_and_never_exceed_the_limit(value: Float64s, max_points: int) -> None:
    indices = minmax(value, max_points)
    assert len(indices) <= max_points
    assert (np.diff(indices) > 0).all()
    assert len(indices) > 0 or len(value) == 0
    assert ((indices >= 0) & (indices < len(value))).all()


@given(value=SERIES, max_points=MAX_POINTS)
def test_the_same_series_gives_the_same_points(value: Float64s, max_points: int) -> None:
    np.testing.assert_array_equal(minmax(value, max_points), minmax(value.copy(), max_points))


@given(value=SERIES)
def test_a_short_series_is_unchanged_including_nan_runs(value: Float64s) -> None:
    np.testing.assert_array_equal(minmax(value, max(1, len(value))), np.arange(len(value)))


@given(
    value=arrays(np.float64, st.integers(50, 2000), elements=st.floats(-1, 1)),
    place=st.floats(0, 1, exclude_max=True),
    spike=st.sampled_from([7.0, -7.0, math.inf, -math.inf]),
    max_points=st.integers(4, 40),
)
def test_a_single_spike_is_always_found(
    value: Float64s, place: float, spike: float, max_points: int
) -> None:
    at = int(place * len(value))
    value[at] = spike
    assert at in minmax(value, max_points)


@given(value=SERIES, max_points=st.integers(4, 120))
def test_each_range_keeps_its_first_smallest_largest_and_last_point(
    value: Float64s, max_points: int
) -> None:
    value = np.nan_to_num(value, nan=0.0)
    if len(value) <= max_points:
        return
    kept = set(minmax(value, max_points).tolist())
    buckets = max_points // 4
    size, longer = divmod(len(value), buckets)
    start = 0
    for bucket in range(buckets):
        end = start + size + (bucket < longer)
        part = value[start:end]
        assert {start, start + int(part.argmin()), start + int(part.argmax()), end - 1} <= kept
        start = end
    assert start == len(value)


@given(value=SERIES, max_points=st.integers(8, 120))
def test_a_run_of_nan_is_one_point_and_not_an_extreme(value: Float64s, max_points: int) -> None:
    indices = minmax(value, max_points)
    if len(value) <= max_points:
        return
    kept = value[indices]
    assert np.isnan(kept).sum() == min(nan_runs(value), max_points // 2) or np.isnan(value).all()
    numbers = value[~np.isnan(value)]
    if len(numbers):
        assert {numbers.min(), numbers.max()} <= set(kept.tolist())


def test_nan_leaves_a_gap_where_it_was() -> None:
    value = np.sin(np.arange(1000) / 30)
    value[300:500] = np.nan
    indices = minmax(value, 40)
    gap = np.flatnonzero(np.isnan(value[indices]))
    assert indices[gap].tolist() == [300]
    assert indices[gap - 1].item() < 300
    assert indices[gap + 1].item() >= 500


@given(value=SERIES, max_points=st.integers(8, 120))
def test_ranges_with_nan_keep_the_four_points_of_the_rest(value: Float64s, max_points: int) -> None:
    runs = min(nan_runs(value), max_points // 2)
    if len(value) <= max_points or np.isnan(value).all():
        return
    kept = set(minmax(value, max_points).tolist())
    start = 0
    buckets = (max_points - runs) // 4
    size, longer = divmod(len(value), buckets)
    for bucket in range(buckets):
        end = start + size + (bucket < longer)
        present = start + np.flatnonzero(~np.isnan(value[start:end]))
        if len(present):
            values = value[present]
            assert {present[0], present[-1]} <= kept
            assert {values.min(), values.max()} <= {value[i] for i in kept if start <= i < end}
        start = end


def test_infinities_are_extremes_even_next_to_nan() -> None:
    value = np.array([np.nan, np.inf, np.nan, -np.inf] * 50)
    indices = minmax(value, 20)
    assert np.isposinf(value[indices]).any()
    assert np.isneginf(value[indices]).any()
    assert len(indices) <= 20


@pytest.mark.parametrize("max_points", [1, 2, 3, 4, 10])
def test_only_nan_is_one_point(max_points: int) -> None:
    assert minmax(np.full(1000, np.nan), max_points).tolist() == [0]


@pytest.mark.parametrize(
    ("max_points", "kept"), [(1, [9]), (2, [0, 9]), (3, [0, 4, 9]), (4, [0, 4, 6, 9])]
)
def test_very_few_points_are_the_last_the_first_and_the_extremes(
    max_points: int, kept: list[int]
) -> None:
    value = np.array([0.0, 1, 1, 1, 5, 1, -5, 1, 1, 0])
    assert minmax(value, max_points).tolist() == kept


@given(total=st.integers(0, 300), count=st.integers(0, 40), seed=st.integers(0, 3))
def test_random_choices_are_ascending_and_keep_the_last(total: int, count: int, seed: int) -> None:
    for ranks in (sampling.uniform(total, count), sampling.reservoir(total, count, seed)):
        kept = ranks.tolist()
        assert kept == sorted(set(kept))
        assert len(kept) == min(total, count)
        assert not kept or (kept[0] >= 0 and kept[-1] == total - 1)


def test_uniform_is_the_choice_of_tensorboard() -> None:
    # As TensorBoard's data_provider._downsample does for 12 and 1,000 points.
    assert sampling.uniform(12, 5).tolist() == [0, 4, 6, 10, 11]
    assert sampling.uniform(1000, 3).tolist() == [394, 864, 999]


@given(total=st.integers(1, 400), count=st.integers(2, 20), seed=st.integers(0, 3))
def test_a_reservoir_equals_one_filled_point_by_point(total: int, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    held: list[int] = []
    for rank in range(total):
        if len(held) < count:
            held.append(rank)
            continue
        place = int(random.random() * (rank + 1))
        if place < count:
            del held[place]
        else:
            held.pop()
        held.append(rank)
    assert sampling.reservoir(total, count, seed).tolist() == held


def test_all_points_are_as_likely_to_be_held() -> None:
    hits = np.zeros(50)
    for seed in range(400):
        hits[sampling.reservoir(50, 10, seed)] += 1
    # The last is always included; of the others nine, each in 73 of 400 (standard deviation 8).
    assert hits[-1] == 400
    assert hits[:-1].min() > 30
    assert hits[:-1].max() < 120


def test_shared_results_are_read_only() -> None:
    for ranks in (sampling.uniform(9, 3), sampling.uniform(3, 9), sampling.reservoir(9, 3, 0)):
        with pytest.raises(ValueError, match="read-only"):
            ranks[0] = 5


def test_four_points_are_a_bucket_with_and_without_gaps() -> None:
    value = np.array([np.nan, 3.0, 1.0, np.nan, 9.0, 5.0, 2.0])
    assert sampling.minmax(value, 4).tolist() == [1, 2, 4, 6]
