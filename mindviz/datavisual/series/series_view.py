"""Views: how a dashboard shows a series, step by step.

A plugin returns a view of the whole series; `selection` chooses the steps, the same way for all
plugins. A `SeriesView` has all its columns; a `ValuesView` reads values from the log on demand.
"""

from __future__ import annotations

import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz import deadline
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.time_series import ValueTimeSeries
from mindviz.errors import AnswerTooLarge, DamagedValue

MAX_ELEMENTS = 4_000_000
"""Maximum numbers and characters per read."""

SHORT_READ = 0.02
"""Seconds that a read may take before it continues as long work."""

Column = NDArray[np.generic] | Sequence[object]
"""One element per step: a numpy array, or a sequence of numbers, strings, None, lists or dicts of
those, or numpy arrays of numbers."""
Seen = tuple[str, int]
"""What a reader has seen: a token of the content, and the number of rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some steps of a series."""

    columns: Mapping[str, Column]
    """None where a step's value is damaged."""
    problems: Mapping[int, str] = field(default_factory=dict)
    """Position among these steps -> why its value could not be read."""
    details: Mapping[str, object] = field(default_factory=dict)
    """Facts about the whole series."""
    frame: str = ""
    """Shared by all rows shown together, such as the edges of histograms. Passed to the next read;
    if that returns another frame, all rows are read again."""


@dataclass(frozen=True, slots=True)
class NewRows:
    """The steps that are new to a reader."""

    first: int
    """The first new row; all later rows are new, too."""
    truncate_from_step: int | None = None
    """The reader must drop its points from this step on; None keeps all."""


@dataclass(frozen=True, eq=False)
class View(ABC):
    """All steps of one series, oldest first."""

    step: Int64s
    wall_time: Float64s
    """Unix seconds."""
    epoch: str
    """Changes when earlier answers are no longer a prefix of the series."""

    is_cheap = False
    """Whether all rows can be shown without reading values."""

    @abstractmethod
    def read(self, rows: Int64s, frame: str = "") -> Rows:
        """The steps at these positions, in the frame of an earlier read if possible.

        Raises AnswerTooLarge.
        """

    @property
    def seen(self) -> Seen:
        """What a reader of all current steps has seen."""
        return self._seen(len(self.step))

    def new_since(self, seen: Seen) -> NewRows | None:
        """What is new to a reader who has seen this much; None if the reader must start over."""
        known = seen[1]
        if known > len(self.step) or seen != self._seen(known):
            return None
        return NewRows(known)

    def _seen(self, rows: int) -> Seen:
        # The epoch does not change when a run is rewound.
        times = zlib.crc32(self.wall_time[:rows].tobytes())
        return f"{self.epoch}.{zlib.crc32(self.step[:rows].tobytes(), times):x}", rows

    def whole(self) -> SeriesView:
        """Every step. Raises AnswerTooLarge."""
        rows = self.read(np.arange(len(self.step)))
        return SeriesView(
            self.step, self.wall_time, self.epoch, rows.columns, rows.problems, rows.details
        )


@dataclass(frozen=True, eq=False)
class SeriesView(View):
    """A view whose columns are complete: arrays and sequences as long as `step`."""

    columns: Mapping[str, Column]
    """None where a step's value is damaged."""
    problems: Mapping[int, str] = field(default_factory=dict)
    """Row -> why its value could not be read."""
    details: Mapping[str, object] = field(default_factory=dict)
    """Facts about the whole series."""
    is_cheap = True

    def read(self, rows: Int64s, frame: str = "") -> Rows:  # noqa: ARG002 -- has no frame
        """As in `View`."""
        columns = {name: _picked(column, rows) for name, column in self.columns.items()}
        problems = {
            at: self.problems[row]
            for at, row in enumerate(rows.tolist() if self.problems else ())
            if row in self.problems
        }
        return Rows(columns, problems, self.details)

    def whole(self) -> SeriesView:
        """This view."""
        return self


def _picked(column: Column, rows: Int64s) -> Column:
    whole = len(rows) == len(column)
    if isinstance(column, np.ndarray):
        return column if whole else column[rows]
    return column if whole else [column[row] for row in rows.tolist()]


