from __future__ import annotations

import math

import numpy as np
import pytest

from mindviz.datavisual.health.anomalies import AnomalyKind
from tests.datavisual.health.test_detectors import found
from tests.datavisual.health.test_trend_detectors import DESCENT, RANDOM


def test_progress_that_stops_abruptly_is_a_plateau() -> None:
    values = 3 - np.arange(800) / 400 + RANDOM.normal(0, 0.002, 800)
    values[400:] = 2 + RANDOM.normal(0, 0.002, 400)
    event = found(AnomalyKind.PLATEAU, values.tolist())[0]
    assert abs(event.step - 400) <= 64
    assert event.size == pytest.approx(1, abs=0.1)


def test_a_stop_is_reported_when_it_has_lasted() -> None:
    values = 3 - np.arange(800) / 400 + np.random.default_rng(1).normal(0, 0.002, 800)
    values[400:] += np.arange(400) / 400
    lasting = [len(found(AnomalyKind.PLATEAU, values[:end].tolist())) for end in (480, 800)]
    assert lasting == [0, 1]
    values[480:] -= np.arange(320) / 400
    assert found(AnomalyKind.PLATEAU, values.tolist()) == []


@pytest.mark.parametrize(("stalled", "events"), [(300, 0), (1500, 1)])
def test_a_stop_that_is_short_compared_with_the_training_before_is_none(
    stalled: int, events: int
) -> None:
    steps = np.arange(6000)
    progress = np.minimum(steps, 3000) + np.maximum(steps - 3000 - stalled, 0)
    values = 8 - progress / 1000 + np.random.default_rng(4).normal(0, 0.002, len(steps))
    assert len(found(AnomalyKind.PLATEAU, values.tolist())) == events


@pytest.mark.parametrize("deviation", [0.01, 0.03])
@pytest.mark.parametrize("better", [1, -1])
def test_a_stop_in_noise_is_found_in_the_course_of_the_training(
    deviation: float, better: int
) -> None:
    steps = np.arange(1_000)
    tag = "accuracy" if better < 0 else "loss"
    for seed in range(5):
        noise = np.random.default_rng(seed).normal(0, deviation, len(steps))
        going_on = better * (np.exp(-steps / 250) + noise)
        assert found(AnomalyKind.PLATEAU, going_on.tolist(), tag=tag) == []
        stopping = better * (np.exp(-np.minimum(steps, 300) / 250) + noise)
        (event,) = found(AnomalyKind.PLATEAU, stopping.tolist(), tag=tag)
        assert abs(event.step - 300) <= 75
        assert 0.7 < event.size < 1.3
        assert event.end_step - event.step >= 200


def test_an_oscillating_loss_that_stops_is_a_plateau_and_one_that_goes_on_is_none() -> None:
    steps = np.arange(3000)
    values = 3 - steps / 1500 + 0.05 * np.sin(steps / 25)
    values += np.random.default_rng(2).normal(0, 0.004, len(steps))
    assert found(AnomalyKind.PLATEAU, values.tolist()) == []
    stop = int(25 * math.pi * 17)  # where it falls fastest
    values[stop:] = values[stop - 8 : stop].mean()
    values[stop:] += np.random.default_rng(3).normal(0, 0.004, len(steps) - stop)
    (event,) = found(AnomalyKind.PLATEAU, values.tolist())
    assert abs(event.step - stop) <= 150


def test_smooth_convergence_is_no_plateau() -> None:
    assert found(AnomalyKind.PLATEAU, DESCENT.tolist()) == []
    exact = [1 + 2 * math.exp(-at / 150) for at in range(600)]
    assert found(AnomalyKind.PLATEAU, exact) == []


def test_a_descent_that_stalls_in_each_period_has_one_plateau_at_most() -> None:
    steps = np.arange(5000)
    descent = 5 - steps // 300 / 2 - np.minimum(steps % 300 / 300, 0.5)
    for seed in range(5):
        values = descent + np.random.default_rng(seed).normal(0, 0.004, len(steps))
        (event,) = found(AnomalyKind.PLATEAU, values.tolist())
        assert event.step < 300  # the first one: nothing before it oscillates


def test_values_that_freeze_are_a_plateau_until_they_move() -> None:
    values = DESCENT.copy()
    values[300:380] = values[300]
    (event,) = found(AnomalyKind.PLATEAU, values.tolist())
    assert (event.step, event.end_step, event.points) == (300, 379, 80)
