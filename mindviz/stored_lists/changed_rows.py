"""Columns and orders of runs after some of these changed, without reading the others again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.value_order import Value
from mindviz.lineagemgr.run_column import MISSING, NUMBER, ArrayColumn

Array = NDArray[Any]


def changed_array(old: Array, rows: Int64s, new: Array, count: int) -> Array:
    """An array of `count` runs: `new` in these rows, which all rows after the old ones are in."""
    found = np.empty(count, np.promote_types(old.dtype, new.dtype))
    found[: len(old)] = old
    found[rows] = new
    return found


def changed_column(old: ArrayColumn, rows: Int64s, new: ArrayColumn, count: int) -> ArrayColumn:
    """As `changed_array`."""
    codes: dict[tuple[type, Value], int] = {}
    for value in (*old.others, *new.others):
        codes.setdefault((type(value), value), len(codes))
    values = [value for _, value in codes]
    places = changed_array(old.places, rows, _renumbered(new, codes), count)
    if values:
        used = np.bincount(places[places >= 0], minlength=len(values)) > 0
        if not used.all():  # columns have no value that no run has
            places = _numbers(np.cumsum(used) - 1)[places]
            values = [values[code] for code in np.flatnonzero(used).tolist()]
    numbers = None
    if old.has_numbers or new.has_numbers:
        numbers = changed_array(old.numbers, rows, new.numbers, count)
    return ArrayColumn(places, values, numbers)


def _renumbered(column: ArrayColumn, codes: Mapping[tuple[type, Value], int]) -> Array:
    """The places of a column whose other values have these numbers."""
    numbers = _numbers([codes[type(value), value] for value in column.others])
    return np.asarray(numbers[column.places])


def _numbers(codes: Sequence[int] | Array) -> Array:
    # The last two are found by NUMBER and MISSING.
    numbers = np.append(codes, [NUMBER, MISSING])
    return numbers.astype(np.int32 if len(codes) else np.int8)


def changed_order(order: Array, rows: Int64s, keys: Sequence[Array]) -> Array:
    """The order of all rows by keys, after these rows changed; others have their old order.

    NaN is sorted last. The most significant key comes first, and no two rows are equal in all.
    """
    is_changed = np.zeros(len(keys[0]), np.bool_)
    is_changed[rows] = True
    rest = order[~is_changed[order]]
    added = rows[np.lexsort([key[rows] for key in reversed(keys)])]
    low, high = np.zeros(len(added), np.int64), np.full(len(added), len(rest), np.int64)
    while (searched := low < high).any():
        middle = np.where(searched, (low + high) // 2, 0)
        is_less = searched & _are_less(rest[middle], added, keys)
        low = np.where(is_less, middle + 1, low)
        high = np.where(searched & ~is_less, middle, high)
    return np.insert(rest, low, added.astype(rest.dtype))


def _are_less(some: Array, others: Array, keys: Sequence[Array]) -> NDArray[np.bool_]:
    found = np.zeros(len(some), np.bool_)
    is_equal = ~found
    for key in keys:
        left, right = key[some], key[others]
        found |= is_equal & ((left < right) | (np.isnan(right) & ~np.isnan(left)))
        is_equal &= (left == right) | (np.isnan(left) & np.isnan(right))
    return found
