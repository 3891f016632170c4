"""Groups of runs with equal values, as in the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.parameter_names import field_of
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.value_order import (
    Value,
    is_number,
    number_of,
    present_value,
    value_text,
)
from mindviz.lineagemgr.run_column import RunColumn
from mindviz.lineagemgr.run_table import RunColumns

TOGETHER = "*"
"""In a grouping: all runs are one group."""
_ALL_BUT = "*-"
_SET_FIELDS = frozenset(
    {
        *("network", "optimizer", "learning_rate", "epoch", "batch_size", "loss_function"),
        "device_num",
    }
)
"""Fields that users set, as opposed to measured ones."""
_IDENTIFIER = re.compile(
    r"(^|[/_. -])(id|uuid|guid|pid|timestamp|date|datetime|host|hostname)\Z", re.IGNORECASE
)
_OUTPUT = re.compile(
    r"(^|[/_. -])(run|exp|experiment|output|log|save|work)_?(name|dir|path)\Z", re.IGNORECASE
)
_SEED = re.compile(r"(^|[/_.-])(seed|random_state)\Z", re.IGNORECASE)
_EVENTS = ("problems", "anomalies", "severe_anomalies")
_NOT_AVERAGED = frozenset(
    {"updated", "created", "user_defined/seed", "mark", "dataset_mark", *_EVENTS}
)
_NUMERIC = frozenset({"updated", "created", "tags", "points", "size", *_EVENTS})

_MOST_CODES = 1 << 62


def group_fields(
    by: Sequence[str],
    names: Sequence[str],
    resolve: Callable[[str], str],
    differs: Callable[[str], bool],
    column: Callable[[str], RunColumn],
) -> list[str]:
    """The fields whose values make the groups of a grouping."""
    fields: dict[str, None] = {}
    for grouping in by:
        if grouping.startswith(_ALL_BUT):
            left_out = resolve(grouping.removeprefix(_ALL_BUT))
            different = filter(differs, _parameters_but(left_out, names))
            fields |= dict.fromkeys(_distinct(left_out, different, column))
        elif grouping != TOGETHER:
            fields[grouping] = None
    return list(fields)


def is_averaged(name: str, runs: RunColumns) -> bool:
    """Whether groups have a mean of this field."""
    if name in _NOT_AVERAGED:
        return False
    return name in _NUMERIC or name.startswith(("scalar/", "spark/")) or runs.is_numeric(name)


def _parameters_but(left_out: str, names: Sequence[str]) -> Iterator[str]:
    """Parameters without other names of the one that is left out."""
    for name in names:
        is_parameter = name in _SET_FIELDS or name.startswith("user_defined/")
        if not is_parameter or field_of(name) == field_of(left_out) or _names_runs(name):
            continue
        if not (_SEED.search(left_out) and _SEED.search(name)):
            yield name


def _distinct(
    left_out: str, names: Iterable[str], column: Callable[[str], RunColumn]
) -> Iterator[str]:
    """The first name of each parameter, because one can have two."""
    known = {_content(column(left_out))}
    for name in names:
        content = _content(column(name))
        if content not in known:
            known.add(content)
            yield name


def _content(column: RunColumn) -> bytes:
    """A digest of the values, in which missing values and NaN are equal, as in JSON."""
    codes, values = column.codes
    first = np.full(len(values) + 1, -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # what is assigned last counts
    used = np.flatnonzero(first[:-1] >= 0)
    order = used[np.argsort(first[used])]  # by their first runs
    places = np.full(len(values) + 1, -1)
    places[order] = np.arange(len(order))
    digest = blake2b(places[codes].tobytes())
    others, numbers = column.code_keys
    numbers = np.where(others, np.nan, numbers + 0.0)  # without the sign of 0
    texts = {code: value_text(values[code]) for code in np.flatnonzero(others).tolist()}
    for code, text in texts.items():
        if value_text(number := number_of(text)) == text:
            numbers[code] = number
    digest.update(numbers[order].tobytes())
    for code in order[np.isnan(numbers[order])].tolist():
        digest.update(texts[code].encode("utf-8", "surrogatepass") + b"\0")
    return digest.digest()


def _names_runs(name: str) -> bool:
    return bool(_IDENTIFIER.search(name) or _OUTPUT.search(name))


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The values of one group in a column."""

    value: Value
    """Shared by all runs; None if they differ."""
    count: int
    """Finite numbers."""
    mean: float = 0.0
    std: float = 0.0
    """Sample deviation; 0 of a single number."""
    min: float = 0.0
    max: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class GroupOrder:
    """How the groups are sorted by a column, as arrays."""

    is_missing: NDArray[np.bool_]
    is_text: NDArray[np.bool_]
    place: Float64s
    """Sorts the numbers, and the texts."""

    def keys(self, *, descending: bool = False) -> list[NDArray[Any]]:
        """The most significant first."""
        if descending:
            return [self.is_missing, ~self.is_text, -self.place]
        return [self.is_missing, self.is_text, self.place]


