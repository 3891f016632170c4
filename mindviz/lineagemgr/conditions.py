"""Conditions on lineages: comparisons of columns, and groups of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mindviz.expression import Expression

ColumnOf = Callable[[str], Sequence[Any]]
"""Name of a field -> its value in each row. All columns have the same length."""
Mask = list[bool]
"""Whether each row matches."""

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "gt": operator.gt,
    "le": operator.le,
    "ge": operator.ge,
}
OPERATORS = ("eq", *_ORDERS, "in", "not_in", "regex")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One field compared with a value.

    None and values of other types are never less or greater; `eq` and `in` compare as Python does,
    so 1 is 1.0. A regular expression is searched for, in texts alone.
    """

    field: str
    operator: str
    operand: Any

    def mask(self, column_of: ColumnOf, rows: int) -> Mask:  # noqa: ARG002 -- one signature for all
        """Which rows match."""
        column, operand = column_of(self.field), self.operand
        if self.operator == "eq":
            return [value == operand for value in column]
        if self.operator in ("in", "not_in"):
            wanted = self.operator == "in"
            is_member = _membership(operand)
            return [is_member(value) is wanted for value in column]
        if self.operator == "regex":
            search = Expression(operand).search
            return [isinstance(value, str) and search(value) for value in column]
        return _ordered(column, _ORDERS[self.operator], operand)


def _membership(operand: Sequence[Any]) -> Callable[[Any], bool]:
    """Whether a value is among those of a list, which may be as long as the column."""
    hashed = frozenset(one for one in operand if not isinstance(one, list | dict))
    others = [one for one in operand if isinstance(one, list | dict)]
    return lambda value: value in others if isinstance(value, list | dict) else value in hashed


def _ordered(column: Sequence[Any], order: Callable[[Any, Any], bool], operand: Any) -> Mask:
    mask = []
    for value in column:
        try:
            mask.append(value is not None and order(value, operand))
        except TypeError:
            mask.append(False)
    return mask


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part matches; without parts, everything does."""

    parts: tuple[Condition, ...]

    def mask(self, column_of: ColumnOf, rows: int) -> Mask:
        """Which rows match."""
        mask = [True] * rows
        for part in self.parts:
            mask = list(map(operator.and_, mask, part.mask(column_of, rows)))
        return mask


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the parts matches, or several."""

    parts: tuple[Condition, ...]

    def mask(self, column_of: ColumnOf, rows: int) -> Mask:
        """Which rows match."""
        mask = [False] * rows
        for part in self.parts:
            mask = list(map(operator.or_, mask, part.mask(column_of, rows)))
        return mask


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not match."""

    part: Condition

    def mask(self, column_of: ColumnOf, rows: int) -> Mask:
        """Which rows match."""
        return [not matches for matches in self.part.mask(column_of, rows)]


Condition = Comparison | AllOf | AnyOf | Not
EVERYTHING = AllOf(())


def sorted_rows(rows: Sequence[int], column: Sequence[Any], *, descending: bool) -> list[int]:
    """The rows in the order of their values in a column; equals stay as they are, either way.

    None comes first, then values by the names of their types, numbers being one type, which NaN
    ends. Of the same type they are in their own order, lists and dicts in that of their texts.
    """
    # Type by type, so that values are compared by themselves: tuples take five times as long.
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        groups.setdefault(_sort_group(column[row]), []).append(row)
    found: list[int] = []
    for group in sorted(groups, reverse=descending):
        members = groups[group]
        if group in _COMPARABLE:
            members.sort(key=column.__getitem__, reverse=descending)
        else:
            members.sort(key=lambda row: str(column[row]), reverse=descending)
        found += members
    return found


_NONE = ("",)
_NUMBERS = ("float",)
_TEXTS = ("str",)
_COMPARABLE = {_NUMBERS, _TEXTS}


def _sort_group(value: Any) -> tuple[str, ...]:
    """Values of the same group can be compared; groups are in this order."""
    if value is None:
        return _NONE
    if isinstance(value, int | float):
        # Only NaN differs from itself.
        return _NUMBERS if value == value else ("float", "NaN")  # noqa: PLR0124
    return _TEXTS if isinstance(value, str) else (type(value).__name__,)
