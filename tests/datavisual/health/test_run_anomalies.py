from __future__ import annotations

import math

import numpy as np
import pytest

from mindviz.datavisual.health import run_anomalies as run_anomalies_module
from mindviz.datavisual.health.anomalies import Anomaly, AnomalyKind, find_log_anomalies
from mindviz.datavisual.health.rules import Rules, default_rules
from mindviz.datavisual.health.run_anomalies import run_anomalies
from tests.store_fake import FakeStore

NAN = math.nan


def store_of(**series: list[float]) -> FakeStore:
    store = FakeStore()
    job = store.add("./a")
    for tag, values in series.items():
        job.append(tag, range(len(values)), values)
    return store


def anomalies_of(store: FakeStore, rules: Rules | None = None) -> list[tuple[str, Anomaly]]:
    return run_anomalies(store, "./a", rules or default_rules())


def noise(points: int = 200, seed: int = 0) -> list[float]:
    values: list[float] = np.random.default_rng(seed).normal(5, 0.1, points).tolist()
    return values


def test_values_that_a_restart_replaced_have_no_anomalies() -> None:
    store = store_of()
    store.jobs["./a"].append("loss", [0, 1, 2, 3, 2, 3], [1, 1, NAN, NAN, 1, 1])
    assert [(tag, found.kind) for tag, found in anomalies_of(store)] == [("loss", "restart")]


def test_an_event_has_its_rule_step_time_size_and_window() -> None:
    ((tag, event),) = anomalies_of(store_of(loss=[1.0, NAN, NAN, 1.0]))
    assert (tag, event.rule, event.kind) == ("loss", "nan", AnomalyKind.NAN)
    assert (event.step, event.end_step, event.count, event.size) == (1, 2, 2, 2.0)
    assert event.end_wall_time - event.wall_time == 1.0
    assert event.window == (0, 3)


def test_the_largest_events_of_a_rule_and_series_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = [NAN if at % 2 else 0.0 for at in range(100)]
    values[10:13] = [NAN] * 3
    found = [event for _, event in anomalies_of(store_of(loss=values))]
    assert (len(found), max(event.count for event in found)) == (48, 5)
    monkeypatch.setattr(run_anomalies_module, "MAX_LISTED", 20)
    found = [event for _, event in anomalies_of(store_of(loss=values))]
    assert (len(found), max(event.count for event in found)) == (20, 5)


def test_series_that_moved_first_are_named_first() -> None:
    loss, gradient, rate, other = (noise(seed=seed) for seed in range(4))
    loss[150:152] = [40.0, 30.0]
    gradient[147] = 90.0
    rate[149] = 50.0
    store = store_of(loss=loss, gradient=gradient, rate=rate, other=other)
    (event,) = [found for tag, found in anomalies_of(store) if tag == "loss"]
    assert [(moved.tag, moved.lead, moved.step) for moved in event.moved] == [
        ("gradient", 3, 147),
        ("rate", 1, 149),
    ]


def test_kinds_that_the_rules_silence_are_left_out() -> None:
    store = store_of()
    store.jobs["./a"].append("loss", [0, 1, 2, 1, 2], [1, 1, NAN, 1, NAN])
    rules = default_rules()
    silent = Rules(rules.all, frozenset({AnomalyKind.RESTART}))
    assert [found.kind for _, found in anomalies_of(store, silent)] == ["nan"]


def test_series_with_other_times_or_restarts_have_their_own_anomalies_in_the_log() -> None:
    steps = [*range(20), *range(400, 420)]
    store = store_of()
    for number, tag in enumerate(["a", "b", "c", "d", "e"]):
        job = store.jobs["./a"]
        job.append(tag, [*range(40)] if tag == "d" else steps, [0.5] * 40)
        if tag == "c":
            job.scalars[tag].wall_time[30:] = [time + 1e6 for time in range(10)]
        if number == 4:
            job.append(tag, [410, 411, 412], [0.5] * 3)
    store.jobs["./a"].append("f", steps, [0.5] * 40)
    written = {
        tag: store.read_scalars("./a", tag, restarts="all")
        for tag in ("a", "b", "c", "d", "e", "f")
    }
    expected = [(tag, found) for tag, of in written.items() for found in find_log_anomalies(of)]
    assert len({repr(find_log_anomalies(of)) for of in written.values()}) == 4
    found = anomalies_of(store)
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
