"""Converts lineage to numpy columns; missing values are NaN, or None in other columns."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mindviz.client.frame import Arrays, objects
from mindviz.export.lineage_columns import LineageColumn
from mindviz.export.table import Kind


def lineage_arrays(columns: Mapping[str, LineageColumn]) -> Arrays:
    """Integers as int64, or as float64 if any is missing; numbers as float64, flags as bool."""
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
