from __future__ import annotations

import math
from functools import cmp_to_key
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.lineagemgr.conditions import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Not,
    sorted_rows,
)

COLUMN = [None, 1, 2.5, True, "a", "b", math.nan, [1], {"x": 1}]
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(-3, 3),
    st.just(math.nan),
    st.sampled_from(["", "a", "ab", "b"]),
    st.lists(st.integers(0, 1), max_size=2),
    st.dictionaries(st.sampled_from("xy"), st.integers(0, 1), max_size=1),
)


def matching(operator: str, operand: Any, column: list[Any] = COLUMN) -> list[Any]:
    mask = Comparison("f", operator, operand).mask(lambda _: column, len(column))
    return [value for value, matches in zip(column, mask, strict=True) if matches]


@pytest.mark.parametrize(
    ("operator", "operand", "expected"),
    [
        ("eq", 1, [1, True]),
        ("eq", "a", ["a"]),
        ("eq", None, [None]),
        ("eq", [1], [[1]]),
        ("lt", 2, [1, True]),
        ("le", 2.5, [1, 2.5, True]),
        ("gt", 1, [2.5]),
        ("ge", "a", ["a", "b"]),
        ("gt", None, []),
        ("lt", [2], [[1]]),
        ("in", [1, "b", [1]], [1, True, "b", [1]]),
        ("in", [{"x": 1}], [{"x": 1}]),
        ("in", [], []),
        ("regex", "^a", ["a"]),
        ("regex", "", ["a", "b"]),
    ],
)
def test_comparisons(operator: str, operand: Any, expected: list[Any]) -> None:
    assert matching(operator, operand) == expected


def test_not_in_is_the_complement_of_in_including_none() -> None:
    matches = matching("not_in", [1, "a"], [None, 1, "a", "b"])
    assert matches == [None, "b"]


def compares(value: Any, operator: str, operand: Any) -> bool:
    if operator == "eq":
        return bool(value == operand)
    if operator in ("in", "not_in"):
        return any(value == item for item in operand) is (operator == "in")
    numbers = isinstance(value, int | float) and isinstance(operand, int | float)
    if not numbers and not (type(value) is type(operand) and isinstance(value, str | list)):
        return False
    results = {
        "lt": value < operand,
        "gt": value > operand,
        "le": value <= operand,
        "ge": value >= operand,
    }
    return bool(results[operator])


def naive(condition: Condition, row: dict[str, Any]) -> bool:
    """The language once more, a row at a time."""
    match condition:
        case AllOf(parts):
            return all(naive(part, row) for part in parts)
        case AnyOf(parts):
            return any(naive(part, row) for part in parts)
        case Not(part):
            return not naive(part, row)
    return compares(row[condition.field], condition.operator, condition.operand)


fields = st.sampled_from("ab")
comparisons = st.one_of(
    st.builds(Comparison, fields, st.sampled_from(["eq", "lt", "gt", "le", "ge"]), values),
    st.builds(
        Comparison,
        fields,
        st.sampled_from(["in", "not_in"]),
        # `in` finds a NaN by identity, which JSON cannot express.
        st.lists(values.filter(lambda value: value == value), max_size=3),  # noqa: PLR0124
    ),
)
conditions = st.recursive(
    comparisons,
    lambda parts: st.one_of(
        st.builds(AllOf, st.lists(parts, max_size=3).map(tuple)),
        st.builds(AnyOf, st.lists(parts, max_size=3).map(tuple)),
        st.builds(Not, parts),
    ),
    max_leaves=6,
)


@given(
    condition=conditions,
    rows=st.lists(st.fixed_dictionaries({"a": values, "b": values}), max_size=6),
)
def test_columns_are_filtered_as_rows_would_be(
    condition: Condition, rows: list[dict[str, Any]]
) -> None:
    mask = condition.mask(lambda name: [row[name] for row in rows], len(rows))
    assert mask == [naive(condition, row) for row in rows]


def test_the_empty_condition_matches_everything() -> None:
    assert EVERYTHING.mask(lambda _: [], 3) == [True] * 3
    assert AnyOf(()).mask(lambda _: [], 3) == [False] * 3


def in_order(column: list[Any], *, descending: bool = False) -> list[int]:
    return sorted_rows(range(len(column)), column, descending=descending)


def test_values_of_all_types_have_an_order() -> None:
    column = ["b", None, {"x": 1}, 2, math.nan, [1], "a", 1.5, True, None, -math.inf]
    # By type names, with float for all numbers: dict, float, list, str.
    expected = [None, None, {"x": 1}, -math.inf, True, 1.5, 2, math.nan, [1], "a", "b"]
    assert str([column[i] for i in in_order(column)]) == str(expected)
    assert str([column[i] for i in in_order(column, descending=True)]) == str(expected[::-1])


def compare(left: Any, right: Any) -> int:
    """The order of two values, one rule after the other."""

    def name(value: Any) -> str:
        return "float" if isinstance(value, int | float) else type(value).__name__

    if left is None or right is None:
        return (left is not None) - (right is not None)
    if name(left) != name(right):
        return 1 if name(left) > name(right) else -1
    if name(left) == "float" and (math.isnan(left) or math.isnan(right)):
        return math.isnan(left) - math.isnan(right)
    if isinstance(left, list | dict):
        left, right = str(left), str(right)
    return int(left > right) - int(left < right)


@given(column=st.lists(values), descending=st.booleans())
def test_sorting_is_that_of_comparing_pairs(column: list[Any], *, descending: bool) -> None:
    by_value = cmp_to_key(compare)
    rows = range(len(column))
    expected = sorted(rows, key=lambda row: by_value(column[row]), reverse=descending)
    assert in_order(column, descending=descending) == expected
