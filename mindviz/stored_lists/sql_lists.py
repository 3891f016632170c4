"""Lists of runs that a database pages, sorts and filters: only pages of them are read."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from sqlalchemy import Connection, Select, func, select

from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.datavisual.series.lineage_facts import MetricTag
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.run_sums import ExperimentVersion, RunSums
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.sql.stored_jobs import experiment_names, experiment_row
from mindviz.datavisual.sql.tables import RUNS
from mindviz.datavisual.store import Store
from mindviz.datavisual.train_jobs import base_name
from mindviz.deadline import begin_long_work, let_requests_pass
from mindviz.errors import MindvizError
from mindviz.lineagemgr.lineage_table import Lineages, LineageTable
from mindviz.lineagemgr.run_filter import Condition, condition_of
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
from mindviz.stored_lists.kept_values import PART_BYTES
from mindviz.stored_lists.sql_catalog import Catalog, column_names, read_catalog
from mindviz.stored_lists.sql_columns import Coded, NotInSqlError
from mindviz.stored_lists.sql_datasets import OneDataset
from mindviz.stored_lists.sql_overview import frequent, overview
from mindviz.stored_lists.sql_pages import SqlPages
from mindviz.stored_lists.sql_totals import Kept, run_totals
from mindviz.stored_lists.sql_view import Followed, SqlView
from mindviz.stored_lists.stored_table import StoredTable, TableSource

_MOST_COMPARED = 20_000
"""Runs whose values SQL compares; of more, columns as arrays are faster, and last longer."""
_NO_EXPERIMENT = ExperimentVersion(-1, 0.0, 0)
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
        self._catalog = Catalog(_NO_EXPERIMENT)
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._table: StoredTable | None = None
        self.reading_ahead: threading.Thread | None = None
        """Reads, or has read, what lists may need; None if nothing was prepared."""
        self._shapes = RunSums((RUNS.c.shape_id,))
        followed = Followed(run_totals(), OneDataset())
        scratch = ScratchFile(store.scratch_folder, PART_BYTES) if store.scratch_folder else None
        self._source = TableSource(store.database, followed, self._facts, scratch, self._kept_of)

    def at(self, notes: Notes, now: float) -> RunList:
        return SqlList(self, notes, now)

    def prepare(self) -> None:
        now, total = time.time(), 0
        with suppress(NotInSqlError), self.store.database.reading() as connection:
            view = self.view(connection, {}, now)
            overview(view)
            total = view.catalog.total
        table = self.table() if total > _MOST_COMPARED else None
        if table is not None:
            table.states(now)
            self._begin_reading_ahead()

    def _begin_reading_ahead(self) -> None:
        with self._lock:
            before = self.reading_ahead
            self.reading_ahead = threading.Thread(
                target=self._read_ahead, args=(before,), daemon=True
            )
            self.reading_ahead.start()

    def _read_ahead(self, before: threading.Thread | None) -> None:
        """Read what lists may need, before a request waits for it, as far as it can be kept."""
        if before is not None:  # of an earlier table; it ends soon
            before.join()
        with suppress(MindvizError):  # the request reports it
            with self.store.database.reading() as connection:
                names = column_names(self.catalog(connection))
            for name in names:
                let_requests_pass()
                table = self.table()  # which may be a later one
                is_last = self.reading_ahead is threading.current_thread()
                if table is None or not is_last or not table.read_ahead(name):
                    break

    def catalog(self, connection: Connection) -> Catalog:
        """The catalog in this transaction."""
        if not experiment_names(connection):
            return Catalog(_NO_EXPERIMENT)
        row = experiment_row(connection, self.store.experiment_id)
        at = ExperimentVersion(row["experiment_id"], row["creation_time"], row["version"])
        with self._lock:
            known = self._catalog
            if known.at != at:
                known = read_catalog(connection, at, self._shapes.read(connection, at))
                # Another thread may have seen a later state.
                if not self._catalog.follows(known):
                    self._catalog = known
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
            if table is not None:
                if table.catalog is catalog or table.catalog.follows(catalog):
                    return table
                table = table.after(connection, catalog, self._root(catalog))
        is_new = False
        if table is None:
            table = StoredTable.of_all(self._source, catalog, self._root(catalog))
            is_new = True
        with self._lock:
            self._table = table
        if is_new and self.reading_ahead is not None:
            self._begin_reading_ahead()
        return table

    def columns(self, catalog: Catalog, runs: RunKeys) -> StoredTable:
        """The columns of these runs."""
        return StoredTable(self._source, catalog, self._root(catalog), runs)

    def _root(self, catalog: Catalog) -> str | None:
        return base_name(self.store.status()) if catalog.has_root else None

    def view(self, connection: Connection, notes: Notes, now: float) -> SqlView:
        """The runs in a transaction. Raises NotInSqlError."""
        catalog = self.catalog(connection)
        if catalog.is_grouped:
            raise NotInSqlError
        return self._source.view(connection, catalog, self._root(catalog), notes, now)

    def _kept_of(self, catalog: Catalog) -> Kept:
        """What is kept of a version."""
        return partial(self.kept, catalog)

    def _facts(self, train_ids: Sequence[str], name: str) -> Sequence[Any]:
        """The values of a lineage's column for these runs."""
        table = self.lineages.of(self.store.lineages_of(train_ids), (), {})
        rows, column = map(table.find, train_ids), table.column(name)
        return [None if row is None else column[row] for row in rows]

    def kept(self, catalog: Catalog, key: Hashable, read: Callable[[], Any]) -> Any:
        """What a function reads of this version; the least recently used are dropped."""
        version = catalog.at, key
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
        return self._lists.view(connection, self._notes, self._now)

    def find(self, query: RunQuery) -> Found:
        condition = condition_of(query.filter)
        if query.group is None:
            with suppress(NotInSqlError), self._lists.store.database.reading() as connection:
                return self._found(self.view(connection), query, condition)
        table = self._lists.table()
        return self._memory.find(query) if table is None else self._in_arrays(table, query)

    def _arrays(self, table: StoredTable) -> RunView:
        return RunView(table, self._notes, self._now, self._lists.in_memory.events)

    def _in_arrays(self, table: StoredTable, query: RunQuery) -> FoundRuns:
        """What a query finds in columns that are read from the database."""
        return FoundRuns(self._arrays(table), query)

    def _found(self, view: SqlView, query: RunQuery, condition: Condition | None) -> Found:
        """Raises NotInSqlError."""
        matching = self._known_count(view, query, condition)
        is_short = view.catalog.total <= _MOST_COMPARED or query.train_ids is not None
        if matching is None and not is_short and not view.passes_few(condition):
            raise NotInSqlError
        where = view.where(query, condition)
        if matching is None:
            count = select(func.count()).select_from(RUNS).where(view.ours, where)
            matching = int(view.connection.execute(count).scalar_one())
        if not query.order and query.train_ids is not None:
            page = view.given(query.train_ids, where)[query.page]
        else:
            limit = matching if query.limit is None else query.limit
            keys = [(view.source(name.removeprefix("-")), name[:1] == "-") for name in query.order]
            page = self._pages(view).rows(where, keys, (query.offset, limit), matching)
        return FoundInSql(view.catalog.total, matching, page)

    def _known_count(
        self, view: SqlView, query: RunQuery, condition: Condition | None
    ) -> int | None:
        """The number of runs that a query finds in any group, if it follows from totals."""
        if query.plugins or query.train_ids is not None or query.also:
            return None
        hidden = 0 if query.archived else len(view.flagged("hidden"))
        if condition is None:
            return view.catalog.total - hidden
        return None if hidden else view.counted_by_state(condition)

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
