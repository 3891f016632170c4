"""Views: what a dashboard sees of a series, step by step, and only of the steps it asks for.

A plugin answers with a view of the whole series; which steps a client wants is decided elsewhere,
the same way for all plugins. A `SeriesView` holds all its columns, a `ValuesView` fetches values
from the log when they are looked at.
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
"""Numbers and characters of one look at a series."""

SHORT_LOOK = 0.02
"""Seconds that a look may take before it continues as long work."""

Column = NDArray[np.generic] | Sequence[object]
"""One element per step: a numpy array, or a sequence of numbers, strings, None, lists or dicts of
those, or numpy arrays of numbers."""
Seen = tuple[str, int]
"""What a reader has seen of a series: a token of its content, and how much of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some steps of a series, looked at."""

    columns: Mapping[str, Column]
    """What is shown of each of these steps. None where a step's value is damaged."""
    problems: Mapping[int, str] = field(default_factory=dict)
    """Position among these steps -> why the value there could not be read."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What concerns the series as a whole."""
    frame: str = ""
    """What these rows have in common that others must share to stand beside them: the edges of
    histograms, say. Handed to the next look; if that answers another one, all is looked at anew."""


@dataclass(frozen=True, slots=True)
class NewRows:
    """Which steps are new to a reader."""

    first: int
    """This row and all behind it."""
    truncate_from_step: int | None = None
    """The reader's points from this step on no longer count; None if all do."""


@dataclass(frozen=True, eq=False)
class View(ABC):
    """Every step of one series, oldest first, and a way to look at any of them."""

    step: Int64s
    wall_time: Float64s
    """Seconds since the epoch."""
    epoch: str
    """Changes when what was served before is no longer a prefix of the series."""

    is_cheap = False
    """Whether all rows can be looked at without reading any."""

    @abstractmethod
    def look(self, rows: Int64s, frame: str = "") -> Rows:
        """These steps, given by position, within the frame of an earlier look if that holds them.

        Raises AnswerTooLarge.
        """

    @property
    def seen(self) -> Seen:
        """What a reader has seen who has seen all there is now."""
        return self._seen(len(self.step))

    def new_since(self, seen: Seen) -> NewRows | None:
        """What is new to a reader who has seen this much; None if the reader must begin anew."""
        known = seen[1]
        if known > len(self.step) or seen != self._seen(known):
            return None
        return NewRows(known)

    def _seen(self, rows: int) -> Seen:
        # The epoch alone does not tell of a rewind.
        times = zlib.crc32(self.wall_time[:rows].tobytes())
        return f"{self.epoch}.{zlib.crc32(self.step[:rows].tobytes(), times):x}", rows

    def whole(self) -> SeriesView:
        """Every step, looked at. Raises AnswerTooLarge."""
        rows = self.look(np.arange(len(self.step)))
        return SeriesView(
            self.step, self.wall_time, self.epoch, rows.columns, rows.problems, rows.details
        )


@dataclass(frozen=True, eq=False)
class SeriesView(View):
    """A view whose columns are all there: arrays and sequences as long as `step`."""

    columns: Mapping[str, Column]
    """What the plugin shows of each step. None where a step's value is damaged."""
    problems: Mapping[int, str] = field(default_factory=dict)
    """Row number -> why its value could not be read."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What concerns the series as a whole."""
    is_cheap = True

    def look(self, rows: Int64s, frame: str = "") -> Rows:  # noqa: ARG002 -- has no frame
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
    """Another view, all that it shows of a step put together as `data`."""

    shown: View

    @staticmethod
    def of(view: View) -> AsData:
        """A single column becomes the data itself, several an object of them."""
        return AsData(view.step, view.wall_time, view.epoch, view)

    @property
    def seen(self) -> Seen:
        """As in `View`."""
        return self.shown.seen

    def new_since(self, seen: Seen) -> NewRows | None:
        """As in `View`."""
        return self.shown.new_since(seen)

    def look(self, rows: Int64s, frame: str = "") -> Rows:
        """As in `View`."""
        looked = self.shown.look(rows, frame)
        columns = list(looked.columns.values())
        data: Column
        if len(columns) == 1:
            data = columns[0]
        else:
            cells = zip(*columns, strict=True) if columns else [()] * len(rows)
            data = [
                None if at in looked.problems else dict(zip(looked.columns, row, strict=True))
                for at, row in enumerate(cells)
            ]
        return replace(looked, columns={"data": data})


Look = Callable[[int], Mapping[str, object]]
"""(row) -> what each column shows of it. Raises DamagedValue."""


@dataclass(frozen=True, eq=False)
class ValuesView(View):
    """A view of tensors or blobs, each fetched when its step is looked at."""

    names: tuple[str, ...]
    """Of the columns."""
    look_at: Look
    details: Mapping[str, object] = field(default_factory=dict)
    weigh: Callable[[Mapping[str, object]], int] = lambda cells: sum(
        map(element_count, cells.values())
    )
    """How many elements what is shown of a step counts for."""

    @staticmethod
    def of(
        series: ValueTimeSeries,
        names: tuple[str, ...],
        look_at: Look,
        details: Mapping[str, object] | None = None,
    ) -> ValuesView:
        """A view of every step of `series`."""
        return ValuesView(
            series.step, series.wall_time, series.epoch, names, look_at, details or {}
        )

    def look(self, rows: Int64s, frame: str = "") -> Rows:  # noqa: ARG002 -- has no frame
        """As in `View`."""
        columns: dict[str, list[object]] = {name: [] for name in self.names}
        problems: dict[int, str] = {}
        elements = 0
        begun = time.monotonic()
        for at, row in enumerate(rows.tolist()):
            deadline.check()
            if time.monotonic() - begun > SHORT_LOOK:
                deadline.begin_long_work()
            cells: Mapping[str, object] = {}
            try:
                # A log may hold any numbers: what overflows or is undefined is shown as such.
                with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                    cells = self.look_at(row)
            except DamagedValue as error:
                problems[at] = str(error)
            elements += self.weigh(cells)
            check_elements(elements, alone=len(rows) == 1)
            for name, column in columns.items():
                column.append(cells.get(name))
        return Rows(columns, problems, self.details)


def element_count(cell: object) -> int:
    """Numbers and characters of what a column shows of one step."""
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
    """Raises AnswerTooLarge if this is more than one look at a series may see.

    Of a step that was looked at `alone` it says where the rest is to be had, of several to ask for
    fewer.
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
    """Value number `row`, which has to be of this class. Raises DamagedValue."""
    value = series.read(row)
    if not isinstance(value, kind):
        raise DamagedValue(f"The value is not {noun}.")
    return value
