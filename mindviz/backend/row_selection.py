"""Which steps of a view an answer holds: ranges first, then a sample; or what is new."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.sampling import minmax, reservoir, uniform
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_view import Rows, Seen, View
from mindviz.errors import AnswerTooLarge, InvalidQuery

MAX_ROWS = 2_000_000
"""Steps of one answer."""


@dataclass(frozen=True, slots=True)
class RowSelection:
    """What a client wants of a series."""

    steps: StepRange = field(default_factory=StepRange)
    downsample: Downsample | None = None

    def in_range(self, view: View, first: int = 0) -> Int64s:
        """The rows from `first` on that are within the range of steps."""
        step = view.step
        begin, end = first, len(step)
        if self.steps.start is not None:
            begin = max(begin, int(np.searchsorted(step, self.steps.start, side="left")))
        if self.steps.end is not None:
            end = int(np.searchsorted(step, self.steps.end, side="right"))
        if self.steps.most_recent is not None:
            begin = max(begin, end - self.steps.most_recent)
        return np.arange(begin, max(begin, end))

    def sampled(self, view: View, rows: Int64s) -> Int64s:
        """Those of the rows that are in the sample. Raises InvalidQuery."""
        wanted = self.downsample
        if wanted is None:
            return rows
        if wanted.strategy == "minmax":
            return rows[minmax(_numbers(view, rows), max(1, wanted.num_points))]
        if wanted.strategy == "reservoir":
            return rows[reservoir(len(rows), wanted.num_points, wanted.seed)]
        return rows[uniform(len(rows), wanted.num_points)]


def _numbers(view: View, rows: Int64s) -> Float64s:
    columns = list(view.look(rows).columns.values()) if view.is_cheap else []
    if len(columns) != 1 or not isinstance(columns[0], np.ndarray) or columns[0].dtype.kind != "f":
        raise InvalidQuery("sampling=minmax is for series of numbers alone.")
    return columns[0].astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class ReadRows:
    """The rows of an answer."""

    step: Int64s
    wall_time: Float64s
    rows: Rows
    total: int
    """Steps of the whole series."""
    reset: bool
    """Whether this replaces what was served before."""
    truncate_from_step: int | None
    """What was served from this step on no longer counts."""
    seen: Seen
    """What a reader of this answer has seen."""


def read_rows(view: View, selection: RowSelection, seen: Seen | None) -> ReadRows:
    """What is new since `seen`, or everything, if there is no such thing or it is too much.

    Too much is more than the sample holds. Raises AnswerTooLarge, InvalidQuery.
    """
    if seen is not None:
        token, _, frame = seen[0].partition("|")
        new = view.new_since((token, seen[1]))
        if new is not None:
            rows = selection.in_range(view, new.first)
            wanted = selection.downsample
            if wanted is None or len(rows) <= wanted.num_points:
                looked = _look(view, rows, frame)
                if looked.frame == frame:
                    return _read(view, rows, looked, new.truncate_from_step, reset=False)
    rows = selection.sampled(view, selection.in_range(view))
    return _read(view, rows, _look(view, rows, ""), None, reset=True)


def _look(view: View, rows: Int64s, frame: str) -> Rows:
    if len(rows) > MAX_ROWS:
        raise AnswerTooLarge(
            f"The series has {len(rows)} steps, more than the {MAX_ROWS} of one answer; ask for "
            "fewer of them, with most_recent, sample, or start_step and end_step."
        )
    return view.look(rows, frame)


def _read(
    view: View, rows: Int64s, looked: Rows, truncate_from_step: int | None, *, reset: bool
) -> ReadRows:
    token, total = view.seen
    return ReadRows(
        step=view.step[rows],
        wall_time=view.wall_time[rows],
        rows=looked,
        total=len(view.step),
        reset=reset,
        truncate_from_step=truncate_from_step,
        seen=(f"{token}|{looked.frame}", total),
    )
