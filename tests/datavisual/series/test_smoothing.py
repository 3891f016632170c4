"""Smoothing over all points, compared with plain definitions of each kind."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.smoothing import Smoothing, parse_smoothing
from mindviz.errors import InvalidQuery

kinds = st.one_of(
    st.builds(Smoothing, st.sampled_from(["ema", "twema"]), st.sampled_from([0, 0.3, 0.9, 0.999])),
    st.builds(Smoothing, st.just("mean"), st.integers(1, 40).map(float)),
    st.builds(Smoothing, st.just("gaussian"), st.sampled_from([0.3, 1.0, 5.0])),
)


def rounded(reach: int) -> float:
    """The next number of five binary digits, followed by zeros."""
    unit = 1 << max(0, reach.bit_length() - 5)
    return -(-reach // unit) * unit


def plainly(smoothing: Smoothing, step: list[int], value: list[float]) -> list[float]:
    """The definition, point by point, with exact sums."""
    points = [i for i, v in enumerate(value) if math.isfinite(v)]
    smoothed = list(value)
    reach = rounded(max(1, step[points[-1]] - step[points[0]])) if points else 1

    def weight(place: int, other: int) -> float:
        strength, apart = smoothing.strength, place - other
        match smoothing.kind:
            case "ema":
                return strength**apart if apart >= 0 else 0.0
            case "twema":
                steps = step[points[place]] - step[points[other]]
                return strength ** (1000 * steps / reach) if apart >= 0 else 0.0
            case "mean":
                behind = int(strength) // 2
                return float(-(int(strength) - behind) < apart <= behind)
            case "gaussian":
                near = abs(apart) <= math.ceil(4 * strength)
                return math.exp(-0.5 * (apart / strength) ** 2) if near else 0.0

    for place, i in enumerate(points):
        weights = [weight(place, other) for other in range(len(points))]
        total = math.fsum(w * value[j] for w, j in zip(weights, points, strict=True))
        smoothed[i] = total / math.fsum(weights)
    return smoothed


@given(
    smoothing=kinds,
    values=st.lists(st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf]), max_size=90),
    gaps=st.lists(st.integers(1, 50), min_size=90, max_size=90),
)
def test_each_kind_matches_its_definition_over_all_points(
    smoothing: Smoothing, values: list[float], gaps: list[int]
) -> None:
    step = np.cumsum(gaps[: len(values)], dtype=np.int64)
    expected = plainly(smoothing, step.tolist(), values)
    found = smoothing.of(step, np.array(values, np.float64))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-6 * 1e-12 * 1e6)


@given(
    smoothing=kinds,
    values=st.lists(st.floats(-1e6, 1e6) | st.just(math.nan), min_size=1, max_size=90),
    gaps=st.lists(st.integers(1, 50), min_size=90, max_size=90),
    count=st.integers(0, 90),
)
def test_the_first_points_keep_their_values_if_it_says_so(
    smoothing: Smoothing, values: list[float], gaps: list[int], count: int
) -> None:
    step = np.cumsum(gaps[: len(values)], dtype=np.int64)
    value = np.array(values)
    if smoothing.keeps_first(count, step, value):
        before = smoothing.of(step[:count], value[:count])
        after = smoothing.of(step, value)[:count]
        np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-12)


def test_few_points_change_the_weights_of_a_growing_series() -> None:
    step, value = np.arange(2000), np.ones(2000)
    changes = [
        count
        for count in range(1000, 2000)
        if not Smoothing("twema", 0.6).keeps_first(count, step[: count + 1], value[: count + 1])
    ]
    assert len(changes) == 16


def test_values_far_from_zero_lose_no_digits() -> None:
    value = 1e9 + np.random.default_rng(0).random(5000)
    step = np.arange(5000)
    means = Smoothing("mean", 101.0).of(step, value)
    middle = [math.fsum(value[i - 50 : i + 51]) / 101 for i in range(50, 4950)]
    np.testing.assert_allclose(means[50:4950], middle, rtol=1e-12)


def test_the_logged_values_are_unchanged() -> None:
    value = np.array([1.0, math.nan, 3.0])
    Smoothing("ema", 0.5).of(np.arange(3), value)
    Smoothing("gaussian", 1.0).of(np.arange(1), value[:1])[0] = 7.0
    assert repr(value.tolist()) == "[1.0, nan, 3.0]"


def test_a_smoothing_is_named_by_kind_and_strength() -> None:
    assert parse_smoothing("ema:0.6") == Smoothing("ema", 0.6)
    assert parse_smoothing("mean:25") == Smoothing("mean", 25.0)


@pytest.mark.parametrize(
    "text", ["", "ema", "ema:", "ema:1", "ema:nan", "twema:-0.1", "mean:0", "gaussian:0", "x:1"]
)
def test_an_invalid_smoothing_is_refused(text: str) -> None:
    with pytest.raises(InvalidQuery, match="'smoothing' is"):
        parse_smoothing(text)


@pytest.mark.parametrize("kind", ["ema:0.9", "twema:0.5", "mean:3", "gaussian:1"])
def test_the_largest_numbers_have_a_smooth_curve(kind: str) -> None:
    step, value = np.arange(6), np.array([1.0, 2.0, 1.5, 1.7, 1.6, 1.0])
    smoothing = parse_smoothing(kind)
    expected = smoothing.of(step, value) * 2.0**1022
    np.testing.assert_array_equal(smoothing.of(step, value * 2.0**1022), expected)
