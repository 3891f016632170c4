"""Sort orders of runs: read from a database, then updated for changed runs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.sql.column_transfer import read_keys, read_pairs
from mindviz.datavisual.sql.tables import RUNS
from mindviz.stored_lists.column_arrays import RunKeys
from mindviz.stored_lists.sql_columns import Names
from mindviz.stored_lists.sql_comparisons import Condition as Sql

Array = NDArray[Any]
KeysOf = Callable[[Int64s], Sequence[Array]]
"""The values that rows are sorted by, an array for each key."""


def read_newest(connection: Connection, ours: Sql) -> tuple[Int64s, Float64s]:
    """The keys of all runs, newest first, and when these were created."""
    keys, created = read_pairs(connection, select(RUNS.c.run_id, RUNS.c.create_time).where(ours))
    order = np.argsort(-created, kind="stable")
    keys, created = keys[order], created[order]
    same = np.flatnonzero(created[1:] == created[:-1])
    if same.size:
        # Only these are sorted by name: names are long.
        tied = np.union1d(same, same + 1)
        by_name = tied[read_ordered_by_name(connection, ours, RunKeys(keys[tied]))]
        keys[tied] = keys[by_name[np.argsort(-created[by_name], kind="stable")]]
    return keys, created


def read_ordered_by_name(
    connection: Connection, ours: Sql, runs: RunKeys, root: str | None = None
) -> Int64s:
    """The places of some runs in the order of their names; `root` as of `Names`."""
    query = runs.restricted(connection, select(RUNS.c.run_id).where(ours))
    *_, terms = Names(root).joined(RUNS)
    ordered = read_keys(connection, query.order_by(*terms))
    return runs.places(ordered)[0]


def changed_order(order: Int64s, rows: Int64s, keys_of: KeysOf) -> Int64s:
    """The order of all rows after these changed or were added; others have their old order.

    NaN is sorted last. The most significant key comes first, and no two rows are equal in all.
    """
    if not len(rows):
        return order
    is_old = rows < len(order)
    rest = order
    if is_old.any():
        is_changed = np.zeros(len(order), np.bool_)
        is_changed[rows[is_old]] = True
        rest = order[~is_changed[order]]
    keys = keys_of(rows)
    sorted_rows = np.lexsort(keys[::-1])
    added, keys = rows[sorted_rows], [key[sorted_rows] for key in keys]
    low, high = np.zeros(len(added), np.int64), np.full(len(added), len(rest), np.int64)
    while (searched := np.flatnonzero(low < high)).size:
        middle = (low + high)[searched] // 2
        is_less = _are_less(keys_of(rest[middle]), [key[searched] for key in keys])
        low[searched] = np.where(is_less, middle + 1, low[searched])
        high[searched] = np.where(is_less, high[searched], middle)
    pieces = np.split(rest, low)  # faster than `np.insert`
    singles = np.split(added, np.arange(1, len(added)))
    return np.concatenate([*chain.from_iterable(zip(pieces, singles, strict=False)), pieces[-1]])


def ranks_with(ranks: Array, added: int, key_of: Callable[[int], Any]) -> NDArray[np.int32]:
    """The ranks of all rows after some were added; no two rows are equal.

    `key_of`: the key of a row, by which rows are sorted.
    """
    order = np.empty_like(ranks)
    order[ranks] = np.arange(len(ranks))
    rows = sorted(range(len(ranks), len(ranks) + added), key=key_of)
    places = [bisect_left(order, key_of(row), key=key_of) for row in rows]
    further = np.bincount(places, minlength=len(ranks) + 1).cumsum()
    found = np.empty(len(ranks) + added, np.int32)
    found[: len(ranks)] = ranks + further[ranks]
    found[rows] = np.arange(added) + places
    return found


def _are_less(some: Sequence[Array], others: Sequence[Array]) -> NDArray[np.bool_]:
    found = np.zeros(len(some[0]), np.bool_)
    is_equal = ~found
    for left, right in zip(some, others, strict=True):
        found |= is_equal & ((left < right) | (np.isnan(right) & ~np.isnan(left)))
        is_equal &= (left == right) | (np.isnan(left) & np.isnan(right))
    return found
