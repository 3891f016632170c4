from __future__ import annotations

import math

import numpy as np

from mindviz.datavisual.health.leads import LARGEST, MOST, Moved, move, ranked

STEPS = np.arange(0, 2000, 10)
NOISE = np.random.default_rng(1).normal(5, 0.1, 200)


def moved_at(row: int, value: float, at_step: int = 1500) -> Moved | None:
    values = NOISE.copy()
    values[row] = value
    return move("norm", STEPS, values, at_step)


def test_a_jump_before_the_step_has_a_lead() -> None:
    found = moved_at(147, 20.0)
    assert found is not None
    assert (found.tag, found.step, found.lead) == ("norm", 1470, 30)
    assert found.size > 50
    assert moved_at(147, -20.0).size < -50  # type: ignore[union-attr]


def test_a_jump_right_after_it_has_a_negative_lead() -> None:
    assert moved_at(151, 20.0).lead == -10  # type: ignore[union-attr]


def test_jumps_elsewhere_do_not_count() -> None:
    assert [moved_at(row, 20.0) for row in (100, 160)] == [None, None]
    assert move("norm", STEPS, NOISE, 1500) is None


def test_a_change_to_nan_is_the_largest() -> None:
    assert moved_at(149, math.nan).size == LARGEST  # type: ignore[union-attr]


def test_a_trend_is_no_move() -> None:
    assert move("lr", STEPS, np.linspace(1, 0, 200) ** 2, 1500) is None


def test_too_few_points_say_nothing() -> None:
    assert move("norm", STEPS[:10], NOISE[:10], 50) is None
    assert move("norm", STEPS[:0], NOISE[:0], 50) is None
    assert move("norm", STEPS, NOISE, -5) is None


def test_the_first_to_move_comes_first_and_the_list_is_bounded() -> None:
    moves = [Moved(f"t{at}", 0, at // 2, float(at)) for at in range(2 * MOST)]
    best = ranked(moves)
    assert [one.tag for one in best[:3]] == ["t19", "t18", "t17"]
    assert len(best) == MOST
