"""StoredTable: columns of the runs of an experiment, read from a database on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.value_order import Value, natural_key
from mindviz.datavisual.sql.catalog import DATASET_FIELD, NUMBER
from mindviz.datavisual.sql.column_transfer import read_keys, read_pairs
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.tables import RUNS
from mindviz.lineagemgr.run_column import NUMBER as NUMBER_PLACE
from mindviz.lineagemgr.run_column import ArrayColumn, Mask, RunColumn
from mindviz.lineagemgr.run_filter import Comparison, Membership, NameMatch
from mindviz.lineagemgr.run_lists import Notes
from mindviz.lineagemgr.run_table import (
    FieldNames,
    RunColumns,
    is_scalar_column,
    states_after,
)
from mindviz.lineagemgr.text_column import TextColumn
from mindviz.lineagemgr.text_lines import TextLines
from mindviz.stored_lists.changed_rows import changed_array, changed_column
from mindviz.stored_lists.column_arrays import (
    MOST_SELECTED,
    RunKeys,
    column_of,
    numbers_of,
    read_column,
    read_ends,
    read_lines,
    read_shapes,
    statistics,
)
from mindviz.stored_lists.kept_values import MOST_CHANGED, KeptValues
from mindviz.stored_lists.run_order import (
    changed_order,
    ranks_with,
    read_newest,
    read_ordered_by_name,
)
from mindviz.stored_lists.sql_catalog import Catalog
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_overview import differs
from mindviz.stored_lists.sql_totals import Kept
from mindviz.stored_lists.sql_view import Followed, SqlView

_NO_NOTES: Notes = {}
_COLUMN_BYTES = 32
"""Of a run, at most, in most columns."""
_FEW_ADDED = 1_000
"""New names that are merged into the known order; with more, SQL sorts all."""
_BATCH = 500
"""Runs whose lineage is read at once."""

ReadFacts = Callable[[Sequence[str], str], Sequence[Any]]
"""The values of a lineage's column for these train_ids."""


@dataclass(frozen=True, slots=True)
class TableSource:
    """Where tables are read from."""

    database: Database
    followed: Followed
    read_facts: ReadFacts
    scratch: ScratchFile | None
    """Where the columns of all runs are, unless in memory."""
    kept: Callable[[Catalog], Kept]
    """What is kept of a version of the experiment, besides the columns of a table."""

    def moved(self, array: NDArray[Any]) -> NDArray[Any]:
        """An equal array where columns are."""
        return array if self.scratch is None else self.scratch.moved(array)

    def view(
        self,
        connection: Connection,
        catalog: Catalog,
        root: str | None,
        notes: Notes = _NO_NOTES,
        now: float = 0.0,
    ) -> SqlView:
        """The runs of an experiment in a transaction."""
        kept = self.kept(catalog)
        return SqlView(connection, catalog, notes, now, root, followed=self.followed, kept=kept)


