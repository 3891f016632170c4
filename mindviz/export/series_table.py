"""Series as tables: every point of scalars, images, histograms and tensors, job by job.

A damaged value is a row with a `problem`. Jobs and tags deleted meanwhile are omitted. Memory holds
one value at a time, or one series of scalars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.payloads.encoded_image import mimetype
from mindviz.datavisual.plugins import scalar
from mindviz.datavisual.series.selection import Restarts, Selection
from mindviz.datavisual.series.time_series import Histogram, Image, Tensor, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, TagNotFound, TrainJobNotFound
from mindviz.export.table import Column, Kind, Rows, Table

ROWS = 1 << 16
"""Scalars per piece."""
MAX_BROADCAST_ELEMENTS = 10_000_000
"""Per export, in tensors for which the log stores a single element: a few bytes can claim any
size."""
MAX_TEXT_BYTES = 64 * 1024
MAX_TEXT_RATIO = 32
"""Maximum size of a tensor of strings, as bytes or as a multiple of the bytes in the log: numpy
pads all strings to the longest one."""

SERIES = ("train_id", "tag", "writer")
_TIME = (Column("step", Kind.INTEGER), Column("wall_time", Kind.NUMBER))
_PROBLEM = Column("problem", Kind.TEXT)

SeriesId = tuple[str, str]
"""train_id and tag."""
_Cells = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ValueShape:
    """How the values of a plugin become rows."""

    plugin_name: str
    columns: tuple[Column, ...]
    """Between `wall_time` and `problem`."""
    rows: Callable[[Any], Iterator[_Cells]]
    """The rows of one value, at least one. Raises DamagedValue."""


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
    """Every value of these series of `images`, `histograms` or `tensors`; `done` as above."""
    shape = VALUE_SHAPES[what]
    limit = _BroadcastLimit()

    def rows(train_id: str, tag: str) -> Iterator[Rows]:
        first = store.read_values(train_id, shape.plugin_name, tag)
        name = first.writers[0] if len(first.writers) > 1 else ""
        yield from _value_rows((train_id, tag, name), first, shape, limit)
        for writer in first.writers[1:]:
            line = store.read_values(train_id, shape.plugin_name, tag, writer=writer)
            yield from _value_rows((train_id, tag, writer), line, shape, limit)

    columns = (*_TIME, *shape.columns, _PROBLEM)
    return Table(what, SERIES, columns, _one_by_one(series, rows, done))


def _value_rows(
    series: tuple[str, str, str], line: ValueTimeSeries, shape: ValueShape, limit: _BroadcastLimit
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


def _cells(series: ValueTimeSeries, shape: ValueShape, limit: _BroadcastLimit) -> Iterator[_Cells]:
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


def _image_rows(value: object) -> Iterator[_Cells]:
    if not isinstance(value, Image):
        raise DamagedValue("The value is not an image.")
    if not value.encoded:
        raise DamagedValue("The value contains no image.")
    for sample, encoded in enumerate(value.encoded):
        yield sample, value.width, value.height, mimetype(encoded), len(encoded), encoded


def _histogram_rows(value: object) -> Iterator[_Cells]:
    if not isinstance(value, Histogram):
        raise DamagedValue("The value is not a histogram.")
    yield (
        *value.buckets.T,
        value.nan_count,
        value.positive_infinity_count,
        value.negative_infinity_count,
    )


def _tensor_rows(value: object) -> Iterator[_Cells]:
    if not isinstance(value, Tensor):
        raise DamagedValue("The value is not a tensor.")
    array = value.data
    plain = _texts(array) if array.dtype.kind == "O" else np.asarray(array)
    yield np.array(array.shape, np.int64), value.dtype_name, plain.dtype.str, plain


def _texts(strings: NDArray[Any]) -> NDArray[np.str_]:
    """Strings as a numpy array; invalid UTF-8 is replaced. Raises DamagedValue."""
    flat = strings.ravel().tolist()
    # The log may store one string for all elements, so equal objects count once.
    stored = {id(string): len(string) for string in flat}
    nbytes = 4 * max(stored.values(), default=0) * len(flat)
    if nbytes > max(MAX_TEXT_BYTES, MAX_TEXT_RATIO * sum(stored.values())):
        raise DamagedValue(
            f"The lengths of the tensor's strings differ too much: its array takes {nbytes} bytes."
        )
    decoded = [
        string.decode("utf-8", "replace") if isinstance(string, bytes) else str(string)
        for string in flat
    ]
    return np.array(decoded, np.str_).reshape(strings.shape)


VALUE_SHAPES = {
    "images": ValueShape(
        "image",
        (
            Column("sample", Kind.INTEGER),
            Column("width", Kind.INTEGER),
            Column("height", Kind.INTEGER),
            Column("mimetype", Kind.TEXT),
            Column("size", Kind.INTEGER),
            Column("encoded", Kind.BYTES),
        ),
        _image_rows,
    ),
    "histograms": ValueShape(
        "histogram",
        (
            Column("left", Kind.NUMBERS),
            Column("right", Kind.NUMBERS),
            Column("count", Kind.NUMBERS),
            Column("nan_count", Kind.INTEGER),
            Column("positive_infinity_count", Kind.INTEGER),
            Column("negative_infinity_count", Kind.INTEGER),
        ),
        _histogram_rows,
    ),
    "tensors": ValueShape(
        "tensor",
        (
            Column("shape", Kind.INTEGERS),
            Column("data_type", Kind.TEXT),
            Column("dtype", Kind.TEXT),
            Column("data", Kind.ARRAY),
        ),
        _tensor_rows,
    ),
}
"""Kind of data -> its columns."""
