"""RunQuery: which runs a list shows, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Int64s
from mindviz.lineagemgr.run_column import Mask, sorted_page
from mindviz.lineagemgr.run_filter import (
    Comparison,
    Condition,
    Joined,
    Membership,
    NameMatch,
    Negated,
    condition_of,
    fields_of,
)
from mindviz.lineagemgr.run_groups import RunGroups, group_fields, is_averaged, rows_with_key
from mindviz.lineagemgr.run_table import EVENTS, MOST_GROUPINGS, SEVERE
from mindviz.lineagemgr.run_view import RunView

USUAL_ORDER = ("-pinned", "-created")


@dataclass(frozen=True, slots=True)
class RunQuery:
    """A filter, an order and a page. The default finds all runs except archived ones."""

    filter: str = ""
    order: tuple[str, ...] = USUAL_ORDER
    """Fields; `-` before one: descending. Ties: newest created first, then by name.

    `anomalies` compares the severe ones first. Without any, runs have the order of `train_ids`.
    """
    offset: int = 0
    limit: int | None = None
    """Rows or groups."""
    train_ids: tuple[str, ...] | None = None
    """Only these runs, archived ones included."""
    also: tuple[str, ...] = ()
    """Runs that are listed even if they do not match."""
    archived: bool = False
    """Whether archived runs match, too. A filter by `hidden` implies it."""
    plugins: tuple[str, ...] = ()
    """Only runs with data of one of these; empty for any."""
    by: tuple[str, ...] = ()
    """Fields to group by; `*`: all runs together; `*-seed`: all parameters except the seed."""
    group: str | None = None
    """Only the runs of the group with this key."""

    @property
    def sort_keys(self) -> list[tuple[str, bool]]:
        """The fields to sort by, the most significant first, each descending or not."""
        keys = [(name.removeprefix("-"), name.startswith("-")) for name in self.order]
        if any(name == SEVERE for name, _ in keys):
            return keys
        return [
            (field, descending)
            for name, descending in keys
            for field in ((SEVERE, name) if name == EVENTS else (name,))
        ]

    @property
    def page(self) -> slice:
        """The rows of the page."""
        return slice(self.offset, None if self.limit is None else self.offset + self.limit)


class FoundRuns:
    """What a query finds in a view."""

    def __init__(self, view: RunView, query: RunQuery) -> None:
        """Raises InvalidFilter."""
        self._view = view
        self._query = query
        self.condition = condition_of(query.filter)

    @cached_property
    def _mask(self) -> Mask:
        mask = self._of_all_groups()
        if self._query.group is not None:
            columns = [self._view.column(name) for name in self.fields]
            mask &= rows_with_key(columns, self._query.group, len(mask))
        return mask

    def _of_all_groups(self) -> Mask:
        view, query = self._view, self._query
        table = view.table
        mask = np.ones(len(table), np.bool_)
        if query.train_ids is not None:
            mask[:] = False
            mask[self._rows_of(query.train_ids)] = True
        shows_archived = (
            query.archived
            or query.train_ids is not None
            or (self.condition is not None and "hidden" in fields_of(self.condition))
        )
        if not shows_archived:
            mask &= ~view.flagged("hidden")
        if self.condition is not None:
            mask &= matching(self.condition, view)
        if query.plugins:
            mask &= view.table.having(query.plugins)
        mask[self._rows_of(query.also)] = True
        return mask

    def _rows_of(self, train_ids: Iterable[str]) -> list[int]:
        return list(self._view.table.rows_of(train_ids).values())

    @cached_property
    def fields(self) -> Sequence[str]:
        """The fields that the runs are grouped by."""
        table, by = self._view.table, self._query.by
        fields = table.groupings.get(by)
        if fields is None:
            names = table.parameters.names
            fields = group_fields(by, names, table.resolve, table.differs, table.column)
            if len(table.groupings) >= MOST_GROUPINGS:
                table.groupings.clear()
            table.groupings[by] = fields
        return fields

    @property
    def total(self) -> int:
        """All runs, with archived ones."""
        return len(self._view.table)

    @cached_property
    def matching(self) -> int:
        """Runs on all pages."""
        return int(np.count_nonzero(self._mask))

    @cached_property
    def _rows(self) -> Int64s:
        """The rows of all matching runs, in the order of runs that are equal in all columns."""
        query = self._query
        is_given = not query.order and query.train_ids is not None
        rows = self._view.table.newest
        if is_given and query.train_ids is not None:
            rows = np.array(self._rows_of(query.train_ids), np.int64)
        return rows if self._mask.all() else rows[self._mask[rows]]

    @cached_property
    def _ranks(self) -> Sequence[tuple[NDArray[Any], bool]]:
        return [(self._view.ranks(word), descending) for word, descending in self._query.sort_keys]

    def sorted(self, rows: Int64s, page: slice) -> Int64s:
        """A page of some of the rows."""
        if self._query.order == USUAL_ORDER:
            pinned = self._view.flagged("pinned")[rows]
            rows = np.concatenate([rows[pinned], rows[~pinned]]) if pinned.any() else rows
            return rows[page]
        return sorted_page(rows, self._ranks, page)

    @property
    def page(self) -> list[str]:
        """The train_ids of the page."""
        return self._view.table.ids_of(self.sorted(self._rows, self._query.page).tolist())

    @cached_property
    def groups(self) -> RunGroups:
        """All groups."""
        return RunGroups(self._rows, [self._view.column(name) for name in self.fields])

    def sorted_groups(self) -> list[int]:
        """The numbers of all groups, in order."""
        view, groups = self._view, self.groups
        keys = []
        for name, descending in self._query.sort_keys:
            field = view.table.resolve(name)
            column = view.column(name)
            if field == "pinned":
                order = groups.order_by_any(view.flagged(field))
            else:
                order = groups.order_by(column, averaged=is_averaged(field, view.table))
            keys.append((order, descending))
        return groups.sorted(keys)


def matching(condition: Condition, view: RunView) -> Mask:
    """Which runs meet a condition."""
    match condition:
        case Joined(joint=joint, parts=parts):
            masks = [matching(part, view) for part in parts]
            combine = np.logical_and if joint == "and" else np.logical_or
            return combine.reduce(masks)  # type: ignore[no-any-return]
        case Negated(part=part):
            return ~matching(part, view)
        case NameMatch():
            return view.table.named(condition)
        case Comparison(field=field) | Membership(field=field):
            return view.column(field).meets(condition)