class StoredTable(RunColumns):
    """One version of all runs, or of some."""

    def __init__(
        self,
        source: TableSource,
        catalog: Catalog,
        root: str | None,
        runs: RunKeys,
        values: KeptValues | None = None,
    ) -> None:
        """`root`: the name of the run in the base dir itself; `runs`: newest first.

        With `values` of the same runs, these may have any order.
        """
        super().__init__()
        self._source = source
        self._database = source.database
        self.catalog = catalog
        self._root = root
        self._runs = runs
        self._values = KeptValues(catalog.at.version) if values is None else values
        self._newest = np.arange(len(runs))
        self._created: Float64s | None = None
        """The times that `_newest` is sorted by."""

    @classmethod
    def of_all(cls, source: TableSource, catalog: Catalog, root: str | None) -> StoredTable:
        """The table of all runs."""
        with source.database.reading(large=True) as connection:
            keys, created = read_newest(connection, RUNS.c.experiment_id == catalog.number)
        values = KeptValues(catalog.at.version, source.scratch)
        table = cls(source, catalog, root, RunKeys(keys), values)
        places = np.full(len(keys), NUMBER_PLACE, np.int8)
        column = ArrayColumn(places, (), created)
        table._created = table._values.put(("column", "created"), column).numbers
        table._newest = source.moved(table._newest)
        return table

    def after(
        self, connection: Connection, catalog: Catalog, root: str | None
    ) -> StoredTable | None:
        """The table of a later version, which keeps what did not change; None if much did.

        The catalog was read in this transaction.
        """
        before = self.catalog
        # A metric of one run makes series of others metrics.
        if root != self._root or catalog.metrics.keys() != before.metrics.keys():
            return None
        if not catalog.follows(before):
            return None
        query = select(RUNS.c.run_id).where(self._ours, RUNS.c.version > before.at.version)
        keys = read_keys(connection, query.limit(MOST_CHANGED + 1))
        runs = self._runs.joined(keys[~self._runs.places(keys)[1]])
        if len(keys) > MOST_CHANGED or len(runs) != catalog.total:
            return None
        rows = np.sort(runs.places(keys)[0])
        values = self._values.after(catalog.at.version, rows)
        table = StoredTable(self._source, catalog, root, runs, values)
        table._created = table.column("created").numbers
        table._newest = self._newest
        if table._created is not self._created:
            newest = table._changed_newest(self._newest, rows)
            table._newest = self._source.moved(newest)
        return table

    def _changed_newest(self, newest: Int64s, rows: Int64s) -> Int64s:
        created = self.column("created").numbers
        order = changed_order(newest, rows, lambda some: [-created[some], some])
        # Only these are sorted by name: names are long.
        tied = np.flatnonzero(np.isin(created, created[rows]))
        if len(tied) > len(np.unique(created[rows])):
            by_name = self._by_name(tied)
            places = np.flatnonzero(np.isin(order, tied))
            order[places] = by_name[np.argsort(-created[by_name], kind="stable")]
        return order

    @property
    def _ours(self) -> Sql:
        return RUNS.c.experiment_id == self.catalog.number

    def view(self, connection: Connection) -> SqlView:
        """The columns of the experiment in a transaction, without notes."""
        return self._source.view(connection, self.catalog, self._root)

    @property
    def field_names(self) -> FieldNames:
        return self.catalog.names

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def newest(self) -> Int64s:
        return self._newest

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

    def part(self, rows: Int64s) -> RunColumns:
        if len(rows) > MOST_SELECTED or len(rows) == len(self):
            return self
        return self._only(rows)

    def _only(self, rows: Int64s) -> StoredTable:
        keys = RunKeys(self._runs.run_ids[rows])
        return StoredTable(self._source, self.catalog, self._root, keys)

    def named(self, condition: NameMatch) -> Mask:
        def found() -> Mask:
            return condition.among(self._names()) | condition.among(self._labels())

        def changed(mask: Mask, rows: Int64s) -> Mask:
            return changed_array(mask, rows, self._only(rows).named(condition), len(self))

        mask: Mask = self._values.get(condition, found, changed)
        return mask.copy()

    def _compared(self, compared: Comparison | Membership, find: Callable[[], Mask]) -> Mask:
        """Which names pass a comparison; `find` compares all."""

        def changed(mask: Mask, rows: Int64s) -> Mask:
            part = self._only(rows).column("name").meets(compared)
            return changed_array(mask, rows, part, len(self))

        mask: Mask = self._values.get(compared, find, changed)
        return mask.copy()

    def _names(self) -> TextLines:
        name: ColumnElement[str] = func.substr(RUNS.c.train_id, len("./") + 1)
        if self._root is not None:
            name = case((RUNS.c.train_id == "./", self._root), else_=name)
        return self._lines("names", select(RUNS.c.run_id, name).where(self._ours))

    def _labels(self) -> TextLines:
        label = RUNS.c.display_name
        with self._database.reading() as connection:
            if not any(counted.display_names for counted in self.view(connection).totals()):
                return TextLines.of([""])  # broadcast to all runs
        return self._lines("labels", select(RUNS.c.run_id, label).where(self._ours, label != ""))

    def _lines(self, key: str, query: Select[Any]) -> TextLines:
        """A text of each run that a query reads; empty if it does not."""

        def read() -> TextLines:
            with self._database.reading(large=True) as connection:
                return read_lines(connection, query, self._runs)

        def changed(lines: TextLines, rows: Int64s) -> TextLines:
            with self._database.reading() as connection:
                others = read_lines(connection, query, RunKeys(self._runs.run_ids[rows]))
            return lines.replaced(rows, others, len(self))

        lines: TextLines = self._values.get(("lines", key), read, changed)
        return lines

    def having(self, plugins: Sequence[str]) -> Mask:
        shapes = {shape for name in plugins for shape in self.catalog.plugins.get(name, ())}
        return np.isin(self._array("shapes", partial(read_shapes, self._ours)), [*shapes])

    def states(self, now: float) -> NDArray[np.int8]:
        silent = now - self.column("updated").numbers
        ended = self._array("ends", partial(read_ends, self._ours))
        return np.where(ended < 0, states_after(silent), ended)

    def differs(self, name: str) -> bool:
        with self._database.reading() as connection:
            return differs(self.view(connection), name)

    def is_numeric(self, name: str) -> bool:
        return set(self.catalog.fields.get(name, ())) == {NUMBER}

    def column(self, name: str) -> RunColumn:
        if name == "name":
            return TextColumn(self._names, self._compared)

        def read() -> ArrayColumn:
            with self._database.reading(large=True) as connection:
                return self._read(connection, name, self._runs)

        def changed(column: ArrayColumn, rows: Int64s) -> ArrayColumn:
            if name == DATASET_FIELD:  # which depends on all runs
                return read()
            with self._database.reading() as connection:
                part = self._read(connection, name, RunKeys(self._runs.run_ids[rows]))
            return changed_column(column, rows, part, len(self))

        column: ArrayColumn = self._values.get(("column", name), read, changed)
        return column

    def read_ahead(self, name: str) -> bool:
        """Read a column that is wanted later; False if others would be dropped for it."""
        if not self._values.has_room(_COLUMN_BYTES * len(self)):
            return False
        self.column(name)
        if name == "name":
            self._names()
            self.ranks(name)
        return True

    def ranks(self, name: str) -> Float64s:
        if name != "name":
            return super().ranks(name)

        # SQL sorts: the keys of a million names take too much memory.
        def read() -> NDArray[np.int32]:
            ranks = np.empty(len(self), np.int32)
            ranks[self._by_name(np.arange(len(self)), self._root)] = np.arange(len(self))
            same = {} if self._root is None else self.rows_of(["./", f"./{self._root}"])
            if len(same) > 1:  # the run in the base dir has the name of another one
                ranks[same["./"]] = ranks[same[f"./{self._root}"]]
            return ranks

        def changed(ranks: NDArray[np.int32], rows: Int64s) -> NDArray[np.int32]:
            added = rows[rows >= len(ranks)]
            if not len(added):
                return ranks
            if len(added) > _FEW_ADDED or self._root is not None:
                return read()
            names = self._names()
            return ranks_with(ranks, len(added), lambda row: natural_key(names[row]))

        places: NDArray[np.int32] = self._values.get(("ranks", name), read, changed)
        return places.astype(np.float64)

    def _by_name(self, rows: Int64s, root: str | None = None) -> Int64s:
        """These rows in the order of the names of their runs; `root` as of `Names`."""
        runs = RunKeys(self._runs.run_ids[rows])
        with self._database.reading(large=True) as connection:
            ordered = read_ordered_by_name(connection, self._ours, runs, root)
        return rows[ordered]

    def _array(
        self,
        key: str,
        read: Callable[[Connection, RunKeys], NDArray[Any]],
    ) -> NDArray[Any]:
        """An array with an element per run, which does not depend on other runs."""

        def every() -> NDArray[Any]:
            with self._database.reading(large=True) as connection:
                return read(connection, self._runs)

        def changed(array: NDArray[Any], rows: Int64s) -> NDArray[Any]:
            with self._database.reading() as connection:
                part = read(connection, RunKeys(self._runs.run_ids[rows]))
            return changed_array(array, rows, part, len(self))

        array: NDArray[Any] = self._values.get(("array", key), every, changed)
        return array

    def _read(self, connection: Connection, name: str, runs: RunKeys) -> ArrayColumn:
        if is_scalar_column(name):
            tag, _, statistic = name.removeprefix("scalar/").rpartition("/")
            if statistic.startswith("at_"):
                return column_of(self._logged(connection, tag, name, runs), runs)
            if statistic.endswith("_step"):
                return numbers_of(connection, statistics(self._ours, tag, statistic), runs)
        # No run has a value in more than one source.
        sources = self.view(connection).sources_by_name(name)
        columns = [read_column(connection, source, runs) for source in sources]
        return ArrayColumn.joined(columns) if columns else column_of((), runs)

    def _logged(
        self, connection: Connection, tag: str, name: str, runs: RunKeys
    ) -> Iterator[tuple[int, Value]]:
        """A column that depends on the points of a series."""
        pairs = statistics(self._ours, tag, "total")
        keys = read_pairs(connection, runs.restricted(connection, pairs))[0]
        for start in range(0, len(keys), _BATCH):
            part = RunKeys(keys[start : start + _BATCH])
            query = part.restricted(connection, select(RUNS.c.run_id, RUNS.c.train_id))
            ids = {row[0]: row[1] for row in connection.execute(query)}
            found = zip(ids, self._source.read_facts(list(ids.values()), name), strict=True)
            yield from ((key, value) for key, value in found if value is not None)
