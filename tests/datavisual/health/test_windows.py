"""The classes in `windows.py`, which hide their methods when compiled: its Python source is tested.

`test_rule_evaluation` proves both equal.
"""

from __future__ import annotations

import importlib.util
import math
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.health import rule_evaluation


def python_source(name: str) -> ModuleType:
    """A new module from the `.py` of `mindviz.datavisual.health.<name>`, even if it is compiled."""
    path = Path(rule_evaluation.__file__).with_name(f"{name}.py")
    name = f"mindviz.datavisual.health.{name}"
    loader = SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


windows = python_source("windows")
numbers = st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=60)


@given(numbers, st.integers(1, 12))
def test_a_window_has_the_order_statistics_of_its_last_values(
    values: list[float], size: int
) -> None:
    window = windows.Window(size)
    for at, value in enumerate(values):
        window.push(value)
        last = values[max(0, at + 1 - size) : at + 1]
        assert window.count == len(last)
        assert [window.at(rank) for rank in range(len(last))] == sorted(last)
        assert window.median() == np.median(last)
        distances = sorted(abs(x - 0.5) for x in last)
        assert window.deviation(0.5) == pytest.approx(1.4826 * distances[len(last) // 2])
        if len(last) == size:
            assert window.oldest() == last[0]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=12), st.integers(1, 9), st.integers(-9, 9))
def test_values_are_mostly_within_a_distance(values: list[int], distance: int, center: int) -> None:
    window = windows.Window(12)
    for value in values:
        window.push(value)
    inside = sum(-distance <= value - center < distance for value in values)
    assert window.mostly_within(distance, center) == (2 * inside > len(values))


def test_a_tail_is_as_far_as_values_left_the_range_of_the_window() -> None:
    tail = windows.Tail(windows.Window(4))
    for value in (0.0, 1.0, 0.0, 1.0):
        tail.push(value)
    assert (tail.excess(0.5), tail.excess(3.0), tail.excess(-1.5)) == (0.0, 2.0, 1.5)
    assert (tail.includes(3.0), tail.includes(3.1)) == (True, False)  # what normal noise reaches
    tail.push(2.5)
    for value in (0.0, 1.0, 0.0, 1.0):
        tail.push(value)
    assert (tail.includes(6.9), tail.includes(7.1)) == (True, False)


def test_equal_values_have_no_tail() -> None:
    tail = windows.Tail(windows.Window(2))
    for value in (5.0, 5.0, 6.0, 6.0):
        tail.push(value)
    assert (tail.includes(6.0), tail.includes(6.5)) == (True, False)


def test_a_level_knows_start_best_and_noise() -> None:
    level = windows.Level(3)
    values = [9.0, 9.0, 9.0, *(5.0 + 0.1 * (at % 2) for at in range(20)), 7.0, 7.0, 7.0]
    bests = [level.push(step, float(step), value) for step, value in enumerate(values)]
    assert (level.start, level.best, level.now) == (9.0, 5.0, 7.0)
    assert level.oldest_step() == len(values) - 3 == level.oldest_time()
    assert level.is_known()
    assert (bests[2], bests[-1]) == (True, False)
    assert math.isfinite(level.noise)
