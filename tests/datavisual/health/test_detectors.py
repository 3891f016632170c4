from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation, RuleEvent
from mindviz.datavisual.health.rules import Rules, default_rule

NAN, INF = math.nan, math.inf


def found(
    kind: AnomalyKind,
    values: Sequence[float],
    times: Sequence[float] | None = None,
    tag: str = "loss",
    **parameters: float,
) -> list[RuleEvent]:
    """Events of one rule, with its defaults but for `parameters`, at steps 0, 1, 2 ..."""
    rule = default_rule(kind)
    rule = type(rule)(rule.name, kind, dict(rule.parameters) | parameters)
    evaluation = RuleEvaluation(Rules([rule]), [tag])
    steps = np.arange(len(values))
    clock = steps.astype(float) if times is None else np.array(times)
    evaluation.append(tag, steps, clock, np.array(values, np.float64))
    return list(evaluation.events())


def spans(events: Sequence[RuleEvent]) -> list[tuple[int, int, int]]:
    return [(event.step, event.end_step, event.points) for event in events]


def noise(points: int, seed: int = 0) -> list[float]:
    values: list[float] = np.random.default_rng(seed).normal(5, 0.1, points).tolist()
    return values


def test_runs_of_nan_and_of_infinities_begin_at_their_onset() -> None:
    values = [1.0, NAN, NAN, 2.0, -INF, NAN]
    assert spans(found(AnomalyKind.NAN, values)) == [(1, 2, 2), (5, 5, 1)]
    assert spans(found(AnomalyKind.INFINITY, values)) == [(4, 4, 1)]


def test_a_threshold_needs_consecutive_points() -> None:
    values = [0.0, 9.0, 0.0, 9.0, 12.0, 8.0, 0.0, -9.0, -10.0]
    events = found(AnomalyKind.THRESHOLD, values, above=5, below=-5, points=2)
    assert spans(events) == [(3, 5, 3), (7, 8, 2)]
    assert [event.size for event in events] == [12.0, -10.0]


@pytest.mark.parametrize(("factor", "size"), [(10.0, 10.0), (0.1, 0.1)])
def test_a_level_that_changes_at_once(factor: float, size: float) -> None:
    values = noise(200) + [factor * value for value in noise(50, 1)]
    (event,) = found(AnomalyKind.GRADIENT_CHANGE, values)
    assert abs(event.step - 200) <= 2
    assert event.size == pytest.approx(size, rel=0.1)


def test_a_level_that_changes_slowly_is_none() -> None:
    values = [math.exp(-at / 40) for at in range(400)]
    assert found(AnomalyKind.GRADIENT_CHANGE, values) == []


def test_lasting_loss_of_throughput_ends_when_it_is_back() -> None:
    pace = [1.0 + 0.1 * (at % 3) for at in range(200)]
    pace[100:130] = [3.0] * 30
    pace[50] = 40.0  # a checkpoint
    times = [0.0, *np.cumsum(pace)]
    (event,) = found(AnomalyKind.THROUGHPUT, [1.0] * 201, times)
    assert abs(event.step - 100) <= 2
    assert abs(event.end_step - 130) <= 6
    assert event.size == pytest.approx(2.7, rel=0.1)


def test_times_that_stand_still_or_go_back_are_skipped() -> None:
    times = [float(at // 5) for at in range(300)]  # written in bursts
    times[150:] = [time - 500 for time in times[150:]]
    assert found(AnomalyKind.THROUGHPUT, [1.0] * 300, times) == []
    assert found(AnomalyKind.THROUGHPUT, [1.0] * 300, [NAN] * 300) == []


@pytest.mark.parametrize("kind", list(AnomalyKind))
def test_the_largest_floats_do_no_harm(kind: AnomalyKind) -> None:
    if kind.value in {"restart", "stray", "duplicate_steps", "gap", "pause", "clock_back"}:
        return
    largest = np.finfo(np.float64).max
    values = [largest if at % 7 == 3 else -largest if at % 11 == 5 else 1e-310 for at in range(200)]
    for event in found(kind, values, [at * 1e300 for at in range(200)]):
        assert math.isfinite(event.size)
