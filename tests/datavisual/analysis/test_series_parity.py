"""Differences of two series, equal to those of a plain loop."""

from __future__ import annotations

import math
import weakref
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindviz.datavisual.analysis.array_parity import MAX_ELEMENTS
from mindviz.datavisual.analysis.series_parity import (
    EXACT,
    MAX_RANGES,
    Largest,
    MissingSteps,
    SeriesParity,
    StepValues,
    Tolerance,
    ValuePair,
    compare_series,
    compare_values,
)
from mindviz.datavisual.plugins.tensor import parity
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.time_series import Tensor
from mindviz.errors import DamagedValue, InvalidQuery

Points = dict[int, float]

VALUES = st.one_of(
    st.sampled_from(
        [0.0, -0.0, 1.0, 1.0 + 2**-52, 0.1, 1e308, -1e308, math.nan, math.inf, -math.inf]
    ),
    st.floats(width=32),
)
SERIES = st.dictionaries(st.integers(0, 15), VALUES, max_size=12)
TOLERANCES = st.builds(
    Tolerance, st.sampled_from([0.0, 1e-6, 0.5, 2.0]), st.sampled_from([0.0, 1e-3, 1.0])
)


def points(values: Points) -> ScalarPoints:
    steps = sorted(values)
    return ScalarPoints(
        np.array(steps, np.int64),
        np.zeros(len(steps)),
        np.array([values[step] for step in steps], np.float64),
    )


def compared(a: Points, b: Points, tolerance: Tolerance = EXACT) -> SeriesParity:
    return compare_series(points(a), points(b), tolerance)


def plainly_compared(a: Points, b: Points, tolerance: Tolerance) -> SeriesParity:
    """The definition, one step at a time."""
    first = None
    absolute: Largest | None = None
    relative: Largest | None = None
    different = non_finite = 0
    common = sorted(a.keys() & b.keys())
    for step in common:
        x, y = a[step], b[step]
        both_nan = math.isnan(x) and math.isnan(y)
        close = math.isclose(x, y, rel_tol=tolerance.rtol, abs_tol=tolerance.atol)
        finite = math.isfinite(x) and math.isfinite(y)
        if not both_nan and not close:
            first = first or ValuePair(step, x, y)
            different += 1
            non_finite += not finite
        if finite and x != y:
            size = abs(x - y)
            if absolute is None or size > absolute.size:
                absolute = Largest(size, step)
            share = size / max(abs(x), abs(y))
            if relative is None or share > relative.size:
                relative = Largest(share, step)
    return SeriesParity(
        len(common),
        different,
        first,
        absolute,
        relative,
        non_finite,
        plain_gaps(b, a),
        plain_gaps(a, b),
    )


def plain_gaps(steps: Points, others: Points) -> MissingSteps:
    ranges: list[tuple[int, int]] = []
    count, within = 0, False
    for step in sorted(steps):
        if step in others:
            within = False
            continue
        count += 1
        ranges[len(ranges) - within :] = [(ranges[-1][0] if within else step, step)]
        within = True
    return MissingSteps(count, tuple(ranges[:MAX_RANGES]))


@given(SERIES, SERIES, TOLERANCES)
def test_differences_are_those_of_a_plain_loop(a: Points, b: Points, tolerance: Tolerance) -> None:
    result = compared(a, b, tolerance)
    expected = plainly_compared(a, b, tolerance)
    assert repr(replace(result, window=None)) == repr(expected)  # NaN does not equal NaN


@given(SERIES, SERIES, TOLERANCES)
def test_scalars_as_tensors_have_the_same_differences(
    a: Points, b: Points, tolerance: Tolerance
) -> None:
    found = compare_values(tensors(a), tensors(b), parity, tolerance)
    if found.first is not None:
        assert found.first.index == ()
    assert repr(found) == repr(compared(a, b, tolerance))


def tensors(values: Points) -> StepValues:
    for step in sorted(values, reverse=True):
        yield step, partial(Tensor, np.array(values[step]), "DT_FLOAT64")


