from __future__ import annotations

import math
from array import array

import numpy as np
import pytest

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.spikes import may_spike
from tests.datavisual.health.test_detectors import NAN, found, noise, spans


def test_a_spike_returns() -> None:
    values = noise(300)
    values[200:203] = [20.0, 18.0, 16.0]
    (event,) = found(AnomalyKind.SPIKE, values)
    assert (event.step, event.end_step, event.wall_time) == (200, 202, 200.0)
    assert event.size == pytest.approx(150, rel=0.3)


def test_a_new_level_is_no_spike_and_spikes_from_it_are() -> None:
    values = noise(200) + [value + 10 for value in noise(200, 1)]
    values[350] = 3.0
    (event,) = found(AnomalyKind.SPIKE, values)
    assert (event.step, event.size < 0) == (350, True)


def test_noise_with_exponential_tails_has_no_spikes_but_larger_values_are() -> None:
    values = np.random.default_rng(3).exponential(1.0, 40_000) - 1
    values[[500, 30_000]] += 60
    assert [event.step for event in found(AnomalyKind.SPIKE, values.tolist())] == [500, 30_000]


def jumping(heights: dict[int, float], points: int = 700) -> list[int]:
    """Steps of the spikes in noise with two-point jumps."""
    values = noise(points)
    for at, height in heights.items():
        values[at : at + 2] = [value + height for value in values[at : at + 2]]
    return [event.step for event in found(AnomalyKind.SPIKE, values)]


def test_jumps_of_like_size_at_regular_intervals_are_a_schedule_and_no_spikes() -> None:
    regular = dict.fromkeys(range(100, 700, 100), 10.0)
    assert jumping(regular) == []
    assert jumping({100: 10.0, 201: 12.0, 300: 9.0, 399: 11.0}) == []
    assert jumping(regular | {350: 40.0}) == [350]
    # The third one tells.
    assert jumping(regular, 290) == [100, 200]


def test_jumps_at_intervals_that_grow_or_shrink_steadily_are_a_schedule() -> None:
    growing = dict.fromkeys((60, 120, 190, 270, 360, 460, 570, 690), 10.0)
    assert jumping(growing) == []
    assert jumping({690 - at: height for at, height in growing.items() if at < 600}) == []
    assert jumping(growing | {320: 60.0}) == [320]
    # The fourth one tells.
    assert jumping(growing, 265) == [60, 120, 190]


def test_scheduled_jumps_may_be_half_as_high_as_those_before() -> None:
    assert jumping({100: 40.0, 250: 21.0, 400: 11.0, 550: 6.0}) == []


@pytest.mark.parametrize("window", [8, 12, 48])
def test_values_that_may_have_no_spike_have_none(window: int) -> None:
    random = np.random.default_rng(window)
    outcomes = set()
    for _ in range(300):
        values = random.standard_t(3, 120) * 10.0 ** random.integers(-2, 3)
        if random.random() < 0.3:
            values = np.round(values)
        may = may_spike(array("d", values), 5.0, window)
        events = found(AnomalyKind.SPIKE, values.tolist(), z=5.0, window=window)
        assert may or not events
        outcomes.add(may)
    assert outcomes == {True, False}


def test_what_is_rounded_where_there_is_no_noise_hides_no_schedule() -> None:
    step = np.arange(5000)
    values = 1.15 - 0.85 * step / 4999 + 0.15 * ((step + 79) % 182 < 23)
    assert found(AnomalyKind.SPIKE, values.tolist()) == []


@pytest.mark.parametrize(
    "heights",
    [
        {100: 10.0, 200: 10.0},
        {100: 10.0, 180: 10.0, 330: 10.0, 390: 10.0},
        {100: 10.0, 200: 30.0, 300: 10.0, 400: 60.0},
        {100: 10.0, 200: -10.0, 300: 10.0},
    ],
)
def test_other_jumps_are_spikes(heights: dict[int, float]) -> None:
    assert jumping(heights, 500) == list(heights)


def test_a_level_that_a_trend_makes_up_for_is_no_spike() -> None:
    step = np.arange(1000)
    values = 1 - step / 6000 + 0.009 * (step >= 300)
    assert found(AnomalyKind.SPIKE, values.tolist()) == []
    values[600:603] += 0.02
    assert spans(found(AnomalyKind.SPIKE, values.tolist())) == [(600, 602, 3)]


def test_a_spike_into_nan_is_one() -> None:
    values = [*noise(100), 50.0, NAN]
    assert spans(found(AnomalyKind.SPIKE, values)) == [(100, 100, 1)]
    assert found(AnomalyKind.SPIKE, values[:-1]) == []


def test_a_spike_in_a_cycle_is_found_where_the_median_is_far() -> None:
    values = [10 + 3 * math.sin(at / 8) for at in range(400)]
    values[300] += 4
    assert spans(found(AnomalyKind.SPIKE, values)) == [(300, 300, 1)]
