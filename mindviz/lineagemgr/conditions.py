"""Conditions on lineages: comparisons of columns, and their boolean combinations."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mindviz.expression import Expression

ColumnOf = Callable[[str], Sequence[Any]]
"""Name of a field -> its value in each row; all columns have equal lengths."""
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
    """Compares one field with a value.

    None and values of other types are never less or greater. `eq` and `in` compare as in Python,
    so 1 equals 1.0. `regex` searches strings only.
    """

    field: str
    operator: str
    operand: Any

    def mask(self, column_of: ColumnOf, rows: int) -> Mask:  # noqa: ARG002 - as other conditions
        """Which rows match."""
        column, operand = column_of(self.field), self.operand
        if self.operator == "eq":
            return [value == operand for value in column]
        if self.operator in ("in", "not_in"):
            is_in = self.operator == "in"
            is_member = _membership(operand)
            return [is_member(value) is is_in for value in column]
        if self.operator == "regex":
            search = Expression(operand).search
            return [isinstance(value, str) and search(value) for value in column]
        return _ordered(column, _ORDERS[self.operator], operand)


def _membership(operand: Sequence[Any]) -> Callable[[Any], bool]:
    """A fast test for membership: the operand may be as long as the column."""
    hashed = frozenset(value for value in operand if not isinstance(value, list | dict))
    others = [value for value in operand if isinstance(value, list | dict)]
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
    """Every part matches; true without parts."""

    parts: tuple[Condition, ...]

    def mask(self, column_of: ColumnOf, rows: int) -> Mask:
        """Which rows match."""
        mask = [True] * rows
        for part in self.parts:
            mask = list(map(operator.and_, mask, part.mask(column_of, rows)))
        return mask


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part matches."""

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


def train_ids_of(condition: Condition) -> Sequence[str] | None:
    """The only train jobs that can meet a condition; None if it does not name them."""
    match condition:
        case AllOf(parts=parts):
            named = (train_ids_of(part) for part in parts)
            return next((train_ids for train_ids in named if train_ids is not None), None)
        case Comparison(field="summary_dir", operator="eq", operand=str(train_id)):
            return [train_id]
        case Comparison(field="summary_dir", operator="in", operand=operand):
            return [train_id for train_id in operand if isinstance(train_id, str)]
    return None


def fields_of(condition: Condition) -> Iterator[str]:
    """The fields of a condition, with duplicates."""
    match condition:
        case Comparison(field=field):
            yield field
        case Not(part=part):
            yield from fields_of(part)
        case AllOf(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from fields_of(part)


def sorted_rows(rows: Sequence[int], column: Sequence[Any], *, descending: bool) -> list[int]:
    """The rows, stably sorted by their values in a column.

    None comes first, then values by the name of their type; all numbers are one type, with NaN
    last. Lists and dicts are sorted by their string.
    """
    # Sorting each type separately is five times faster than sorting (type, value) tuples.
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        groups.setdefault(_sort_group(column[row]), []).append(row)
    in_order: list[int] = []
    for group in sorted(groups, reverse=descending):
        key = column.__getitem__ if group in _COMPARABLE else lambda row: str(column[row])
        in_order += sorted(groups[group], key=key, reverse=descending)
    return in_order


_NONE = ("",)
_NUMBERS = ("float",)
_TEXTS = ("str",)
_COMPARABLE = {_NUMBERS, _TEXTS}


def _sort_group(value: Any) -> tuple[str, ...]:
    """The key of a group of comparable values; groups are sorted by it."""
    if value is None:
        return _NONE
    if isinstance(value, int | float):
        return _NUMBERS if value == value else ("float", "NaN")  # noqa: PLR0124
    return _TEXTS if isinstance(value, str) else (type(value).__name__,)
