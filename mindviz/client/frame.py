"""Result tables: pandas data frames, or numpy columns without pandas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from mindviz.export.lineage_columns import LineageColumn
from mindviz.export.table import Kind

if TYPE_CHECKING:
    import pandas as pd

Arrays: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """A column of repeated strings: row i is `names[codes[i]]`."""

    names: tuple[str, ...]
    """Sorted and distinct."""
    codes: NDArray[np.int32]
    """Shape (n,)."""


Columns: TypeAlias = Mapping[str, NDArray[Any] | Labels]
"""Columns of equal length by name; columns of objects have dtype object."""


def frame(columns: Columns) -> pd.DataFrame:
    """A data frame, with labels as categories; without pandas, `arrays`."""
    if find_spec("pandas") is None:
        return cast("pd.DataFrame", arrays(columns))
    import pandas as pd  # noqa: PLC0415 - an extra, and heavy

    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(column.codes, categories=pd.Index(column.names))
            if isinstance(column, Labels)
            else column
            for name, column in columns.items()
        }
    )


def arrays(columns: Columns) -> Arrays:
    """The columns as arrays by name, labels as arrays of strings."""
    return {
        name: np.array(column.names, object)[column.codes] if isinstance(column, Labels) else column
        for name, column in columns.items()
    }


def objects(values: list[Any]) -> NDArray[np.object_]:
    """A column of any objects, including arrays."""
    column = np.empty(len(values), object)
    for row, value in enumerate(values):
        column[row] = value
    return column


def lineage_arrays(columns: Mapping[str, LineageColumn]) -> Arrays:
    """Integers as int64, or as float64 if any is missing; numbers as float64, flags as bool.

    Missing values are NaN, or None in other columns.
    """
    return {name: _array(column) for name, column in columns.items()}


def _array(column: LineageColumn) -> NDArray[np.generic]:
    kind, cells = column
    missing = any(cell is None for cell in cells)
    if kind is Kind.NUMBER or (kind is Kind.INTEGER and missing):
        return np.array([math.nan if cell is None else cell for cell in cells], np.float64)
    if kind is Kind.INTEGER:
        return np.array(cells, np.int64)
    if kind is Kind.FLAG and not missing:
        return np.array(cells, np.bool_)
    return objects(list(cells))
