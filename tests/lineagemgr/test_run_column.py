"""Columns of runs: masks, ranks, codes, and frequent values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.lineagemgr.run_column import RunColumn, sorted_page
from mindviz.lineagemgr.run_filter import Comparison


def test_masks_tell_flags_from_numbers() -> None:
    column = RunColumn([1, True, 1.0, None, "1"])
    found = column.meets(Comparison("x", "=", "true"))
    assert found.tolist() == [False, True, False, False, False]


def test_ranks_sort_numbers_before_texts_and_leave_out_missing_values() -> None:
    ranks = RunColumn(["run_10", 3, "", None, "run_9", math.nan, -1, True]).ranks
    assert np.argsort(ranks, kind="stable").tolist()[:5] == [6, 1, 4, 0, 7]
    assert np.flatnonzero(np.isnan(ranks)).tolist() == [2, 3, 5]


def test_codes_are_those_of_javascript_values() -> None:
    codes, values = RunColumn([1, 1.0, True, "1", "", None, "1"]).codes
    assert codes.tolist() == [0, 0, 1, 2, -1, -1, 2]
    assert values == [1, True, "1"]


def test_logged_facts_become_values() -> None:
    column = RunColumn.of(["NaN", "Infinity", [1, "a"], 10**400, None, False])
    assert math.isnan(column.values[0])  # type: ignore[arg-type]
    assert column.values[1:] == [math.inf, '[1,"a"]', math.inf, None, False]


def test_columns_differ_by_values() -> None:
    assert not RunColumn([None, 1, 1.0]).differs
    assert RunColumn([1, True]).differs
    assert RunColumn([math.nan, math.nan]).differs


def test_the_most_frequent_values_come_first() -> None:
    column = RunColumn(["b", "a", None, "", "b", 2.0, "a", "c"])
    assert column.frequent(3) == ["a", "b", "2"]


KEYS = st.lists(
    st.tuples(st.sampled_from([-1.0, 0.0, 2.5, math.inf, -math.inf, math.nan]), st.integers(0, 2)),
    max_size=30,
)


@given(data=st.data(), pairs=KEYS)
def test_pages_are_those_of_all_sorted_rows(data: st.DataObject, pairs: list[Any]) -> None:
    numbers = np.array([number for number, _ in pairs], np.float64)
    codes = np.array([code for _, code in pairs], np.int8)
    keys = [(ranks, data.draw(st.booleans())) for ranks in (codes, numbers, codes)]
    keys = keys[slice(*sorted((data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3)))))]
    rows = data.draw(st.permutations(range(len(pairs))))
    page = slice(data.draw(st.integers(0, 30)), data.draw(st.none() | st.integers(0, 35)))

    def place(row: int) -> list[Any]:
        values = [(float(ranks[row]), descending) for ranks, descending in keys]
        return [
            (math.isnan(value), 0.0 if math.isnan(value) else -value if descending else value)
            for value, descending in values
        ]

    found = sorted_page(np.array(rows, np.int64), keys, page)
    assert found.tolist() == sorted(rows, key=place)[page]