class RunGroups:
    """The groups of some rows."""

    def __init__(self, rows: Int64s, fields: Sequence[RunColumn]) -> None:
        """Runs have the order of `rows` within groups."""
        codes = np.zeros(len(rows), np.int64)
        most = 1
        for column in fields:
            count = len(column.codes[1]) + 1
            if most * count >= _MOST_CODES:
                # Products of many fields overflow.
                distinct, codes = np.unique(codes, return_inverse=True)
                most = len(distinct)
            codes = codes * count + column.codes[0][rows] + 1
            most *= count
        self._fields = fields
        if most <= 1 << 16:  # sorted by radix
            codes = codes.astype(np.uint16)
        order = np.argsort(codes, kind="stable")
        self.rows = rows[order]
        """Group by group."""
        sorted_codes = codes[order]
        is_first = np.ones(len(rows), np.bool_)
        is_first[1:] = sorted_codes[1:] != sorted_codes[:-1]
        self.starts = np.flatnonzero(is_first)
        """The first row of each group."""
        self.counts = np.diff(self.starts, append=len(rows))

    def __len__(self) -> int:
        """Number of groups."""
        return len(self.starts)

    def rows_of(self, group: int) -> Int64s:
        """The rows of a group."""
        start = self.starts[group]
        return self.rows[start : start + self.counts[group]]

    def values_of(self, group: int) -> tuple[Value, ...]:
        """The values of a group in the fields."""
        row = int(self.rows[self.starts[group]])
        return tuple(present_value(column.values[row]) for column in self._fields)

    def key(self, group: int) -> str | None:
        """The values as a text, several as JSON; None if all are missing."""
        return group_key(self.values_of(group))

    def of(self, groups: Sequence[int]) -> RunGroups:
        """Only these groups."""
        part = copy(self)
        part.counts = self.counts[list(groups)]
        part.starts = np.cumsum(part.counts) - part.counts
        part.rows = np.concatenate([self.rows[:0], *map(self.rows_of, groups)])
        return part

    def renumbered(self) -> RunGroups:
        """The groups of a table that only has these rows, in this order."""
        part = copy(self)
        part.rows = np.arange(len(self.rows))
        return part

    def summaries(self, column: RunColumn, *, averaged: bool) -> list[Summary]:
        """The summary of each group."""
        if not len(self):
            return []
        shared, _ = self._shared(column)
        if not averaged:
            return [Summary(value, 0) for value in shared]
        numbers, finite, counts, means = self._means(column)
        with np.errstate(over="ignore", invalid="ignore"):
            off = np.where(finite, numbers - np.repeat(means, self.counts), 0.0)
            squares = np.add.reduceat(off * off, self.starts)
            stds = np.sqrt(squares / np.maximum(counts - 1, 1))
        least = np.minimum.reduceat(np.where(finite, numbers, np.inf), self.starts)
        largest = np.maximum.reduceat(np.where(finite, numbers, -np.inf), self.starts)
        columns = (counts, means, stds, least, largest)
        return [
            Summary(value, *figures)
            for value, *figures in zip(shared, *(one.tolist() for one in columns), strict=True)
        ]

    def _shared(self, column: RunColumn) -> tuple[Sequence[Value], GroupOrder]:
        """The value that all runs of a group share, else None, and the order by it."""
        if column.is_numeric:
            low, is_shared = self._equal(column.numbers)
            pairs = zip(low.tolist(), is_shared.tolist(), strict=True)
            values = [number if is_equal else None for number, is_equal in pairs]
            is_text = np.zeros(len(self), np.bool_)
            return values, GroupOrder(~is_shared, is_text, np.where(is_shared, low, 0.0))
        low, is_shared = self._equal(column.codes[0])
        codes = np.where(is_shared, low, -1)
        distinct = column.codes[1]
        is_text, place = (np.append(keys, 0)[codes] for keys in column.code_keys)
        values = [distinct[code] if code >= 0 else None for code in codes.tolist()]
        return values, GroupOrder(codes < 0, is_text.astype(np.bool_), place)

    def _equal(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The smallest value of each group, and whether all are equal to it."""
        of_rows = values[self.rows]
        low = np.minimum.reduceat(of_rows, self.starts)
        return low, low == np.maximum.reduceat(of_rows, self.starts)

    def _means(self, column: RunColumn) -> tuple[Float64s, NDArray[np.bool_], Int64s, Float64s]:
        """The numbers of all rows, which of them are finite; their count and mean per group."""
        numbers = column.numbers[self.rows]
        finite = np.isfinite(numbers)
        counts = np.add.reduceat(finite.astype(np.int64), self.starts)
        with np.errstate(over="ignore", invalid="ignore"):
            sums = np.add.reduceat(np.where(finite, numbers, 0.0), self.starts)
        return numbers, finite, counts, sums / np.maximum(counts, 1)

    def order_by(self, column: RunColumn, *, averaged: bool) -> GroupOrder:
        """The order by the shared value, else by the mean."""
        if not len(self):
            none = np.empty(0, np.bool_)
            return GroupOrder(none, none, np.empty(0))
        _, order = self._shared(column)
        if not averaged:
            return order
        *_, counts, means = self._means(column)
        places = np.where(order.is_missing, means, order.place)
        return GroupOrder(order.is_missing & (counts == 0), order.is_text, places)

    def order_by_any(self, mask: NDArray[np.bool_]) -> GroupOrder:
        """The order by whether any run of a group is in the mask."""
        none = np.zeros(len(self), np.bool_)
        if not len(self):
            return GroupOrder(none, none, np.empty(0))
        found = np.logical_or.reduceat(mask[self.rows], self.starts)
        return GroupOrder(none, none, found.astype(np.float64))

    def sorted(self, orders: Sequence[tuple[GroupOrder, bool]]) -> list[int]:
        """The groups by these orders, each descending or not; ties by their values.

        Missing values come last.
        """
        keys = [key for order, descending in orders for key in order.keys(descending=descending)]
        keys += self._by_values()
        # The last key is the most significant.
        order: list[int] = np.lexsort(keys[::-1]).tolist() if keys else list(range(len(self)))
        return order

    def _by_values(self) -> list[NDArray[Any]]:
        firsts = self.rows[self.starts]
        keys: list[NDArray[Any]] = []
        for column in self._fields:
            codes = column.codes[0][firsts]
            is_text, place = (np.append(key, 0)[codes] for key in column.code_keys)
            keys += GroupOrder(codes < 0, is_text.astype(np.bool_), place).keys()
        return [np.logical_and.reduce(keys[::3]), *keys] if keys else []


def rows_with_key(fields: Sequence[RunColumn], key: str, count: int) -> NDArray[np.bool_]:
    """Which of `count` runs are in the group with this key."""
    codes = [column.codes[0] for column in fields]
    is_missing = np.ones(count, np.bool_)
    for of_rows in codes:
        is_missing &= of_rows < 0
    if not key:
        return is_missing
    found = ~is_missing
    for column, matching, of_rows in zip(fields, _tests(key, len(fields)), codes, strict=True):
        found &= matching(column)[of_rows]
    return found


def _tests(key: str, fields: int) -> Sequence[Callable[[RunColumn], NDArray[np.bool_]]]:
    """For each field, which codes belong to the key; the last one is of missing values."""
    if fields == 1:
        return [partial(_with_text, text=key)]
    try:
        parts = json.loads(key)
    except ValueError:
        parts = None
    if isinstance(parts, list) and len(parts) == fields:
        return [partial(_with_part, part=part) for part in parts]
    return [lambda column: np.zeros(len(column.codes[1]) + 1, np.bool_)] * fields


def _with_text(column: RunColumn, text: str) -> NDArray[np.bool_]:
    """Which codes have values of this text."""
    others, numbers = column.code_keys
    values = column.codes[1]
    wanted = number_of(text)
    found = np.append(~others & (numbers == wanted) & (value_text(wanted) == text), False)
    for code in np.flatnonzero(others).tolist():
        found[code] = value_text(values[code]) == text
    return found


def _with_part(column: RunColumn, part: object) -> NDArray[np.bool_]:
    """Which codes have values of this JSON."""
    others, numbers = column.code_keys
    if part is None:
        return np.append(~others & np.isinf(numbers), True)
    if is_number(part):
        return np.append(~others & (numbers == float(part)), False)  # type: ignore[arg-type]
    values = column.codes[1]
    found = np.zeros(len(values) + 1, np.bool_)
    for code in np.flatnonzero(others).tolist():
        found[code] = type(values[code]) is type(part) and values[code] == part
    return found


def group_key(values: Sequence[Value]) -> str | None:
    """The key of a group in the page: its value as a text, several as JSON; None if all miss."""
    if all(value is None for value in values):
        return None
    if len(values) == 1:
        return value_text(values[0])
    # As JSON.stringify writes numbers: infinities are null.
    parts = [
        value_text(value) if is_number(value) and not _is_infinite(value) else _json(value)
        for value in values
    ]
    return f"[{','.join(parts)}]"


def _is_infinite(value: Value) -> bool:
    return value in (np.inf, -np.inf)


def _json(value: Value) -> str:
    return "null" if is_number(value) else json.dumps(value, ensure_ascii=False)
