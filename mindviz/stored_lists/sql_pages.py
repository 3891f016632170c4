"""Pages of sorted runs, in SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    exists,
    func,
    literal_column,
    not_,
    select,
    true,
)

from mindviz.datavisual.series.value_order import Value, value_key
from mindviz.datavisual.sql.tables import RUNS
from mindviz.stored_lists.sql_columns import (
    Flag,
    IndexedSource,
    Names,
    NotInSqlError,
    Plain,
    Source,
    States,
)
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_comparisons import is_one_of

Keys = Sequence[tuple[Source, bool]]
"""Columns to sort by, each descending or not."""
_Terms = Sequence[tuple[ColumnElement[Any], bool]]
"""What to sort by, each descending or not."""
_Page = tuple[int, int]
"""Offset and limit."""
_Part = tuple[Callable[[_Page], list[str]], Callable[[], int]]
"""A page of some rows, and their number."""
_FAR = 5_000
"""Rows that SQL skips one by one."""
_MOST_SORTED = 10_000
"""Rows that SQL sorts without an index."""
_INDEXED = RUNS.c.create_time, RUNS.c.update_time, RUNS.c.name_key
_ALL: Sql = true()
_WALKING = select(
    *(
        func.set_config(name, value, literal_column("true"))
        for name, value in {
            "enable_hashjoin": "off",
            "enable_mergejoin": "off",
            "max_parallel_workers_per_gather": "0",
        }.items()
    )
)
"""Options of a transaction."""
_SCANNED = 10_000
"""Rows that are scanned, at least, for those that meet a condition."""


class FarApartError(NotInSqlError):
    """SQL would scan most runs to find a page."""


class SqlPages:
    """Reads pages of the runs of an experiment in a transaction."""

    def __init__(
        self,
        connection: Connection,
        ours: Sql,
        total: int,
        read: Callable[[object, Select[Any]], Any],
        state_counts: Callable[[], Mapping[Value, int]],
    ) -> None:
        """`ours`: which runs belong to the experiment; `total`: their number.

        `read`: the value that a query returns; the key identifies it, None: it is not kept.
        `state_counts`: the number of runs in each state.
        """
        self._connection = connection
        self._ours = ours
        self._total = total
        self._read = read
        self._state_counts = state_counts
        self._spacing = 1.0

    def rows(self, where: Sql, keys: Keys, page: _Page, matching: int) -> list[str]:
        """The train_ids of a page of the runs that meet a condition; `matching` is their number.

        Raises FarApartError.
        """
        self._spacing = self._total / max(1, matching)
        where = _ALL if matching == self._total else where
        if page[0] > _FAR:
            raise FarApartError
        return self._rows(where, keys, (page[0], min(page[1], matching - page[0])))

    def _rows(self, where: Sql, keys: Keys, page: _Page) -> list[str]:
        if page[1] <= 0:
            return []
        if keys:
            source = keys[0][0]
            if isinstance(source, Flag):
                return self._by_flag(source, where, keys, page)
            if isinstance(source, States) and where is _ALL:
                return self._by_state(source, keys, page)
            if isinstance(source, IndexedSource) and source.is_indexed:
                return self._by_index(source, where, keys, page)
        tables, terms = _sorted(RUNS, [], keys)
        query = select(RUNS.c.train_id).select_from(tables).where(self._ours, where)
        first = terms[0][0]
        if first is RUNS.c.create_time and where is not _ALL:
            created = select(RUNS.c.create_time).where(self._ours)
            return self._near(query, terms, page, created, "created")
        is_indexed = any(first is column for column in _INDEXED)
        if not is_indexed and self._total / self._spacing > _MOST_SORTED:
            raise FarApartError
        return self._page(query, terms, page, walks=is_indexed and where is _ALL)

    def _by_state(self, source: States, keys: Keys, page: _Page) -> list[str]:
        (_, descending), *others = keys
        counts = self._state_counts()
        states = sorted((state for state in counts if counts[state]), key=value_key)
        ordered = states[::-1] if descending else states

        def part(state: Value) -> _Part:
            def rows(page: _Page) -> list[str]:
                self._spacing = self._total / counts[state]
                return self._rows(source.having(state), others, page)

            return rows, lambda: counts[state]

        return self._chained([part(state) for state in ordered], page)

    def _near(
        self, query: Select[Any], terms: _Terms, page: _Page, values: Select[Any], key: object
    ) -> list[str]:
        """The rows of a query that meet a condition, in the order of an index.

        `values`: the first term of all rows in the index; the key identifies them.
        The planner takes for granted that matching rows are spread evenly; if they are all at the
        end, it scans all others first.
        """
        scanned = max(_SCANNED, 1 << ceil(20 * sum(page) * self._spacing).bit_length())
        last = None
        if scanned < self._total:
            term, is_down = terms[0]
            end = values.order_by(*_order(terms[:1])).offset(scanned).limit(1)
            last = self._read((key, scanned, is_down), end)
            if last is not None:
                query = query.where(term >= last if is_down else term <= last)
        found = self._page(query, terms, page, walks=last is not None)
        if last is not None and len(found) < page[1]:
            raise FarApartError
        return found

    def _page(
        self, query: Select[Any], terms: _Terms, page: _Page, *, walks: bool = False
    ) -> list[str]:
        """The rows of a query in the order of terms.

        `walks`: an index has this order, and the page is near its start.
        """
        rows = query.order_by(*_order(terms)).offset(page[0]).limit(page[1])
        if self._connection.dialect.name == "sqlite" or not walks:
            return list(self._connection.execute(rows).scalars())
        # PostgreSQL underestimates how many runs pass conditions, and would join all of them.
        with self._connection.begin_nested() as walking:
            self._connection.execute(_WALKING)
            found = list(self._connection.execute(rows).scalars())
            walking.rollback()
        return found

    def _by_flag(self, source: Flag, where: Sql, keys: Keys, page: _Page) -> list[str]:
        (_, descending), *others = keys
        if not source.run_ids:
            return self._rows(where, others, page)
        flagged = is_one_of(self._connection, source.run_ids)
        parts = [and_(where, flagged), and_(where, not_(flagged))]
        return self._chained(
            [self._part(part, others) for part in (parts if descending else parts[::-1])], page
        )

    def _part(self, where: Sql, keys: Keys) -> _Part:
        count = select(func.count()).select_from(RUNS).where(self._ours, where)
        return (
            lambda page: self._rows(where, keys, page),
            lambda: self._connection.execute(count).scalar_one(),
        )

    def _by_index(self, source: IndexedSource, where: Sql, keys: Keys, page: _Page) -> list[str]:
        """First the runs with a value, in the order of an index, then those without."""
        (_, descending), *others = keys
        cell, has_value, order = source.present()
        tables = cell.join(RUNS, RUNS.c.run_id == cell.c.run_id)
        joined, terms = _sorted(tables, [(term, descending) for term in order], others)
        # Without the experiment, which the field implies: SQLite would go through all its runs.
        query = select(RUNS.c.train_id).select_from(joined).where(where, has_value)
        count = select(func.count()).select_from(tables).where(where, has_value)
        is_whole = where is _ALL and source.key is not None
        if is_whole:
            count = select(func.count()).select_from(cell).where(has_value)

        def present() -> int:
            key = source.key if is_whole else None
            number: int = self._read(key, count)
            return number

        def rows(page: _Page) -> list[str]:
            if is_whole or source.key is None or len(order) > 1:
                return self._page(query, terms, page, walks=is_whole)
            values = select(order[0]).where(has_value)
            return self._near(query, terms, page, values, source.key)

        own_cell, is_present, _ = source.present()
        is_missing = ~exists().where(own_cell.c.run_id == RUNS.c.run_id, is_present)
        read_missing, missing = self._part(and_(where, is_missing), others)
        parts: list[_Part] = [
            (rows, present),
            (
                lambda page: [] if is_whole and present() == self._total else read_missing(page),
                lambda: self._total - present() if is_whole else missing(),
            ),
        ]
        return self._chained(parts, page)

    def _chained(self, parts: Sequence[_Part], page: _Page) -> list[str]:
        """A page of the rows of all parts, one part after the other."""
        offset, limit = page
        rows: list[str] = []
        for read, count in parts:
            found = read((offset, limit - len(rows)))
            rows += found
            if len(rows) >= limit or read is parts[-1][0]:
                break
            offset = 0 if found or not offset else max(0, offset - count())
        return rows


def _order(terms: _Terms) -> list[ColumnElement[Any]]:
    return [term.desc() if is_down else term for term, is_down in terms]


def _sorted(tables: Any, terms: _Terms, keys: Keys) -> tuple[Any, _Terms]:
    """Tables and terms to sort by these terms, then by keys, then newest first and by name."""
    ties = [(RUNS.c.create_time, True), (RUNS.c.name_key, False), (RUNS.c.name_rest, False)]
    for source, descending in keys:
        tables, missing, own = source.joined(tables)
        terms = [*terms, *([] if missing is None else [(missing, False)])]
        terms += [(term, descending) for term in own]
        if isinstance(source, Names) and source.root is None:
            return tables, terms  # names are unique
        if isinstance(source, Plain) and source.number is RUNS.c.create_time:
            ties = ties[-2:]
    return tables, [*terms, *ties]
