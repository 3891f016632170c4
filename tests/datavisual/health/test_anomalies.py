from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.health.anomalies import (
    NAMED,
    find_log_anomalies,
    restart_steps,
    window_of,
)
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from tests.store_fake import FakeStore
from tests.written_logs import loaded, tensorboard_log, write

NAN, INF = math.nan, math.inf


def written(
    steps: Sequence[int],
    values: Sequence[float] | None = None,
    times: Sequence[float] | None = None,
) -> ScalarTimeSeries:
    """A logged series; by default a point per second."""
    store = FakeStore()
    job = store.add("./a")
    job.append("t", steps, [0.5] * len(steps) if values is None else values)
    if times is not None:
        job.scalars["t"].wall_time = list(times)
    return store.read_scalars("./a", "t", restarts="all")


def anomalies_in(series: ScalarTimeSeries) -> list[tuple[str, int, int, float]]:
    return [
        (one.kind.value, one.step, one.end_step, one.size) for one in find_log_anomalies(series)
    ]


def test_a_regular_series_has_no_anomalies() -> None:
    assert anomalies_in(written(range(100))) == []
    assert anomalies_in(written([])) == []


def test_restarts_and_repeated_steps() -> None:
    assert anomalies_in(written([1, 2, 3, 4, 3, 4, 5])) == [("restart", 3, 4, 2.0)]
    assert anomalies_in(written([1, 2, 2, 3])) == [("duplicate_steps", 2, 2, 1.0)]


def test_steps_and_times_without_points() -> None:
    steps = [*range(20), 500, *range(501, 520)]
    assert anomalies_in(written(steps)) == [("gap", 19, 500, 481.0)]
    times = [*range(20), *range(119, 139)]
    assert anomalies_in(written(range(40), times=times)) == [("pause", 19, 20, 100.0)]


def test_a_window_shows_an_anomaly_in_context() -> None:
    steps = np.arange(0, 10_000, 10)
    assert window_of(steps, 5000, 5090) == (4500, 5590)
    assert window_of(np.arange(4), 0, 0) == (0, 3)


def test_a_window_of_a_short_series_is_not_all_of_it() -> None:
    assert window_of(np.arange(60), 30, 30) == (24, 36)


def test_a_window_shows_the_beginning_of_a_long_anomaly() -> None:
    assert window_of(np.arange(9_000), 1_000, 8_999) == (950, 1_550)


def test_a_clock_set_back() -> None:
    assert anomalies_in(written(range(4), times=[0, 10, 5, 15])) == [("clock_back", 1, 2, 5.0)]
    assert anomalies_in(written(range(4), times=[0, 10, NAN, 9.5])) == []


def test_the_largest_anomalies_are_listed() -> None:
    steps = [0]
    for at in range(300):
        steps.append(steps[-1] + (1 if at % 5 else 50 + at))
    named = find_log_anomalies(written(steps))
    assert len(named) == NAMED
    assert max(anomaly.size for anomaly in named) == 50 + 295


numbers = st.sampled_from([0.5, NAN, INF])
points = st.lists(st.tuples(st.integers(-5, 30), numbers, st.floats(0, 500)), max_size=40)


@given(points)
def test_every_anomaly_is_at_points_of_the_series(logged: list[tuple[int, float, float]]) -> None:
    steps, values, times = ([row[at] for row in logged] for at in range(3))
    series = written(steps, values, times)  # type: ignore[arg-type]
    every = set(series.step.tolist())
    for anomaly in find_log_anomalies(series):
        assert {anomaly.step, anomaly.end_step} <= every
        assert anomaly.step <= anomaly.end_step
        assert anomaly.count >= 1


@pytest.mark.parametrize(
    ("steps", "restarts"),
    [
        ([], []),
        ([4], []),
        ([*range(1000), *range(998, 2000)], [998]),
        ([0, 1, 2, 1, 2, 3, 0, 1], [0, 1]),
        ([0, 2, 1, 3], []),
        # The point that the late one follows was replaced later.
        ([0, 1, 3, 2, 4, 3, 4], [3]),
    ],
)
def test_late_points_are_not_restarts(
    tmp_path: Path, steps: list[int], restarts: list[int]
) -> None:
    points = [(step, 0.5) for step in steps] or [(0, 0.5)]
    write(tmp_path, "events.out.tfevents.1.h", tensorboard_log(points))
    assert restart_steps(loaded(tmp_path).read_scalars("./", "loss", restarts="all")) == restarts
