from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.generic.data_provider import ScalarAggregate, ScalarColumns
from mindviz.datavisual.logs.answers.generic_scalars import (
    aggregate,
    points_of,
    selected,
    summed_up,
)
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.selection import Downsample, StepRange
from tests.written_logs import found_job, snapshot_of, tensorboard_log, write

NUMBERS = st.lists(st.floats(width=32, allow_subnormal=False), min_size=1, max_size=20)


def columns(values: list[float]) -> ScalarColumns:
    step = np.arange(len(values)) * 10
    return ScalarColumns(step, step.astype(np.float64) + 0.5, np.array(values))


def job(directory: Path, *logs: list[tuple[int, float]]) -> TrainJobSnapshot:
    for number, points in enumerate(logs):
        log = tensorboard_log(points, start=1000.0 * number)
        write(directory, f"tfevents.{number}", log)
    found = found_job(directory)
    files = tuple(snapshot_of(Path(file.path)) for file in found.files)
    return TrainJobSnapshot(found, files, version=1, complete=True)


@given(values=NUMBERS)
def test_an_aggregate_is_what_plain_python_finds(values: list[float]) -> None:
    found = aggregate(columns(values))
    assert found is not None
    numbers = [value for value in values if not math.isnan(value)]
    assert found.count == len(values)
    np.testing.assert_equal([found.first, found.last], [values[0], values[-1]])
    if numbers:
        assert (found.min, found.max) == (min(numbers), max(numbers))
        assert found.argmin == 10 * values.index(min(numbers))
        assert found.argmax == 10 * values.index(max(numbers))
    else:
        assert math.isnan(found.min)
        assert (found.argmin, found.argmax) == (0, 0)


def test_nothing_comes_to_nothing() -> None:
    assert aggregate(columns([])) is None


def test_a_range_is_taken_before_points_are_dropped() -> None:
    found = selected(columns([5.0, 4.0, 3.0, 2.0, 1.0]), StepRange(10, 30), Downsample(1))
    assert (found.step.tolist(), found.value.tolist()) == ([30], [2.0])
    assert found.wall_time.tolist() == [30.5]


def test_what_is_known_without_points_is_what_the_points_say(tmp_path: Path) -> None:
    snapshot = job(tmp_path, [(1, 3.0), (2, float("nan")), (5, -1.0)])
    entry = snapshot.generic.entries["scalars"]["loss"]
    known = summed_up(snapshot, entry)
    assert known == aggregate(points_of(snapshot, entry))
    assert known == ScalarAggregate(3, -1.0, 5, 3.0, 1, 3.0, -1.0)


def test_after_a_restart_the_points_have_to_be_asked(tmp_path: Path) -> None:
    snapshot = job(tmp_path, [(1, 3.0), (2, 9.0)], [(2, 4.0)])
    entry = snapshot.generic.entries["scalars"]["loss"]
    assert summed_up(snapshot, entry) is None
    assert points_of(snapshot, entry).value.tolist() == [3.0, 4.0]