def test_one_value_of_each_series_is_held_at_a_time() -> None:
    held: list[weakref.ref[NDArray[np.generic]]] = []

    def values() -> StepValues:
        for step in range(20, 0, -1):
            yield step, read

    def read() -> Tensor:
        assert sum(one() is not None for one in held) < 2
        value = Tensor(np.zeros(3), "DT_FLOAT64")
        held.append(weakref.ref(value.data))
        return value

    assert compare_values(values(), values(), parity).common_steps == 20
    assert len(held) == 40


def test_damaged_and_too_large_values_are_counted() -> None:
    def damaged() -> Tensor:
        raise DamagedValue("Its checksum is wrong.")

    a = [(3, damaged), *tensors({2: 1.0, 1: 1.0})]
    large = Tensor(np.zeros(MAX_ELEMENTS + 1, np.bool_), "DT_BOOL")
    found = compare_values(a, [*tensors({3: 1.0}), (2, lambda: large), (1, lambda: large)], parity)
    assert (found.uncompared_steps, found.different_steps, found.shape_steps) == (1, 2, 2)
    found = compare_values([(1, lambda: large)], [(1, lambda: large)], parity)
    assert (found.uncompared_steps, found.equal) == (1, False)


@given(SERIES, SERIES, TOLERANCES)
def test_the_order_of_the_runs_does_not_matter(a: Points, b: Points, tolerance: Tolerance) -> None:
    one, other = compared(a, b, tolerance), compared(b, a, tolerance)
    assert (one.equal, one.first_step, one.different_steps) == (
        other.equal, other.first_step, other.different_steps,
    )  # fmt: skip
    assert one.largest_relative == other.largest_relative
    assert (one.missing_a, one.missing_b) == (other.missing_b, other.missing_a)


@given(SERIES)
def test_a_series_equals_itself(a: Points) -> None:
    result = compared(a, a)
    assert result.equal
    assert (result.first, result.largest_absolute, result.first_step) == (None, None, None)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_ulp_is_found(dtype: type[np.floating]) -> None:
    values = np.linspace(0.1, 5, 10_000).astype(dtype)
    other = values.copy()
    other[7_321] = np.nextafter(other[7_321], dtype(0))
    steps, times = np.arange(10_000), np.zeros(10_000)
    result = compare_series(
        ScalarPoints(steps, times, values.astype(np.float64)),
        ScalarPoints(steps, times, other.astype(np.float64)),
    )
    assert (result.different_steps, result.first_step) == (1, 7_321)
    assert result.largest_absolute == Largest(float(values[7_321]) - float(other[7_321]), 7_321)


def test_tolerance_ignores_small_differences_but_reports_their_size() -> None:
    result = compared({1: 1.0, 2: 2.0}, {1: 1.0, 2: 2.002}, Tolerance(rtol=0.01))
    assert result.equal
    assert result.largest_absolute is not None
    assert result.largest_absolute.size == pytest.approx(0.002)


def test_nan_equals_nan_and_differs_from_numbers() -> None:
    nan, inf = math.nan, math.inf
    result = compared({1: nan, 2: nan, 3: inf, 4: inf}, {1: nan, 2: 1.0, 3: inf, 4: 1.0})
    assert (result.different_steps, result.non_finite_steps, result.first_step) == (2, 2, 2)
    assert result.largest_absolute is None


def test_missing_steps_are_ranges_of_the_other_series_steps() -> None:
    result = compared(dict.fromkeys(range(0, 100, 10), 1.0), {0: 1.0, 40: 1.0, 45: 1.0, 90: 1.0})
    assert result.missing_b == MissingSteps(7, ((10, 30), (50, 80)))
    assert result.missing_a == MissingSteps(1, ((45, 45),))
    assert (result.common_steps, result.different_steps, result.first_step) == (3, 0, 10)
    assert not result.equal


def test_the_window_has_points_on_both_sides_of_the_first_difference() -> None:
    a = dict.fromkeys(range(0, 1000, 10), 1.0)
    assert compared(a, a | {500: 2.0}).window == (250, 750)
    assert compared(a, a | {0: 2.0}).window == (0, 250)
    assert compared(a, a | {2000: 2.0}).window == (750, 2000)
    assert compared(a, a).window is None
    assert compared({}, {5: 1.0}).window == (5, 5)


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_an_invalid_tolerance_is_an_error(value: float) -> None:
    with pytest.raises(InvalidQuery, match="atol must be a finite number"):
        Tolerance(0, value)
