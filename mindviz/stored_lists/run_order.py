"""Orders of the runs of an experiment: read from a database, and after some runs changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
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


def _are_less(some: Array, others: Array, keys: Sequence[Array]) -> NDArray[np.bool_]:
    found = np.zeros(len(some), np.bool_)
    is_equal = ~found
    for key in keys:
        left, right = key[some], key[others]
        found |= is_equal & ((left < right) | (np.isnan(right) & ~np.isnan(left)))
        is_equal &= (left == right) | (np.isnan(left) & np.isnan(right))
    return found
