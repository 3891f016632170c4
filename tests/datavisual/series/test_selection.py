"""Which points of a series a selection keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.scalar_axis import ScalarAxis
from mindviz.datavisual.series.selection import (
    Downsample,
    Restarts,
    Selection,
    StepRange,
    Strategy,
    kept_ranks,
    select_rows,
    select_scalars,
    step_slice,
)
from mindviz.datavisual.series.series_view import Rows, SeriesView, View
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.errors import InvalidQuery

NUMBERS = st.none() | st.integers(-(1 << 66), 1 << 66) | st.integers(-10, 10)


@given(
    steps=st.lists(st.integers(-9, 9) | st.sampled_from([-(1 << 63), (1 << 63) - 1]), unique=True),
    start=NUMBERS,
    end=NUMBERS,
    most_recent=st.none() | st.integers(0, 30),
)
def test_a_range_of_steps_selects_the_points_inside(
    steps: list[int], start: int | None, end: int | None, most_recent: int | None
) -> None:
    steps.sort()
    found = step_slice(np.array(steps, np.int64), StepRange(start, end, most_recent))
    inside = [
        step for step in steps if (start is None or start <= step) and (end is None or step <= end)
    ]
    wanted = inside if most_recent is None else inside[max(0, len(inside) - most_recent) :]
    assert steps[found] == wanted


def test_few_points_are_all_kept() -> None:
    assert kept_ranks(5, None) is None
    assert kept_ranks(5, Downsample(5)) is None
    ranks = kept_ranks(6, Downsample(5))
    assert ranks is not None
    assert len(ranks) == 5


def test_every_strategy_can_keep_no_points() -> None:
    value = np.arange(5.0)
    for strategy in ("uniform", "reservoir", "minmax"):
        ranks = kept_ranks(5, Downsample(0, strategy), value)
        assert ranks is not None
        assert ranks.tolist() == []


def series_of(values: list[float], first: int = 0) -> ScalarTimeSeries:
    step = np.arange(first, first + len(values))
    wall_time = step.astype(np.float64) + 0.5
    value = np.array(values, np.float64)
    none = np.zeros(len(values), np.bool_)
    return ScalarTimeSeries(step, wall_time, value, none, len(values), 0, "e")


BOUNDS = st.none() | st.integers(-50, 50)


@given(
    values=st.lists(st.floats(width=32), min_size=1, max_size=80),
    downsample=st.none() | st.builds(Downsample, st.integers(0, 20), st.just("minmax")),
    steps=st.builds(StepRange, BOUNDS, BOUNDS, st.none() | st.integers(0, 40)),
    restarts=st.sampled_from(["latest", "all"]),
)
def test_selected_scalars_are_points_of_the_series_within_the_bounds(
    values: list[float],
    downsample: Downsample | None,
    steps: StepRange,
    restarts: Restarts,
) -> None:
    whole = series_of(values, -40)
    selection = Selection(steps=steps, downsample=downsample, restarts=restarts)
    selected = select_scalars(whole, selection)
    chosen = selected.points
    kept = np.isin(whole.step, chosen.step)
    assert repr(chosen.value.tolist()) == repr(whole.value[kept].tolist())
    low = -99 if steps.start is None else steps.start
    high = 99 if steps.end is None else steps.end
    inside = np.flatnonzero((whole.step >= low) & (whole.step <= high))
    if steps.most_recent is not None:
        inside = inside[max(0, len(inside) - steps.most_recent) :]
    assert set(np.flatnonzero(kept)) <= set(inside)
    assert selected.in_range == len(inside)
    if downsample is None or len(inside) <= downsample.num_points:
        assert np.flatnonzero(kept).tolist() == inside.tolist()
    else:
        assert len(chosen.step) <= downsample.num_points
    assert (chosen.total, chosen.epoch) == (whole.total, whole.epoch)


def test_a_range_of_steps_needs_no_copy() -> None:
    whole = series_of([1.0] * 10)

    def in_range(selection: Selection) -> object:
        return selection.in_range(whole.step, whole.wall_time)

    assert in_range(Selection()) == slice(0, 10)
    assert in_range(Selection(restarts="all")) == slice(0, 10)
    assert in_range(Selection(StepRange(3, 5))) == slice(3, 6)
    assert in_range(Selection(StepRange(5, 3))) == slice(5, 5)
    assert select_scalars(whole, Selection()).points is whole


def test_bounds_of_time_leave_out_points_without_a_time() -> None:
    whole = series_of([0.0, 1.0, 2.0, 3.0])
    whole.wall_time[1] = np.nan
    selected = select_scalars(whole, Selection(start_time=0.5, end_time=2.5))
    assert selected.points.step.tolist() == [0, 2]


def test_smoothing_uses_points_outside_the_selection() -> None:
    whole = series_of([0.0, 4.0, 8.0])
    selection = Selection(StepRange(start=2), smoothing=parse_smoothing("mean:3"))
    smoothed = select_scalars(whole, selection).smoothed
    assert smoothed is not None
    assert smoothed.tolist() == [6.0]


def test_another_axis_orders_points_and_bounds_them() -> None:
    whole, other = series_of([1.0, 2.0, 3.0, 4.0]), series_of([9.0, 7.0, 8.0])
    selected = select_scalars(whole, Selection(axis=ScalarAxis("lr", 7.5)), other)
    assert selected.x is not None
    assert selected.x.tolist() == [8.0, 9.0]
    assert selected.points.step.tolist() == [2, 0]
    assert (selected.in_range, selected.without_x) == (2, 1)


def view_of(rows: int) -> SeriesView:
    steps = np.arange(rows) * 2
    return SeriesView(steps, np.arange(0.5, rows), "e", {"value": np.sin(steps)})


@given(
    rows=st.integers(0, 30),
    start=st.none() | st.integers(-5, 65),
    end=st.none() | st.integers(-5, 65),
    most_recent=st.none() | st.integers(0, 40),
)
def test_rows_of_a_range_are_within_its_bounds(
    rows: int, start: int | None, end: int | None, most_recent: int | None
) -> None:
    selection = Selection(StepRange(start, end, most_recent))
    read = select_rows(view_of(rows), selection, None)
    expected = [
        step
        for step in range(0, 2 * rows, 2)
        if (start is None or step >= start) and (end is None or step <= end)
    ]
    if most_recent is not None:
        expected = expected[len(expected) - min(most_recent, len(expected)) :]
    assert read.step.tolist() == expected
    assert (read.total, read.reset) == (rows, True)


@pytest.mark.parametrize("strategy", ["uniform", "reservoir", "minmax"])
@given(rows=st.integers(0, 60), kept=st.integers(1, 70))
def test_a_sample_is_taken_from_the_range_and_keeps_its_end(
    strategy: Strategy, rows: int, kept: int
) -> None:
    selection = Selection(StepRange(start=10), downsample=Downsample(kept, strategy))
    steps = select_rows(view_of(rows), selection, None).step.tolist()
    within = list(range(10, 2 * rows, 2))
    assert len(steps) == min(kept, len(within)) or strategy == "minmax"
    assert set(steps) <= set(within)
    assert steps == sorted(set(steps))
    assert steps[-1:] == within[-1:]


def test_minmax_refuses_series_without_numbers() -> None:
    names = SeriesView(np.arange(3), np.arange(0.5, 3), "e", {"name": ["a", "b", "c"]})
    with pytest.raises(InvalidQuery, match="numbers"):
        select_rows(names, Selection(downsample=Downsample(1, "minmax")), None)


def test_an_increment_has_the_new_rows_of_the_range() -> None:
    selection = Selection(StepRange(end=12))
    first = select_rows(view_of(3), selection, None)
    assert first.step.tolist() == [0, 2, 4]
    new = select_rows(view_of(9), selection, first.seen)
    assert (new.step.tolist(), new.reset) == ([6, 8, 10, 12], False)
    nothing = select_rows(view_of(9), selection, new.seen)
    assert (nothing.step.tolist(), nothing.reset) == ([], False)


class Framed(View):
    """The frame is the largest step seen so far, in tens."""

    def read(self, rows: np.ndarray[tuple[int], np.dtype[np.int64]], frame: str = "") -> Rows:
        largest = max([int(frame or 0), *(self.step[rows] // 10).tolist()])
        return Rows({"data": self.step[rows]}, frame=str(largest))


def framed(rows: int) -> Framed:
    return Framed(np.arange(rows), np.arange(0.5, rows), "e")


def test_all_rows_are_sent_again_when_the_frame_changes() -> None:
    first = select_rows(framed(5), Selection(), None)
    same = select_rows(framed(9), Selection(), first.seen)
    assert (same.step.tolist(), same.reset) == ([5, 6, 7, 8], False)
    wider = select_rows(framed(12), Selection(), same.seen)
    assert (len(wider.step), wider.reset) == (12, True)
