"""Table: what is exported, whatever format it is written in. Rows come piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from numpy.typing import NDArray


class Kind(StrEnum):
    """What a column holds in each row. None anywhere: the row has no such value."""

    INTEGER = "integer"
    """Within int64."""
    NUMBER = "number"
    """A float, which may be NaN or infinite."""
    FLAG = "flag"
    TEXT = "text"
    INTEGERS = "integers"
    """Some of them: a one-dimensional array."""
    NUMBERS = "numbers"
    """The same of floats. All columns of this kind are equally long within a row."""
    ARRAY = "array"
    """A numpy array of any shape and dtype but objects."""
    BYTES = "bytes"
    JSON = "json"
    """Whatever JSON can say, NaN and infinities included."""


Cells = Sequence[Any] | NDArray[Any]
"""One column of some rows; an array only where no cell is None."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of one series, one after the other."""

    series: tuple[str, ...]
    """Which series: one text per name in `Table.series_columns`."""
    columns: tuple[Cells, ...]
    """Of equal length."""

    def __len__(self) -> int:
        """How many rows."""
        return len(self.columns[0])


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Everything that is exported at once."""

    name: str
    """As in `--what`."""
    series_columns: tuple[str, ...]
    """What tells series apart, all texts; empty for a table that is not made of series."""
    columns: tuple[Column, ...]
    """What stands in each row beside them."""
    rows: Iterator[Rows]
    """Can be gone through once. The rows of a series follow each other."""
