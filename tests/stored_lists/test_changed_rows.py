"""Columns that follow changes are those of the changed values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.value_order import Value, is_number
from mindviz.lineagemgr.run_column import MISSING, NUMBER, ArrayColumn
from mindviz.stored_lists.changed_rows import changed_array, changed_column

CELLS = st.sampled_from([None, 1.0, 2.5, -0.0, math.nan, math.inf, "adam", "1", "", True, "true"])


def column_of(cells: list[Any]) -> ArrayColumn:
    """A column as databases have it: other values once, in the order of their runs."""
    others: dict[tuple[type, Value], int] = {}
    places, numbers = [], []
    for cell in cells:
        numbers.append(cell if is_number(cell) else math.nan)
        if cell is None or is_number(cell):
            places.append(MISSING if cell is None else NUMBER)
        else:
            places.append(others.setdefault((type(cell), cell), len(others)))
    has_numbers = any(map(is_number, cells))
    values = [value for _, value in others]
    return ArrayColumn(
        np.array(places, np.int8), values, np.array(numbers) if has_numbers else None
    )


@given(old=st.lists(CELLS), data=st.data(), added=st.lists(CELLS, max_size=3))
def test_columns_have_the_values_of_changed_rows(
    old: list[Any], data: st.DataObject, added: list[Any]
) -> None:
    count = len(old) + len(added)
    places = st.dictionaries(st.integers(0, max(0, len(old) - 1)), CELLS, max_size=len(old))
    changes = {row: cell for row, cell in data.draw(places).items() if row < len(old)}
    changes |= dict(enumerate(added, len(old)))
    rows = np.array(sorted(changes), np.int64)
    part = column_of([changes[row] for row in rows.tolist()])
    column = changed_column(column_of(old), rows, part, count)
    expected = [changes.get(row, cell) for row, cell in enumerate([*old, *added])]
    assert repr(column.values[:]) == repr(expected)
    used = {(type(cell), cell) for cell in expected if cell is not None and not is_number(cell)}
    assert {(type(value), value) for value in column.others} == used
    assert len(column.others) == len(used)


def test_what_did_not_change_is_not_copied() -> None:
    cells = ["adam", 1.0, None, "sgd", 2.5]
    column, rows = column_of(cells), np.array([0, 1, 2, 4])
    part = column_of([cells[row] for row in rows])
    assert changed_column(column, rows, part, 5) is column
    assert changed_array(column.numbers, rows, part.numbers, 5) is column.numbers
    other = column_of(["sgd", 1.0, None, 2.5])
    assert changed_column(column, rows, other, 5).values[:] == ["sgd", 1.0, None, "sgd", 2.5]
