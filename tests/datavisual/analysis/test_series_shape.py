from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.series_shape import Trend, series_shape

NOISE = np.random.default_rng(0).normal(0, 0.01, 1_000)
X = np.linspace(0, 1, 1_000)


@pytest.mark.parametrize(
    ("value", "trend"),
    [
        (np.array([]), Trend.NONE),
        (np.array([np.nan, np.inf]), Trend.NONE),
        (np.array([1.0, 2.0, np.nan]), Trend.SHORT),
        (np.full(10, 0.5), Trend.CONSTANT),
        (NOISE, Trend.LEVEL),
        (np.exp(-5 * X) + NOISE, Trend.FALLING),
        (X + NOISE, Trend.RISING),
        (np.sin(20 * X) + NOISE, Trend.FLUCTUATING),
        (np.where(X < 0.6, 1 - X, 0.4 + (X - 0.6) / 2) + NOISE, Trend.MOSTLY_FALLING),
    ],
)
def test_trends(value: np.ndarray, trend: Trend) -> None:
    assert series_shape(value).trend == trend


def test_a_spike_is_no_trend() -> None:
    value = NOISE.copy()
    value[900] = 1e6
    assert series_shape(value).trend == Trend.LEVEL


def test_phases_end_where_the_direction_changes() -> None:
    value = np.where(X < 0.5, 1 - 2 * X, 0.0) + NOISE
    shape = series_shape(value)
    assert [phase.direction for phase in shape.phases] == ["falls", "level"]
    assert 450 < shape.phases[0].row < 570
    assert shape.phases[-1].row == 999
    assert shape.noise == pytest.approx(0.01, rel=0.2)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True, width=64), max_size=60))
def test_any_values_have_a_shape(values: list[float]) -> None:
    with np.errstate(over="raise", invalid="raise"):
        shape = series_shape(np.array(values, np.float64))
    assert shape == series_shape(np.array(values, np.float64)) or np.isnan(shape.noise)
    assert all(0 <= phase.row < len(values) for phase in shape.phases)
