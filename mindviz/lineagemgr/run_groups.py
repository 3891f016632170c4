"""Groups of runs with equal values, as in the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.parameter_names import field_of
from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.value_order import (
    Value,
    is_number,
    present_value,
    value_key,
    value_text,
)
from mindviz.lineagemgr.run_column import RunColumn

TOGETHER = "*"
"""In a grouping: all runs are one group."""
_ALL_BUT = "*-"
_SET_FIELDS = frozenset(
    {
        *("network", "optimizer", "learning_rate", "epoch", "batch_size", "loss_function"),
        *("device_num", "dataset_mark"),
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

ColumnOf = Callable[[str], RunColumn]


def group_fields(
    by: Sequence[str], names: Sequence[str], resolve: Callable[[str], str], column: ColumnOf
) -> list[str]:
    """The fields whose values make the groups of a grouping."""
    fields: dict[str, None] = {}
    for grouping in by:
        if grouping.startswith(_ALL_BUT):
            left_out = resolve(grouping.removeprefix(_ALL_BUT))
            fields |= dict.fromkeys(_parameters_but(left_out, names, column))
        elif grouping != TOGETHER:
            fields[grouping] = None
    return list(fields)


def is_averaged(name: str, column: RunColumn) -> bool:
    """Whether groups have a mean of this column."""
    numeric = column.is_numeric or name in _NUMERIC or name.startswith(("scalar/", "spark/"))
    return numeric and name not in _NOT_AVERAGED


def _parameters_but(left_out: str, names: Sequence[str], column: ColumnOf) -> list[str]:
    """Parameters in which runs differ, without other names of the one that is left out."""
    known = {_content(column(left_out))}
    kept = []
    for name in names:
        is_parameter = name in _SET_FIELDS or name.startswith("user_defined/")
        if not is_parameter or field_of(name) == field_of(left_out) or _names_runs(name):
            continue
        if _SEED.search(left_out) and _SEED.search(name):
            continue
        # A parameter can have two names.
        content = _content(column(name))
        if content not in known and column(name).differs:
            known.add(content)
            kept.append(name)
    return kept


def _content(column: RunColumn) -> bytes:
    codes, values = column.codes
    # In JSON, missing values and NaN are null.
    return codes.tobytes() + repr([value_text(value) for value in values]).encode()


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


class RunGroups:
    """The groups of some rows."""

    def __init__(self, rows: Int64s, fields: Sequence[RunColumn]) -> None:
        """`rows` in the order that runs have within groups."""
        codes = np.zeros(len(rows), np.int64)
        for column in fields:
            of_rows = column.codes[0][rows] + 1
            # Renumbered, because products of many fields overflow.
            codes = np.unique(codes * (len(column.codes[1]) + 1) + of_rows, return_inverse=True)[
                1
            ].reshape(-1)
        self._fields = fields
        self._order = np.argsort(codes, kind="stable")
        self.rows = rows[self._order]
        """Group by group."""
        sorted_codes = codes[self._order]
        self.starts = np.flatnonzero(np.diff(sorted_codes, prepend=-1))
        """The first row of each group."""
        self.counts = np.diff(self.starts, append=len(rows))

    def __len__(self) -> int:
        """Number of groups."""
        return len(self.starts)

    def rows_of(self, group: int) -> Int64s:
        """The rows of a group."""
        start = self.starts[group]
        return self.rows[start : start + self.counts[group]]

    @cached_property
    def values(self) -> list[tuple[Value, ...]]:
        """The values of each group in the fields."""
        firsts = self.rows[self.starts].tolist()
        return [
            tuple(present_value(column.values[row]) for column in self._fields) for row in firsts
        ]

    def key(self, group: int) -> str | None:
        """The values as a text, several as JSON; None if all are missing."""
        return group_key(self.values[group])

    def summaries(self, column: RunColumn, *, averaged: bool) -> list[Summary]:
        """The summary of each group."""
        if not len(self):
            return []
        codes, distinct = column.codes
        codes = codes[self.rows]
        low = np.minimum.reduceat(codes, self.starts)
        is_same = (low == np.maximum.reduceat(codes, self.starts)) & (low >= 0)
        shared = [
            distinct[code] if same else None
            for code, same in zip(low.tolist(), is_same.tolist(), strict=True)
        ]
        if not averaged:
            return [Summary(value, 0) for value in shared]
        numbers = column.numbers[self.rows]
        finite = np.isfinite(numbers)
        filled = np.where(finite, numbers, 0.0)
        counts = np.add.reduceat(finite.astype(np.int64), self.starts)
        some = np.maximum(counts, 1)
        with np.errstate(over="ignore", invalid="ignore"):
            means = np.add.reduceat(filled, self.starts) / some
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

    def any_of(self, mask: NDArray[np.bool_]) -> list[Summary]:
        """Whether any run of each group is in the mask, as values."""
        if not len(self):
            return []
        found = np.logical_or.reduceat(mask[self.rows], self.starts)
        return [Summary(value, 0) for value in found.tolist()]

    def sorted(self, keys: Sequence[tuple[Sequence[Summary], bool]]) -> list[int]:
        """The groups by the columns' summaries, each descending or not; ties by their values.

        Missing values come last.
        """
        order = sorted(range(len(self)), key=self._by_values)
        for summaries, descending in reversed(keys):
            values = [_sort_value(summary) for summary in summaries]
            present = [group for group in order if values[group] is not None]
            missing = [group for group in order if values[group] is None]
            # A reversed stable sort keeps the order of ties.
            present.sort(key=lambda group: value_key(values[group]), reverse=descending)
            order = present + missing
        return order

    def _by_values(self, group: int) -> tuple[object, ...]:
        values = self.values[group]
        is_missing = bool(values) and all(value is None for value in values)
        keys = [
            (value is None, (0, 0.0) if value is None else value_key(value)) for value in values
        ]
        return is_missing, keys


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


def _sort_value(summary: Summary) -> Value:
    if summary.value is not None:
        return summary.value
    return summary.mean if summary.count else None
