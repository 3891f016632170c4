"""StoredTable: columns of the runs of an experiment, read from a database on first use."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, select, true

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.sql.catalog import NUMBER
from mindviz.datavisual.sql.column_transfer import read_keys, read_pairs
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.tables import RUNS
from mindviz.lineagemgr.run_column import NUMBER as NUMBER_PLACE
from mindviz.lineagemgr.run_column import ArrayColumn, RunColumn
from mindviz.lineagemgr.run_table import (
    ENDS,
    FieldNames,
    Mask,
    RunColumns,
    is_scalar_column,
    states_after,
)
from mindviz.stored_lists.column_arrays import (
    MOST_SELECTED,
    RunKeys,
    column_of,
    numbers_of,
    read_column,
    statistics,
)
from mindviz.stored_lists.sql_catalog import Catalog
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_overview import differs
from mindviz.stored_lists.sql_view import SqlView

MAX_BYTES = 80 << 20
"""Of the columns and orders that are kept."""
_BATCH = 500
"""Runs whose lineage is read at once."""

ReadFacts = Callable[[Sequence[str], str], Sequence[Any]]
"""The values of a lineage's column for these train_ids."""


class StoredTable(RunColumns):
    """One version of all runs, or of some."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        root: str | None,
        read_facts: ReadFacts,
        runs: RunKeys | None = None,
    ) -> None:
        """`root`: the name of the run in the base dir itself; `runs`: all by default."""
        super().__init__()
        self._database = database
        self.catalog = catalog
        self._root = root
        self._read_facts = read_facts
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, ArrayColumn | NDArray[Any]] = OrderedDict()
        if runs is None:
            with database.reading(large=True) as connection:
                keys, created = _newest(connection, self.view(connection).ours)
            runs = RunKeys(keys)
            is_number = np.full(len(keys), NUMBER_PLACE, np.int8)
            self._kept["created"] = ArrayColumn(is_number, (), created)
        self._runs = runs

    def view(self, connection: Connection) -> SqlView:
        """The columns of the experiment in a transaction, without notes."""
        return SqlView(connection, self.catalog, {}, 0.0, self._root)

    @property
    def field_names(self) -> FieldNames:
        return self.catalog.names

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def newest(self) -> Int64s:
        return np.arange(len(self))

    def rows_of(self, train_ids: Iterable[str]) -> Mapping[str, int]:
        wanted = dict.fromkeys(train_ids)
        if not wanted:
            return {}
        with self._database.reading() as connection:
            keys = self.view(connection).run_ids(wanted)
        names = [train_id for train_id in wanted if train_id in keys]
        rows, is_known = self._runs.places(np.array([keys[name] for name in names], np.int64))
        known = [name for name, known in zip(names, is_known.tolist(), strict=True) if known]
        return dict(zip(known, rows.tolist(), strict=True))

    def ids_of(self, rows: Sequence[int]) -> list[str]:
        keys = self._runs.run_ids[list(rows)].tolist()
        found: dict[int, str] = {}
        with self._database.reading() as connection:
            for start in range(0, len(keys), MOST_SELECTED):
                part = RunKeys(np.array(keys[start : start + MOST_SELECTED], np.int64))
                query = select(RUNS.c.run_id, RUNS.c.train_id)
                query = part.restricted(connection, query)
                found |= {row[0]: row[1] for row in connection.execute(query)}
        return [found.get(key, "") for key in keys]

    def mask(self, connection: Connection, query: Select[Any]) -> Mask:
        """Which runs have the keys that a query selects."""
        return self._runs.mask(read_keys(connection, self._runs.restricted(connection, query)))

    def part(self, rows: Int64s) -> RunColumns:
        if len(rows) > MOST_SELECTED or len(rows) == len(self):
            return self
        keys = RunKeys(self._runs.run_ids[rows])
        return StoredTable(self._database, self.catalog, self._root, self._read_facts, keys)

    def named(self, test: Callable[[str], bool]) -> Mask:
        with self._database.reading() as connection:
            found = self.view(connection).run_names.runs_named(test, true())
        return self._runs.mask(np.array(found, np.int64))

    def having(self, plugins: Sequence[str]) -> Mask:
        with self._database.reading() as connection:
            view = self.view(connection)
            found = select(RUNS.c.run_id).where(view.ours, view.has_plugin(plugins))
            return self.mask(connection, found)

    def states(self, now: float) -> Int64s:
        silent = now - self.column("updated").numbers
        ended = self._ended
        return np.where(ended < 0, states_after(silent), ended)

    @cached_property
    def _ended(self) -> NDArray[np.int8]:
        """The state of runs whose log tells it, else -1."""
        ended = np.full(len(self), -1, np.int8)
        with self._database.reading() as connection:
            ours = self.view(connection).ours
            for status, state in ENDS.items():
                query = select(RUNS.c.run_id).where(ours, RUNS.c.session_status == status)
                ended[self.mask(connection, query)] = state
        return ended

    def differs(self, name: str) -> bool:
        with self._database.reading() as connection:
            return differs(self.view(connection), name)

    def is_numeric(self, name: str) -> bool:
        return set(self.catalog.fields.get(name, ())) == {NUMBER}

    def column(self, name: str) -> RunColumn:
        def read() -> ArrayColumn:
            with self._database.reading(large=True) as connection:
                return self._read(connection, name)

        column: ArrayColumn = self.kept(name, read)
        return column

    def ranks(self, name: str) -> Float64s:
        if name != "name" or self._root is not None:
            return super().ranks(name)
        # Names are unique, and a million of them take too much memory.
        with self._database.reading(large=True) as connection:
            view = self.view(connection)
            query = self._runs.restricted(connection, select(RUNS.c.run_id).where(view.ours))
            by_name = query.order_by(RUNS.c.name_key, RUNS.c.name_rest)
            rows, _ = self._runs.places(read_keys(connection, by_name))
        ranks = np.full(len(self), np.nan)
        ranks[rows] = np.arange(len(rows))
        return ranks

    def kept(self, key: Hashable, read: Callable[[], Any]) -> Any:
        """What a function reads: a column by its name, or an array. The latest ones are kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = read()
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > 1 and self._bytes() > MAX_BYTES:
                self._kept.popitem(last=False)
        return found

    def _bytes(self) -> int:
        return sum(one.nbytes for one in self._kept.values())

    def _read(self, connection: Connection, name: str) -> ArrayColumn:
        view, runs = self.view(connection), self._runs
        if is_scalar_column(name):
            tag, _, statistic = name.removeprefix("scalar/").rpartition("/")
            if statistic.startswith("at_"):
                return column_of(self._logged(connection, tag, name), runs)
            if statistic.endswith("_step"):
                return numbers_of(connection, statistics(view.ours, tag, statistic), runs)
        # No run has a value in more than one source.
        columns = [read_column(connection, source, runs) for source in view.sources_by_name(name)]
        return ArrayColumn.joined(columns) if columns else column_of((), runs)

    def _logged(self, connection: Connection, tag: str, name: str) -> Iterator[tuple[int, Value]]:
        """A column that depends on the points of a series."""
        pairs = statistics(self.view(connection).ours, tag, "total")
        keys = read_pairs(connection, self._runs.restricted(connection, pairs))[0]
        for start in range(0, len(keys), _BATCH):
            part = RunKeys(keys[start : start + _BATCH])
            query = part.restricted(connection, select(RUNS.c.run_id, RUNS.c.train_id))
            ids = {row[0]: row[1] for row in connection.execute(query)}
            found = zip(ids, self._read_facts(list(ids.values()), name), strict=True)
            yield from ((key, value) for key, value in found if value is not None)


def _newest(connection: Connection, ours: Sql) -> tuple[Int64s, Float64s]:
    """The keys of all runs, newest first, and when these were created."""
    time = RUNS.c.create_time
    keys, created = read_pairs(connection, select(RUNS.c.run_id, time).where(ours))
    order = np.argsort(-created, kind="stable")
    keys, created = keys[order], created[order]
    same = np.flatnonzero(created[1:] == created[:-1])
    if same.size:
        # Only these are sorted by name: names are long.
        tied = np.union1d(same, same + 1)
        runs = RunKeys(keys[tied])
        query = runs.restricted(connection, select(RUNS.c.run_id).where(ours))
        by_name = query.order_by(time.desc(), RUNS.c.name_key, RUNS.c.name_rest)
        ordered = read_keys(connection, by_name)
        keys[tied] = ordered[runs.places(ordered)[1]]
    return keys, created
