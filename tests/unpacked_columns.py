"""Unpacks packed columns row by row."""

from __future__ import annotations

from typing import Any

from mindviz.backend.packed_columns import PackedColumn


def cells(column: PackedColumn) -> list[Any]:
    """The cell of each row, as in JSON."""
    if isinstance(column, list):
        return column
    return [column["values"][code] for code in column["codes"]]
