"""Series as tables: every point of scalars, images, histograms and tensors, job by job.

A damaged value is a row with a `problem`. Jobs and tags deleted meanwhile are omitted. Memory holds
one value at a time, or one series of scalars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.plugins import exported_plugins, scalar
from mindviz.datavisual.series.selection import Restarts, Selection
from mindviz.datavisual.series.time_series import Tensor, ValueTimeSeries
from mindviz.datavisual.series.value_table import ValueTable
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, TagNotFound, TrainJobNotFound
from mindviz.export.table import Column, Kind, Rows, Table

ROWS = 1 << 16
"""Scalars per piece."""
MAX_BROADCAST_ELEMENTS = 10_000_000
"""Per export, in tensors for which the log stores a single element: a few bytes can claim any
size."""
SERIES = ("train_id", "tag", "writer")
_TIME = (Column("step", Kind.INTEGER), Column("wall_time", Kind.NUMBER))
_PROBLEM = Column("problem", Kind.TEXT)

SeriesId = tuple[str, str]
"""train_id and tag."""
_Cells = tuple[Any, ...]


def scalars_table(
    store: Store, series: Sequence[SeriesId], restarts: Restarts, done: Callable[[], object]
) -> Table:
    """Every point of these series; `done` is called after each series.

    With `restarts="all"`, superseded points are included and marked in a column.
    """
    columns: tuple[Column, ...] = (*_TIME, Column("value", Kind.NUMBER))
    if restarts == "all":
        columns = (*columns, Column("superseded", Kind.FLAG))
    selection = Selection(restarts=restarts)

    def rows(train_id: str, tag: str) -> Iterator[Rows]:
        for name, selected in scalar.read_writers(store, train_id, tag, selection):
            line = selected.points
            whole: list[NDArray[Any]] = [line.step, line.wall_time, line.value]
            if restarts == "all":
                whole.append(line.superseded)
            yield from _pieces((train_id, tag, name), whole)

    return Table("scalars", SERIES, columns, _one_by_one(series, rows, done))


def formulas_table(
    store: Store,
    series: Sequence[SeriesId],
    formulas: Mapping[str, TagFormula],
    done: Callable[[], object],
) -> Table:
    """Every point of these formulas; `series` contain their texts as tags."""

    def rows(train_id: str, text: str) -> Iterator[Rows]:
        formula = formulas[text]
        line = scalar.read_formula(store, train_id, formula, Selection()).points
        yield from _pieces((train_id, text, ""), [line.step, line.wall_time, line.value])

    columns = (*_TIME, Column("value", Kind.NUMBER))
    return Table("scalars", SERIES, columns, _one_by_one(series, rows, done))


def _pieces(series: tuple[str, str, str], whole: Sequence[NDArray[Any]]) -> Iterator[Rows]:
    if 0 < len(whole[0]) <= ROWS:  # the usual case, without slicing
        yield Rows(series, tuple(whole))
        return
    for at in range(0, len(whole[0]), ROWS):
        yield Rows(series, tuple(column[at : at + ROWS] for column in whole))


def values_table(
    store: Store, what: str, series: Sequence[SeriesId], done: Callable[[], object]
) -> Table:
    """Every value of these series of `exported_plugins()[what]`; `done` as above."""
    plugin = exported_plugins()[what]
    assert plugin.table is not None
    shape = plugin.table
    limit = _BroadcastLimit()

    def rows(train_id: str, tag: str) -> Iterator[Rows]:
        first = store.read_values(train_id, plugin.name, tag)
        name = first.writers[0] if len(first.writers) > 1 else ""
        yield from _value_rows((train_id, tag, name), first, shape, limit)
        for writer in first.writers[1:]:
            line = store.read_values(train_id, plugin.name, tag, writer=writer)
            yield from _value_rows((train_id, tag, writer), line, shape, limit)

    columns = (*_TIME, *shape.columns, _PROBLEM)
    return Table(what, SERIES, columns, _one_by_one(series, rows, done))


def _value_rows(
    series: tuple[str, str, str], line: ValueTimeSeries, shape: ValueTable, limit: _BroadcastLimit
) -> Iterator[Rows]:
    for cells in _cells(line, shape, limit):
        yield Rows(series, tuple([cell] for cell in cells))


def _one_by_one(
    series: Sequence[SeriesId],
    rows: Callable[[str, str], Iterator[Rows]],
    done: Callable[[], object],
) -> Iterator[Rows]:
    for train_id, tag in series:
        with suppress(TrainJobNotFound, TagNotFound):
            yield from rows(train_id, tag)
        done()


@dataclass(slots=True)
class _BroadcastLimit:
    """Counts the elements of tensors for which the log stores a single element."""

    elements: int = 0

    def check(self, value: object) -> None:
        """Raises DamagedValue."""
        if isinstance(value, Tensor) and 0 in value.data.strides:
            self.elements += value.data.size
            if self.elements > MAX_BROADCAST_ELEMENTS:
                self.elements -= value.data.size
                raise DamagedValue(
                    f"The tensor claims {value.data.size} elements but stores only one. An export "
                    f"has at most {MAX_BROADCAST_ELEMENTS} such elements."
                )


def _cells(series: ValueTimeSeries, shape: ValueTable, limit: _BroadcastLimit) -> Iterator[_Cells]:
    for row, (step, wall_time) in enumerate(
        zip(series.step.tolist(), series.wall_time.tolist(), strict=True)
    ):
        try:
            value = series.read(row)
            limit.check(value)
            found = list(shape.rows(value))
        except DamagedValue as error:
            yield step, wall_time, *(None for _ in shape.columns), str(error)
            continue
        for cells in found:
            yield step, wall_time, *cells, None
