"""Table: the data of an export, independent of the format. Rows arrive in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mindviz.datavisual.series.value_table import Column, Kind

__all__ = ["Cells", "Column", "Kind", "Rows", "Table"]


Cells = Sequence[Any] | NDArray[Any]
"""One column of some rows; an array only if no cell is None."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Consecutive rows of one series."""

    series: tuple[str, ...]
    """The series: one string per name in `Table.series_columns`."""
    columns: tuple[Cells, ...]
    """Columns of equal length."""

    def __len__(self) -> int:
        return len(self.columns[0])


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The data of one export."""

    name: str
    """As in `--what`."""
    series_columns: tuple[str, ...]
    """Text columns that identify a series; empty for a table without series."""
    columns: tuple[Column, ...]
    """The other columns."""
    rows: Iterator[Rows]
    """Iterable once; the rows of a series are consecutive."""
