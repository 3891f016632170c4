"""Lists of runs, wherever their columns are: in memory, or in the tables of a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.lineage_table import Lineages, LineageTable
from mindviz.lineagemgr.run_groups import Summary, is_averaged
from mindviz.lineagemgr.run_query import FoundRuns, RunQuery
from mindviz.lineagemgr.run_table import STATES, FieldNames, RunTable
from mindviz.lineagemgr.run_view import RunTables, RunView

MOST_LABELS = 10_000
Notes = Mapping[str, Annotation]
"""train_id -> a user's notes."""


class Found(Protocol):
    """What a query finds."""

    @property
    def total(self) -> int:
        """All runs, with archived ones."""

    @property
    def matching(self) -> int:
        """Runs on all pages."""

    @property
    def page(self) -> list[str]:
        """The train_ids of the page."""


@dataclass(frozen=True, slots=True)
class Group:
    """Runs with equal values."""

    values: tuple[Value, ...]
    key: str | None
    count: int
    train_ids: list[str]
    """The first ones."""
    columns: Mapping[str, Summary]


@dataclass(frozen=True, slots=True)
class GroupsPage:
    """Some groups of the runs that a query finds."""

    found: Found
    fields: Sequence[str]
    group_count: int
    groups: Sequence[Group]


class RunList(ABC):
    """All runs with their notes, at one moment."""

    @abstractmethod
    def find(self, query: RunQuery) -> Found:
        """What a query finds. Raises InvalidFilter."""

    @abstractmethod
    def groups(
        self, query: RunQuery, columns: Sequence[str], *, most: int, runs: int
    ) -> GroupsPage:
        """The query's page of groups, at most `most`, each with its first `runs`."""

    @abstractmethod
    def overview(self) -> dict[str, Any]:
        """What lists need to know of all runs without their rows."""

    @abstractmethod
    def frequent(self, word: str, limit: int) -> tuple[str, list[str]]:
        """The field of a name, and its most frequent values as texts."""

    @abstractmethod
    def lineages(self, train_ids: Sequence[str]) -> LineageTable:
        """The lineages of these runs, and possibly others."""

    @property
    @abstractmethod
    def names(self) -> FieldNames:
        """The names of all fields."""

    @abstractmethod
    def columns(self) -> RunView:
        """The columns of all runs."""

    @abstractmethod
    def columns_of(self, train_ids: Sequence[str]) -> RunView:
        """The columns of these runs, and possibly others."""

    @abstractmethod
    def labels(self, label: str = "") -> Mapping[str, str]:
        """train_id -> label, of the runs with this label, by default any; at most 10,000."""


class RunLists(ABC):
    """The lists of a store. Thread-safe."""

    @abstractmethod
    def at(self, notes: Notes, now: float) -> RunList:
        """The list with notes, at a time in Unix seconds."""

    @abstractmethod
    def prepare(self) -> None:
        """Compute what lists need, before a request waits for it."""


class MemoryLists(RunLists):
    """Lists over columns of all runs."""

    def __init__(
        self,
        store: Store,
        lineages: Lineages,
        events: Callable[[], Mapping[str, Sequence[int]]] = dict,
    ) -> None:
        """`events` as of `RunView`."""
        self.events = events
        self.tables = RunTables(store, lineages)
        self._lineages = lineages

    def at(self, notes: Notes, now: float) -> RunList:
        table = self.tables.table()
        return MemoryList(table, RunView(table, notes, now, self.events), self._lineages)

    def prepare(self) -> None:
        table = self.tables.table()
        _ = table.newest, table.parameters


class MemoryList(RunList):
    """A list over columns of all runs."""

    def __init__(self, table: RunTable, view: RunView, lineages: Lineages) -> None:
        self._table = table
        self._view = view
        self._lineages = lineages

    def find(self, query: RunQuery) -> FoundRuns:
        return FoundRuns(self._view, query)

    def groups(
        self, query: RunQuery, columns: Sequence[str], *, most: int, runs: int
    ) -> GroupsPage:
        return groups_page(self._view, query, self.find(query), columns, most=most, runs=runs)

    def overview(self) -> dict[str, Any]:
        view, table = self._view, self._table
        states = Counter(view.states.tolist())
        return {
            "total": len(table),
            "archived": int(view.flagged("hidden").sum()),
            "pinned": int(view.flagged("pinned").sum()),
            "plugins": table.plugin_counts,
            "formats": {name: runs for name, (runs, _) in table.format_counts.items()},
            "files": {name: files for name, (_, files) in table.format_counts.items()},
            "lineages": int((table.listing.lineage_files > 0).sum()),
            "states": {state: states[code] for code, state in enumerate(STATES)},
            "display_names": sum(map(bool, table.listing.display_name)),
            "scalar_tags": table.tag_counts.get("scalar", {}),
            "unmeasured_tags": table.unmeasured_tags,
            "fields": table.described_facts,
            "parameters": table.parameters.names,
            "shown_as": table.parameters.shown_as,
        }

    def frequent(self, word: str, limit: int) -> tuple[str, list[str]]:
        return self._view.table.resolve(word), self._view.column(word).frequent(limit)

    def lineages(self, train_ids: Sequence[str]) -> LineageTable:  # noqa: ARG002 -- it has all
        return self._lineages.table()

    @property
    def names(self) -> FieldNames:
        return self._table.field_names

    def columns(self) -> RunView:
        return self._view

    def columns_of(self, train_ids: Sequence[str]) -> RunView:  # noqa: ARG002 -- it has all
        return self._view

    def labels(self, label: str = "") -> Mapping[str, str]:
        listing = self._table.listing
        pairs = zip(listing.train_id, listing.display_name, strict=True)
        found = ((run, shown) for run, shown in pairs if shown and label in ("", shown))
        return dict(islice(found, MOST_LABELS))


def groups_page(
    view: RunView,
    query: RunQuery,
    found: FoundRuns,
    columns: Sequence[str],
    *,
    most: int,
    runs: int,
) -> GroupsPage:
    """As `RunList.groups`."""
    groups = found.groups
    page = [] if query.limit == 0 else found.sorted_groups()[query.page][:most]
    part = groups.of(page)
    part_view = view.of(part.rows)
    summarized = part if part_view is view else part.renumbered()
    summaries: dict[str, list[Summary]] = {}
    for name in columns if page else ():
        averaged = is_averaged(view.table.resolve(name), view.table)
        summaries[name] = summarized.summaries(part_view.column(name), averaged=averaged)
    numbers = range(len(page))
    members = [found.sorted(part.rows_of(number), slice(runs)).tolist() for number in numbers]
    train_ids = iter(view.table.ids_of([row for rows in members for row in rows]))
    return GroupsPage(
        found,
        found.fields,
        len(groups),
        [
            Group(
                values=part.values_of(number),
                key=part.key(number),
                count=int(part.counts[number]),
                train_ids=list(islice(train_ids, len(members[number]))),
                columns={name: of_groups[number] for name, of_groups in summaries.items()},
            )
            for number in range(len(page))
        ],
    )
