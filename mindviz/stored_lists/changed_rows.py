"""Columns of runs after some of these changed, without reading the others again."""

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
    """`old` with `new` in `rows`, which include all added ones; `old` itself if nothing changed.

    The result has `count` rows.
    """
    is_same = count == len(old) and old.dtype == new.dtype
    if is_same and old[rows].tobytes() == new.tobytes():
        return old
    found = np.empty(count, np.promote_types(old.dtype, new.dtype))
    found[: len(old)] = old
    found[rows] = new
    return found


def changed_column(old: ArrayColumn, rows: Int64s, new: ArrayColumn, count: int) -> ArrayColumn:
    """As `changed_array`; drops values that no run has any longer."""
    codes: dict[tuple[type, Value], int] = {}
    for value in (*old.others, *new.others):
        codes.setdefault((type(value), value), len(codes))
    values = [value for _, value in codes]
    numbers = None
    if old.has_numbers or new.has_numbers:
        numbers = changed_array(old.numbers, rows, new.numbers, count)
    renumbered = _renumbered(new, codes)
    if len(codes) == len(old.others):
        renumbered = renumbered.astype(old.places.dtype)
    places = changed_array(old.places, rows, renumbered, count)
    if places is old.places and (numbers is None or numbers is old.numbers):
        return old
    if values:
        used = np.bincount(places[places >= 0], minlength=len(values)) > 0
        if not used.all():
            places = _numbers(np.cumsum(used) - 1)[places]
            values = [values[code] for code in np.flatnonzero(used).tolist()]
    return ArrayColumn(places, values, numbers)


def _renumbered(column: ArrayColumn, codes: Mapping[tuple[type, Value], int]) -> Array:
    """The places of a column whose other values have these numbers."""
    numbers = _numbers([codes[type(value), value] for value in column.others])
    return np.asarray(numbers[column.places])


def _numbers(codes: Sequence[int] | Array) -> Array:
    # The last two are found by NUMBER and MISSING.
    numbers = np.append(codes, [NUMBER, MISSING])
    return numbers.astype(np.int32 if len(codes) else np.int8)
