"""Lists of runs that a database pages, sorts and filters: only pages of them are read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import (
    Connection,
    Select,
    select,
)

from mindviz.datavisual.series.lineage_facts import MetricTag
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.sql.stored_jobs import experiment_names, experiment_row
from mindviz.datavisual.sql.tables import RUNS
from mindviz.datavisual.store import Store
from mindviz.datavisual.train_jobs import base_name
from mindviz.deadline import begin_long_work
from mindviz.lineagemgr.lineage_table import Lineages, LineageTable
from mindviz.lineagemgr.run_filter import (
    Condition,
    condition_of,
    fields_of,
)
from mindviz.lineagemgr.run_lists import (
    MOST_LABELS,
    Found,
    GroupsPage,
    MemoryLists,
    Notes,
    RunList,
    RunLists,
    groups_page,
)
from mindviz.lineagemgr.run_query import FoundRuns, RunQuery
from mindviz.lineagemgr.run_table import FieldNames
from mindviz.lineagemgr.run_view import RunView
from mindviz.stored_lists.column_arrays import MOST_SELECTED, RunKeys
from mindviz.stored_lists.sql_catalog import Catalog, read_catalog
from mindviz.stored_lists.sql_columns import NotInSqlError
from mindviz.stored_lists.sql_overview import frequent, overview
from mindviz.stored_lists.sql_pages import SqlPages
from mindviz.stored_lists.sql_view import SqlView
from mindviz.stored_lists.stored_table import StoredTable

_MOST_COUNTS = 200
"""Numbers of matching runs that are kept."""


class SqlLists(RunLists):
    """Lists of one experiment."""

    def __init__(self, store: Store, in_memory: MemoryLists, lineages: Lineages) -> None:
        assert isinstance(store, SqlStore)  # no other one has a catalog
        self.store = store
        self.in_memory = in_memory
        self.lineages = lineages
        self._lock = threading.Lock()
        self._catalog = Catalog(-1, -1)
        self._counts: OrderedDict[object, int] = OrderedDict()
        self._table: StoredTable | None = None

    def at(self, notes: Notes, now: float) -> RunList:
        return SqlList(self, notes, now)

    def prepare(self) -> None:
        with self.store.database.reading() as connection:
            self.catalog(connection)

    def catalog(self, connection: Connection) -> Catalog:
        """The catalog in this transaction."""
        if not experiment_names(connection):
            return Catalog(-1, 0)
        row = experiment_row(connection, self.store.experiment_id)
        number, version = row["experiment_id"], row["version"]
        with self._lock:
            known = self._catalog
            if (known.number, known.version) != (number, version):
                known = self._catalog = read_catalog(connection, number, version)
                self._counts.clear()
            return known

    def table(self) -> StoredTable | None:
        """Columns as arrays; None if metrics of runs are series of other runs."""
        with self.store.database.reading() as connection:
            catalog = self.catalog(connection)
        if catalog.is_grouped:
            return None
        if catalog.total > MOST_SELECTED:
            begin_long_work()
        with self._lock:
            table = self._table
        if table is None or table.catalog is not catalog:
            table = self.columns(catalog)
            with self._lock:
                self._table = table
        return table

    def columns(self, catalog: Catalog, runs: RunKeys | None = None) -> StoredTable:
        """The columns of all runs, or of these."""
        root = base_name(self.store.status()) if catalog.has_root else None
        return StoredTable(self.store.database, catalog, root, self._facts, runs)

    def _facts(self, train_ids: Sequence[str], name: str) -> Sequence[Any]:
        """The values of a lineage's column for these runs."""
        table = self.lineages.of(self.store.lineages_of(train_ids), (), {})
        rows, column = map(table.find, train_ids), table.column(name)
        return [None if row is None else column[row] for row in rows]

    def count(self, connection: Connection, key: object, query: Select[Any]) -> int:
        """The number that a query returns; `key` identifies it, None: it is not kept."""
        with self._lock:
            if key is not None and key in self._counts:
                self._counts.move_to_end(key)
                return self._counts[key]
        count: int = connection.execute(query).scalar_one()
        if key is not None:
            with self._lock:
                self._counts[key] = count
                if len(self._counts) > _MOST_COUNTS:
                    self._counts.popitem(last=False)
        return count


@dataclass(frozen=True, slots=True)
class FoundInSql:
    """What a query finds."""

    total: int
    matching: int
    page: list[str]


