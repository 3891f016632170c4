from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.row_selection import RowSelection, read_rows
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_view import Rows, SeriesView, View
from mindviz.errors import InvalidQuery


def view_of(rows: int) -> SeriesView:
    steps = np.arange(rows) * 2
    return SeriesView(steps, np.arange(0.5, rows), "e", {"value": np.sin(steps)})


@given(
    rows=st.integers(0, 30),
    start=st.none() | st.integers(-5, 65),
    end=st.none() | st.integers(-5, 65),
    most_recent=st.none() | st.integers(0, 40),
)
def test_a_range_holds_the_steps_between_its_bounds_the_last_of_them(
    rows: int, start: int | None, end: int | None, most_recent: int | None
) -> None:
    selection = RowSelection(StepRange(start, end, most_recent))
    read = read_rows(view_of(rows), selection, None)
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
def test_a_sample_is_of_the_range_and_keeps_its_end(strategy: str, rows: int, kept: int) -> None:
    selection = RowSelection(StepRange(start=10), Downsample(kept, strategy))  # type: ignore[arg-type]
    steps = read_rows(view_of(rows), selection, None).step.tolist()
    within = list(range(10, 2 * rows, 2))
    assert len(steps) == min(kept, len(within)) or strategy == "minmax"
    assert set(steps) <= set(within)
    assert steps == sorted(set(steps))
    assert steps[-1:] == within[-1:]


def test_extremes_are_of_numbers_alone() -> None:
    names = SeriesView(np.arange(3), np.arange(0.5, 3), "e", {"name": ["a", "b", "c"]})
    with pytest.raises(InvalidQuery, match="numbers"):
        read_rows(names, RowSelection(downsample=Downsample(1, "minmax")), None)


def test_a_reader_gets_what_is_new_within_its_range() -> None:
    selection = RowSelection(StepRange(end=12))
    first = read_rows(view_of(3), selection, None)
    assert first.step.tolist() == [0, 2, 4]
    new = read_rows(view_of(9), selection, first.seen)
    assert (new.step.tolist(), new.reset) == ([6, 8, 10, 12], False)
    nothing = read_rows(view_of(9), selection, new.seen)
    assert (nothing.step.tolist(), nothing.reset) == ([], False)


class Framed(View):
    """The frame is the largest step that was ever looked at, in tens."""

    def look(self, rows: np.ndarray[tuple[int], np.dtype[np.int64]], frame: str = "") -> Rows:
        largest = max([int(frame or 0), *(self.step[rows] // 10).tolist()])
        return Rows({"data": self.step[rows]}, frame=str(largest))


def framed(rows: int) -> Framed:
    return Framed(np.arange(rows), np.arange(0.5, rows), "e")


def test_all_is_looked_at_anew_when_what_is_new_needs_another_frame() -> None:
    first = read_rows(framed(5), RowSelection(), None)
    same = read_rows(framed(9), RowSelection(), first.seen)
    assert (same.step.tolist(), same.reset) == ([5, 6, 7, 8], False)
    wider = read_rows(framed(12), RowSelection(), same.seen)
    assert (len(wider.step), wider.reset) == (12, True)
