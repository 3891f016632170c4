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
sizes = st.integers(1, 40)


@given(st.lists(st.tuples(st.integers(-9, 9).map(float), st.booleans(), st.booleans())), sizes)
def test_a_window_has_range_and_order_of_its_last_values_whenever_they_are_needed(
    pushed: list[tuple[float, bool, bool]], size: int
) -> None:
    window = windows.Window(size)
    values: list[float] = []
    for value, needs_range, needs_order in pushed:
        window.push(value)
        values.append(value)
        last = values[-size:]
        assert window.count == len(last)
        if needs_range:
            assert (window.low(), window.high()) == (min(last), max(last))
        if needs_order:
            assert [window.at(rank) for rank in range(len(last))] == sorted(last)
            assert window.median() == np.median(last)
            distances = sorted(abs(x - 0.5) for x in last)
            assert window.deviation(0.5) == pytest.approx(1.4826 * distances[len(last) // 2])
        if len(last) == size:
            assert window.oldest() == last[0]


@given(st.lists(st.integers(-9, 9).map(float), min_size=1), sizes, st.integers(0, 20))
def test_a_cleared_window_and_a_twin_go_on_alone(
    values: list[float], size: int, before: int
) -> None:
    window = windows.Window(size)
    for value in values[:before]:
        window.push(value)
    twin = window.twin()
    window.clear()
    for at, value in enumerate(values):
        window.push(value)
        twin.push(-value)
        last = values[max(0, at + 1 - size) : at + 1]
        assert (window.low(), window.high(), window.median()) == (
            min(last),
            max(last),
            np.median(last),
        )
    last = [*values[:before], *(-value for value in values)][-size:]
    assert (twin.low(), twin.high(), twin.median()) == (min(last), max(last), np.median(last))


def test_a_tail_is_as_far_as_values_left_the_range_of_the_window() -> None:
    tail = windows.Tail(windows.Window(4))
    for value in (0.0, 1.0, 0.0, 1.0):
        tail.push(value)
    assert (tail.excess(0.5), tail.excess(3.0), tail.excess(-1.5)) == (0.0, 2.0, 1.5)
    assert (tail.includes(3.3), tail.includes(3.5)) == (True, False)  # what normal noise reaches
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
