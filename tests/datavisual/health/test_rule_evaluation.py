"""The rules' central promise: events depend on the points, not on how they arrived."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from threading import Thread
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.datavisual.health import rule_evaluation, rules
from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation, RuleEvent
from mindviz.datavisual.health.rules import Rules, default_rule
from mindviz.datavisual.series.columns import Float64s, Int64s
from tests.datavisual.health.test_windows import python_source

# Short windows, so that series of a hundred points have events of each rule.
SHORT: dict[AnomalyKind, dict[str, float]] = {
    AnomalyKind.SPIKE: {"z": 5, "window": 12, "recovery": 4},
    AnomalyKind.DIVERGENCE: {"z": 2, "points": 3},
    AnomalyKind.PLATEAU: {"z": 1, "points": 4, "frozen": 3, "share": 0.5},
    AnomalyKind.THROUGHPUT: {"points": 4, "window": 20},
    AnomalyKind.VALIDATION_GAP: {"z": 1, "points": 2},
    AnomalyKind.GRADIENT_CHANGE: {"points": 3, "window": 16, "factor": 2},
    AnomalyKind.THRESHOLD: {"above": 8, "below": -8, "points": 2},
}
TAGS = ("grad/loss", "train/loss", "val/loss")


def short_rules() -> Rules:
    found = []
    for kind in rules.TYPES:
        rule = default_rule(kind)
        parameters = dict(rule.parameters) | SHORT.get(kind, {})
        found.append(rules.Rule(rule.name, kind, parameters, rule.tags, rule.exclude))
    return Rules(found)


Columns = tuple[Int64s, Float64s, Float64s]


def columns_of(seed: int, points: int, events: Sequence[tuple[int, int]]) -> Columns:
    """Noise around a descent, with odd things at some points."""
    random = np.random.default_rng(seed)
    step = np.cumsum(random.integers(1, 3, points))
    pace = random.uniform(0.9, 1.1, points)
    value = np.linspace(4, 1, points) + random.normal(0, 0.02, points)
    for at, kind in events:
        rest = slice(at % points, None)
        if kind == 0:
            value[at % points] = math.nan
        elif kind == 1:
            value[at % points] = -math.inf
        elif kind == 2:
            value[at % points] += 50
        elif kind == 3:
            value[rest] *= 5
        elif kind == 4:
            pace[rest] *= 3
        else:
            value[rest] = value[at % points]
    return step.astype(np.int64), np.cumsum(pace), value


def stopping(seed: int) -> Columns:
    """Progress that stops, in much noise."""
    step = np.arange(1_000)
    value = np.exp(-np.minimum(step, 300) / 250)
    value += np.random.default_rng(seed).normal(0, 0.03, len(step))
    return step, step.astype(np.float64), value


def events_of(evaluation: RuleEvaluation) -> list[RuleEvent]:
    return sorted(evaluation.events(), key=lambda event: (event.tag, event.rule.name, event.step))


def in_one_call(series: dict[str, Columns]) -> list[RuleEvent]:
    evaluation = RuleEvaluation(short_rules(), TAGS)
    for tag, columns in series.items():
        evaluation.append(tag, *columns)
    return events_of(evaluation)


odd = st.lists(st.tuples(st.integers(0, 199), st.integers(0, 5)), max_size=4)
logged = st.lists(st.tuples(st.integers(0, 99), st.integers(1, 160), odd), min_size=3, max_size=3)
calls = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 60)), max_size=30)


@given(logged, calls)
@settings(max_examples=60)
def test_any_split_into_calls_gives_the_same_events(
    drawn: list[tuple[int, int, list[tuple[int, int]]]], split: list[tuple[int, int]]
) -> None:
    series = {tag: columns_of(*one) for tag, one in zip(TAGS, drawn, strict=True)}
    evaluation = RuleEvaluation(short_rules(), TAGS)
    done = dict.fromkeys(TAGS, 0)
    for which, count in [*split, *((at, 1_000) for at in range(3))]:
        tag = TAGS[which]
        part = slice(done[tag], done[tag] + count)
        done[tag] = part.stop
        step, wall_time, value = series[tag]
        evaluation.append(tag, step[part], wall_time[part], value[part])
    # Reprs are equal where values are NaN, too.
    assert list(map(repr, events_of(evaluation))) == list(map(repr, in_one_call(series)))


@given(logged, st.integers(0, 160))
@settings(max_examples=60)
def test_what_is_left_out_of_whole_series_has_no_events(
    drawn: list[tuple[int, int, list[tuple[int, int]]]], alike: int
) -> None:
    columns = [columns_of(*one) for one in drawn]
    points = min(len(step) for step, _, _ in columns)
    series = {
        tag: _begun_like(columns[0], one, points, max(alike, points * (at < 2)))
        for at, (tag, one) in enumerate(zip(TAGS, columns, strict=True))
    }
    evaluation = RuleEvaluation(short_rules(), TAGS, once=True)
    for tag, like in zip(TAGS, ("", TAGS[0], ""), strict=True):
        evaluation.append(tag, *series[tag], like)
    assert list(map(repr, events_of(evaluation))) == list(map(repr, in_one_call(series)))


@given(logged, calls, st.integers(0, 160))
@settings(max_examples=60)
def test_series_that_begin_with_the_same_times_are_evaluated_like_each_alone(
    drawn: list[tuple[int, int, list[tuple[int, int]]]], split: list[tuple[int, int]], alike: int
) -> None:
    columns = [columns_of(*one) for one in drawn]
    points = min(len(step) for step, _, _ in columns)
    series = {
        tag: _begun_like(columns[0], one, points, alike)
        for tag, one in zip(TAGS, columns, strict=True)
    }
    evaluation = RuleEvaluation(short_rules(), TAGS)
    done = dict.fromkeys(TAGS, 0)
    begun = [(0, alike, ""), (1, alike, TAGS[0])]
    rest = [(which, count, "") for which, count in [*split, *((at, 1_000) for at in range(3))]]
    for which, count, like in begun + rest:
        tag = TAGS[which]
        part = slice(done[tag], done[tag] + count)
        done[tag] = part.stop
        step, wall_time, value = series[tag]
        evaluation.append(tag, step[part], wall_time[part], value[part], like)
    alone = [event for tag in TAGS for event in in_one_call({tag: series[tag]})]
    assert _slower(evaluation.events()) == _slower(alone)


def _begun_like(first: Columns, other: Columns, points: int, alike: int) -> Columns:
    """Points of `other`, as many of them as said with the steps and times of `first`."""
    step, wall_time = (
        np.cumsum(
            np.concatenate(
                [
                    np.diff(first[at][:points], prepend=0)[:alike],
                    np.diff(other[at][:points], prepend=0)[alike:],
                ]
            )
        )
        for at in (0, 1)
    )
    return step, wall_time, other[2][:points]


def _slower(events: Iterable[RuleEvent]) -> list[str]:
    found = [event for event in events if event.rule.kind is AnomalyKind.THROUGHPUT]
    return sorted(map(repr, found))


def test_a_detector_goes_on_without_its_twin() -> None:
    step, value = np.arange(160), np.zeros(160)
    wall_time = np.where(step < 100, step, 100.0 + 3 * (step - 100))
    evaluation = RuleEvaluation(short_rules(), TAGS)
    for tag, like in ((TAGS[0], ""), (TAGS[1], TAGS[0])):
        evaluation.append(tag, step[:90], wall_time[:90], value[:90], like)
    evaluation.append(TAGS[0], step[90:], wall_time[90:], value[90:])
    slower = [event.tag for event in evaluation.events() if event.rule.kind == "throughput"]
    assert slower == [TAGS[0]]


def test_the_generated_series_have_events_of_every_rule() -> None:
    kinds: set[AnomalyKind] = set()
    for seed in range(20):
        for kind in range(6):
            series = {tag: columns_of(seed, 160, [(80 + seed, kind)]) for tag in TAGS}
            series["val/loss"] = columns_of(seed + 1, 160, [(100, 3)])
            series["train/loss"] = columns_of(seed, 160, [])
            kinds |= {event.rule.kind for event in in_one_call(series)}
    assert kinds == set(rules.TYPES)


def _source(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module in Python, which later imports use."""
    module = python_source(name)
    monkeypatch.setitem(sys.modules, f"mindviz.datavisual.health.{name}", module)
    return module


