"""Columns of a table of many rows as JSON, packed: a cell that many rows have is said once.

A column is an array with a cell per row, or `{"values": [...], "codes": [...]}`, where a row's code
is the place of its cell among the values. Ten thousand rows of objects take a browser a hundred
times as long to read as their columns do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from mindviz.export.json_numbers import json_safe

Cell = TypeVar("Cell")
PackedColumn = list[Any] | dict[str, list[Any]]


def packed(cells: Sequence[Any]) -> PackedColumn:
    """A column of what JSON can say, NaN and infinities being text: `"NaN"`, `"-Infinity"`."""
    kinds = set(map(type, cells))
    if list in kinds or dict in kinds:
        return [json_safe(cell) for cell in cells]
    if str in kinds:
        # True, 1 and 1.0 are equal to Python, and not the same in a table.
        column = coded(cells, key=None if kinds <= {str, type(None)} else _typed, shown=json_safe)
        return (
            column if 2 * len(column["values"]) < len(cells) else [json_safe(one) for one in cells]
        )
    if float in kinds:
        return [one if one is None or math.isfinite(one) else json_safe(one) for one in cells]
    return list(cells)


def coded(
    cells: Sequence[Cell],
    *,
    key: Callable[[Cell], Hashable] | None = None,
    shown: Callable[[Cell], Any],
) -> dict[str, list[Any]]:
    """The distinct cells, as they are `shown`, and which of them each row has.

    Cells with the same `key` are the same; without one they are what they compare.
    """
    places: dict[Any, int] = {}
    values: list[Any] = []
    codes = []
    for cell, found in zip(cells, cells if key is None else map(key, cells), strict=True):
        code = places.get(found)
        if code is None:
            code = places[found] = len(values)
            values.append(shown(cell))
        codes.append(code)
    return {"values": values, "codes": codes}


def _typed(cell: Any) -> Hashable:
    return type(cell), cell