class SqlList(RunList):
    """All runs with their notes, at one moment."""

    def __init__(self, lists: SqlLists, notes: Notes, now: float) -> None:
        self._lists = lists
        self._notes = notes
        self._now = now

    @cached_property
    def _memory(self) -> RunList:
        return self._lists.in_memory.at(self._notes, self._now)

    def _view(self, connection: Connection) -> SqlView:
        catalog = self._lists.catalog(connection)
        if catalog.is_grouped:
            raise NotInSqlError
        root = base_name(self._lists.store.status()) if catalog.has_root else None
        return SqlView(connection, catalog, self._notes, self._now, root)

    def find(self, query: RunQuery) -> Found:
        condition = condition_of(query.filter)
        if query.group is None:
            try:
                with self._lists.store.database.reading() as connection:
                    return self._found(self._view(connection), query, condition)
            except NotInSqlError:
                pass
        table = self._lists.table()
        return self._memory.find(query) if table is None else self._in_arrays(table, query)

    def _arrays(self, table: StoredTable) -> RunView:
        return RunView(table, self._notes, self._now, self._lists.in_memory.events)

    def _in_arrays(self, table: StoredTable, query: RunQuery) -> FoundRuns:
        """What a query finds in columns that are read from the database."""
        condition = condition_of(query.filter)
        found = None
        if condition is not None:
            with suppress(NotInSqlError), self._lists.store.database.reading() as connection:
                stored = self._view(connection)
                where = stored.where(query, condition)
                found = table.mask(connection, select(RUNS.c.run_id).where(stored.ours, where))
        return FoundRuns(self._arrays(table), query, found)

    def _found(self, view: SqlView, query: RunQuery, condition: Condition | None) -> Found:
        where = view.where(query, condition)
        fields = () if condition is None else (view.names.resolve(f) for f in fields_of(condition))
        key = None
        if "state" not in fields:
            notes = frozenset(self._notes.items())
            catalog = (view.catalog.number, view.catalog.version)
            runs = (query.train_ids, query.also, query.archived, query.plugins, notes)
            key = (catalog, query.filter, *runs)
        matching = self._lists.count(view.connection, key, view.counted(query, condition))
        if not query.order and query.train_ids is not None:
            page = view.given(query.train_ids, where)[query.page]
        else:
            limit = matching if query.limit is None else query.limit
            keys = [(view.source(name.removeprefix("-")), name[:1] == "-") for name in query.order]
            page = self._pages(view).rows(where, keys, (query.offset, limit), matching)
        return FoundInSql(view.catalog.total, matching, page)

    def _pages(self, view: SqlView) -> SqlPages:
        catalog, connection = view.catalog, view.connection

        def count(key: object, query: Select[Any]) -> int:
            version = catalog.number, catalog.version
            return self._lists.count(connection, None if key is None else (version, key), query)

        return SqlPages(connection, view.ours, catalog.total, count)

    def groups(
        self, query: RunQuery, columns: Sequence[str], *, most: int, runs: int
    ) -> GroupsPage:
        table = self._lists.table()
        if table is None:
            return self._memory.groups(query, columns, most=most, runs=runs)
        view, found = self._arrays(table), self._in_arrays(table, query)
        return groups_page(view, query, found, columns, most=most, runs=runs)

    def overview(self) -> dict[str, Any]:
        try:
            with self._lists.store.database.reading() as connection:
                return overview(self._view(connection))
        except NotInSqlError:
            return self._memory.overview()

    def frequent(self, word: str, limit: int) -> tuple[str, list[str]]:
        try:
            with self._lists.store.database.reading() as connection:
                view = self._view(connection)
                return view.names.resolve(word), frequent(view, view.source(word), limit)
        except NotInSqlError:
            table = self._lists.table()
            if table is None:
                return self._memory.frequent(word, limit)
            return table.resolve(word), self._arrays(table).column(word).frequent(limit)

    def lineages(self, train_ids: Sequence[str]) -> LineageTable:
        store, lineages = self._lists.store, self._lists.lineages
        try:
            with store.database.reading() as connection:
                view = self._view(connection)
                marks = view.dataset_marks(train_ids)
        except NotInSqlError:
            return lineages.table()
        jobs = store.lineages_of(train_ids)
        return lineages.of(jobs, [MetricTag(tag) for tag in view.catalog.metrics], marks)

    @property
    def names(self) -> FieldNames:
        with self._lists.store.database.reading() as connection:
            return self._lists.catalog(connection).names

    def columns(self) -> RunView:
        table = self._lists.table()
        return self._memory.columns() if table is None else self._arrays(table)

    def columns_of(self, train_ids: Sequence[str]) -> RunView:
        try:
            with self._lists.store.database.reading() as connection:
                view = self._view(connection)
                keys = np.array(list(view.run_ids(train_ids).values()), np.int64)
        except NotInSqlError:
            return self._memory.columns()
        return self._arrays(self._lists.columns(view.catalog, RunKeys(keys)))

    def labels(self, label: str = "") -> Mapping[str, str]:
        shown = RUNS.c.display_name
        with self._lists.store.database.reading() as connection:
            number = self._lists.catalog(connection).number
            query = select(RUNS.c.train_id, shown).where(RUNS.c.experiment_id == number)
            query = query.where(shown == storable(label) if label else shown != "")
            return {row[0]: row[1] for row in connection.execute(query.limit(MOST_LABELS))}