@dataclass(frozen=True, eq=False)
class AsData(View):
    """Another view whose columns are combined into `data`."""

    shown: View

    @staticmethod
    def of(view: View) -> AsData:
        """A single column becomes `data` itself; several become objects."""
        return AsData(view.step, view.wall_time, view.epoch, view)

    @property
    def seen(self) -> Seen:
        """As in `View`."""
        return self.shown.seen

    def new_since(self, seen: Seen) -> NewRows | None:
        """As in `View`."""
        return self.shown.new_since(seen)

    def read(self, rows: Int64s, frame: str = "") -> Rows:
        """As in `View`."""
        shown = self.shown.read(rows, frame)
        columns = list(shown.columns.values())
        data: Column
        if len(columns) == 1:
            data = columns[0]
        else:
            cells = zip(*columns, strict=True) if columns else [()] * len(rows)
            data = [
                None if at in shown.problems else dict(zip(shown.columns, row, strict=True))
                for at, row in enumerate(cells)
            ]
        return replace(shown, columns={"data": data})


ReadRow = Callable[[int], Mapping[str, object]]
"""(row) -> cell of each column. Raises DamagedValue."""


@dataclass(frozen=True, eq=False)
class ValuesView(View):
    """A view of tensors or blobs, each read on demand."""

    names: tuple[str, ...]
    """Of the columns."""
    read_row: ReadRow
    details: Mapping[str, object] = field(default_factory=dict)
    weigh: Callable[[Mapping[str, object]], int] = lambda cells: sum(
        map(element_count, cells.values())
    )
    """Number of elements that a step's cells count for."""

    @staticmethod
    def of(
        series: ValueTimeSeries,
        names: tuple[str, ...],
        read_row: ReadRow,
        details: Mapping[str, object] | None = None,
    ) -> ValuesView:
        """A view of all steps of `series`."""
        return ValuesView(
            series.step, series.wall_time, series.epoch, names, read_row, details or {}
        )

    def read(self, rows: Int64s, frame: str = "") -> Rows:  # noqa: ARG002 -- has no frame
        """As in `View`."""
        columns: dict[str, list[object]] = {name: [] for name in self.names}
        problems: dict[int, str] = {}
        elements = 0
        begun = time.monotonic()
        for at, row in enumerate(rows.tolist()):
            deadline.check()
            if time.monotonic() - begun > SHORT_READ:
                deadline.begin_long_work()
            cells: Mapping[str, object] = {}
            try:
                # Logs may contain any numbers, so overflow and undefined results are expected.
                with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                    cells = self.read_row(row)
            except DamagedValue as error:
                problems[at] = str(error)
            elements += self.weigh(cells)
            check_elements(elements, alone=len(rows) == 1)
            for name, column in columns.items():
                column.append(cells.get(name))
        return Rows(columns, problems, self.details)


def element_count(cell: object) -> int:
    """Numbers and characters in a cell."""
    if isinstance(cell, np.ndarray):
        return int(cell.size) if cell.dtype.kind != "O" else sum(map(element_count, cell.flat))
    if isinstance(cell, str | bytes):
        return len(cell)
    if isinstance(cell, Mapping):
        return sum(map(element_count, cell.values()))
    if isinstance(cell, Sequence):
        return sum(map(element_count, cell))
    return 1


def check_elements(count: int, *, alone: bool = False) -> None:
    """Raise AnswerTooLarge if this is more than one read may return.

    `alone`: whether a single step was selected; the message then names other routes.
    """
    if count > MAX_ELEMENTS and alone:
        raise AnswerTooLarge(
            f"This step alone holds more than {MAX_ELEMENTS} numbers or characters, the most of "
            "one answer: series/<plugin_name>/blob has the bytes of graphs and other blobs, "
            "datavisual/tensors any part of a tensor."
        )
    if count > MAX_ELEMENTS:
        raise AnswerTooLarge(
            f"These steps hold more than {MAX_ELEMENTS} numbers or characters, the most of one "
            "answer; ask for fewer of them, with most_recent, sample, or start_step and end_step."
        )


Kind = TypeVar("Kind")


def read_as(series: ValueTimeSeries, row: int, kind: type[Kind], noun: str) -> Kind:
    """Value `row`, which must be of this class. Raises DamagedValue."""
    value = series.read(row)
    if not isinstance(value, kind):
        raise DamagedValue(f"The value is not {noun}.")
    return value
