"""Lists of runs that a database pages, sorts and filters: only pages of them are read."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    Connection,
    Select,
    func,
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
from mindviz.lineagemgr.run_table import EVENT_FIELDS, FLAG_FIELDS, NOTE_FIELDS, FieldNames, Mask
from mindviz.lineagemgr.run_view import RunView
from mindviz.stored_lists.column_arrays import MOST_SELECTED, RunKeys
from mindviz.stored_lists.sql_catalog import Catalog, read_catalog
from mindviz.stored_lists.sql_columns import Coded, NotInSqlError
from mindviz.stored_lists.sql_overview import frequent, overview
from mindviz.stored_lists.sql_pages import FarApartError, SqlPages
from mindviz.stored_lists.sql_view import SqlView
from mindviz.stored_lists.stored_table import StoredTable

_MOST_KEPT = 200
"""Counts and lists of matching runs, and other small facts of a version."""
_MOST_BYTES = 24 << 20
"""Of all arrays that are kept."""


class SqlLists(RunLists):
    """Lists of one experiment."""

    def __init__(self, store: Store, in_memory: MemoryLists, lineages: Lineages) -> None:
        assert isinstance(store, SqlStore)  # no other one has a catalog
        self.store = store
        self.in_memory = in_memory
        self.lineages = lineages
        self._lock = threading.Lock()
        self._catalog = Catalog(-1, -1)
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._table: StoredTable | None = None

    def at(self, notes: Notes, now: float) -> RunList:
        return SqlList(self, notes, now)

    def prepare(self) -> None:
        with suppress(NotInSqlError), self.store.database.reading() as connection:
            overview(SqlList(self, {}, time.time()).view(connection))

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
                self._kept.clear()
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

    def kept(self, catalog: Catalog, key: Hashable, read: Callable[[], Any]) -> Any:
        """What a function reads of this version; the least recently used are dropped."""
        version = catalog.number, catalog.version, key
        with self._lock:
            if version in self._kept:
                self._kept.move_to_end(version)
                return self._kept[version]
        found = read()
        with self._lock:
            self._kept[version] = found
            while len(self._kept) > 1 and self._is_full():
                self._kept.popitem(last=False)
        return found

    def _is_full(self) -> bool:
        arrays = sum(getattr(found, "nbytes", 0) for found in self._kept.values())
        return len(self._kept) > _MOST_KEPT or arrays > _MOST_BYTES


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

    def view(self, connection: Connection) -> SqlView:
        """The runs in a transaction. Raises NotInSqlError."""
        catalog = self._lists.catalog(connection)
        if catalog.is_grouped:
            raise NotInSqlError
        root = base_name(self._lists.store.status()) if catalog.has_root else None
        kept = partial(self._lists.kept, catalog)
        return SqlView(connection, catalog, self._notes, self._now, root, kept=kept)

    def find(self, query: RunQuery) -> Found:
        condition = condition_of(query.filter)
        if query.group is None:
            with suppress(NotInSqlError), self._lists.store.database.reading() as connection:
                return self._found(self.view(connection), query, condition)
        table = self._lists.table()
        return self._memory.find(query) if table is None else self._kept_order(table, query)

    def _arrays(self, table: StoredTable) -> RunView:
        return RunView(table, self._notes, self._now, self._lists.in_memory.events)

    def _kept_order(self, table: StoredTable, query: RunQuery) -> Found:
        """What a query finds, from the order of all matching runs."""
        with self._lists.store.database.reading() as connection:
            view = self.view(connection)
            key = self._order_key(view, query) if view.catalog is table.catalog else None
        if key is None:
            return self._in_arrays(table, query)
        rows = table.kept(key, lambda: self._in_arrays(table, query).rows.astype(np.int32))
        return FoundInSql(len(table), len(rows), table.ids_of(rows[query.page].tolist()))

    def _in_arrays(self, table: StoredTable, query: RunQuery) -> FoundRuns:
        """What a query finds in columns that are read from the database."""
        condition = condition_of(query.filter)
        found = None
        if condition is not None:
            with suppress(NotInSqlError), self._lists.store.database.reading() as connection:
                found = self._mask(connection, table, query, condition)
        return FoundRuns(self._arrays(table), query, found)

    def _mask(
        self, connection: Connection, table: StoredTable, query: RunQuery, condition: Condition
    ) -> Mask:
        """Which rows of a table a query finds in any group."""
        view = self.view(connection)

        def read() -> NDArray[np.uint8]:
            return np.packbits(table.mask(connection, view.matched(query, condition)))

        key = self._key(view, query, fields_of(condition))
        is_kept = key is not None and view.catalog is table.catalog
        bits = view.kept(("mask", key), read) if is_kept else read()
        return np.unpackbits(bits, count=len(table)).view(np.bool_)

    def _found(self, view: SqlView, query: RunQuery, condition: Condition | None) -> Found:
        """Raises NotInSqlError."""
        key = self._key(view, query, fields_of(condition) if condition else ())
        order_key = self._order_key(view, query)
        far: set[Hashable] = view.kept("far", set)
        if order_key in far:
            raise NotInSqlError
        where = view.where(query, condition)
        matching = self._matching(view, query, condition, key)
        if not query.order and query.train_ids is not None:
            page = view.given(query.train_ids, where)[query.page]
        else:
            limit = matching if query.limit is None else query.limit
            keys = [(view.source(name.removeprefix("-")), name[:1] == "-") for name in query.order]
            try:
                page = self._pages(view).rows(where, keys, (query.offset, limit), matching)
            except FarApartError:
                if order_key is not None:
                    far.add(order_key)
                raise
        return FoundInSql(view.catalog.total, matching, page)

    def _key(self, view: SqlView, query: RunQuery, words: Iterable[str]) -> Hashable | None:
        """What the found runs of a version depend on, besides the values of these fields.

        None: on too much, or they are few.
        """
        fields = {view.names.resolve(word) for word in words}
        if query.train_ids is not None or query.also or fields & {*EVENT_FIELDS}:
            return None
        states = view.recent_states if "state" in fields else b""
        if states is None:
            return None
        notes = frozenset(self._notes.items()) if fields & {*NOTE_FIELDS} else None
        flags = [flag for flag in FLAG_FIELDS if flag in fields or flag == "hidden"]
        flagged = tuple(tuple(view.flagged(flag)) for flag in flags)
        return query.filter, query.archived, query.plugins, flagged, notes, states

    def _order_key(self, view: SqlView, query: RunQuery) -> Hashable | None:
        """As `_key`, of an order of the found runs."""
        if query.group is not None:
            return None
        condition = condition_of(query.filter)
        words = [name.removeprefix("-") for name in query.order]
        key = self._key(view, query, [*words, *(fields_of(condition) if condition else ())])
        return None if key is None else (key, query.order)

    def _matching(
        self, view: SqlView, query: RunQuery, condition: Condition | None, key: Hashable | None
    ) -> int:
        """The number of runs that a query finds in any group."""

        def read() -> int:
            if not query.plugins and query.train_ids is None and not query.also:
                hidden = 0 if query.archived else len(view.flagged("hidden"))
                if condition is None:
                    return view.catalog.total - hidden
                of_states = view.counted_by_state(condition)
                if of_states is not None and not hidden:
                    return of_states
            matched = view.matched(query, condition).subquery()
            count = select(func.count()).select_from(matched)
            number: int = view.connection.execute(count).scalar_one()
            return number

        matching: int = read() if key is None else view.kept(key, read)
        return matching

    def _pages(self, view: SqlView) -> SqlPages:
        def read(key: object, query: Select[Any]) -> Any:
            def value() -> Any:
                return view.connection.execute(query).scalar()

            return value() if key is None else view.kept(key, value)

        return SqlPages(view.connection, view.ours, view.catalog.total, read, view.state_counts)

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
                return overview(self.view(connection))
        except NotInSqlError:
            return self._memory.overview()

    def frequent(self, word: str, limit: int) -> tuple[str, list[str]]:
        try:
            with self._lists.store.database.reading() as connection:
                view = self.view(connection)
                read = partial(frequent, view, view.source(word), limit)
                # Notes, flags and states depend on more than the version.
                is_kept = not isinstance(view.source(word), Coded)
                found = view.kept(("frequent", word, limit), read) if is_kept else read()
                return view.names.resolve(word), found
        except NotInSqlError:
            table = self._lists.table()
            if table is None:
                return self._memory.frequent(word, limit)
            return table.resolve(word), self._arrays(table).column(word).frequent(limit)

    def lineages(self, train_ids: Sequence[str]) -> LineageTable:
        store, lineages = self._lists.store, self._lists.lineages
        try:
            with store.database.reading() as connection:
                view = self.view(connection)
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
                view = self.view(connection)
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