@pytest.mark.skipif(not rule_evaluation.COMPILED, reason="there is no compiled twin")
def test_compiled_detectors_equal_those_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [
        {tag: columns_of(seed + at, 160, [(60 + seed, seed % 6)]) for at, tag in enumerate(TAGS)}
        for seed in range(30)
    ]
    regular = [(at, 2) for at in range(60, 400, 70)]
    drawn += [{tag: columns_of(seed, 400, regular) for tag in TAGS} for seed in range(3)]
    drawn += [{"train/loss": stopping(seed)} for seed in range(2)]
    compiled = [list(map(repr, in_one_call(series))) for series in drawn]
    _source("windows", monkeypatch)
    names = ("detectors", "spikes", "courses", "plateaus", "trend_detectors", "rules")
    modules = [_source(name, monkeypatch) for name in names]
    evaluation: Any = _source("rule_evaluation", monkeypatch)
    monkeypatch.setattr(evaluation, "COMPILED", False)
    monkeypatch.setitem(globals(), "rules", modules[-1])
    monkeypatch.setitem(globals(), "Rules", modules[-1].Rules)
    monkeypatch.setitem(globals(), "default_rule", modules[-1].default_rule)
    monkeypatch.setitem(globals(), "RuleEvaluation", evaluation.RuleEvaluation)
    assert not hasattr(modules[1].Spike, "__pyx_vtable__")
    assert [list(map(repr, in_one_call(series))) for series in drawn] == compiled
    assert any(compiled)


def test_other_threads_run_while_a_long_series_is_evaluated() -> None:
    points = 500_000
    step = np.arange(points)
    noise = np.random.default_rng(1).normal(0, 1, points)
    evaluation = RuleEvaluation(rules.default_rules(), ["train/loss"])
    work = Thread(target=evaluation.append, args=("train/loss", step, step * 0.1, noise))
    work.start()
    turns = 0
    while work.is_alive():
        turns += 1
        work.join(0.001)
    assert turns > 20
