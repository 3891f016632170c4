"""Orders that follow changes are those of the changed values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.stored_lists.run_order import changed_order, ranks_with

KEYS = st.tuples(st.sampled_from([0.0, 1.0, math.nan, -math.inf]), st.integers(0, 2))


@given(old=st.lists(KEYS), changes=st.dictionaries(st.integers(0, 9), KEYS), added=st.lists(KEYS))
def test_changed_rows_are_moved_to_their_places(
    old: list[tuple[float, int]],
    changes: dict[int, tuple[float, int]],
    added: list[tuple[float, int]],
) -> None:
    def order(keys: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        return np.lexsort(keys[::-1])

    def columns(cells: list[tuple[float, int]]) -> list[np.ndarray[Any, Any]]:
        first, second = (np.array([cell[part] for cell in cells], np.float64) for part in (0, 1))
        return [first, second, np.arange(len(cells))]

    changes = {row: key for row, key in changes.items() if row < len(old)}
    changes |= dict(enumerate(added, len(old)))
    now = columns([changes.get(row, key) for row, key in enumerate([*old, *added])])
    rows = np.array(sorted(changes), np.int64)
    found = changed_order(order(columns(old)), rows, lambda some: [key[some] for key in now])
    assert found.tolist() == order(now).tolist()


@given(names=st.lists(st.text("ab0", max_size=3), unique=True), added=st.integers(0, 4))
def test_ranks_have_added_rows_at_their_places(names: list[str], added: int) -> None:
    def ranks(some: list[str]) -> list[int]:
        return [sorted(some).index(name) for name in some]

    old = names[: max(0, len(names) - added)]
    found = ranks_with(np.array(ranks(old), np.int32), len(names) - len(old), names.__getitem__)
    assert found.tolist() == ranks(names)
