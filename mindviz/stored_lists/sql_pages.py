"""Pages of sorted runs, in SQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    exists,
    func,
    not_,
    select,
)

from mindviz.datavisual.sql.tables import RUNS
from mindviz.stored_lists.sql_columns import Flag, IndexedSource, Names, Plain, Source
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_comparisons import is_one_of

Keys = Sequence[tuple[Source, bool]]
"""Columns to sort by, each descending or not."""
_Part = tuple[Callable[[int, int], list[str]], Callable[[], int]]
"""A page of some rows by offset and limit, and their number."""


class SqlPages:
    """Reads pages in a transaction."""

    def __init__(self, connection: Connection, ours: Sql) -> None:
        """`ours`: which runs belong to the experiment."""
        self._connection = connection
        self._ours = ours

    def rows(self, where: Sql, keys: Keys, offset: int, limit: int) -> list[str]:
        """The train_ids of a page; each key is descending or not."""
        if limit <= 0:
            return []
        if keys:
            source = keys[0][0]
            if isinstance(source, Flag):
                return self._by_flag(source, where, keys, (offset, limit))
            if isinstance(source, IndexedSource) and source.is_indexed:
                return self._by_index(source, where, keys, (offset, limit))
        tables, terms = _sorted(RUNS, [], keys)
        query = select(RUNS.c.train_id).select_from(tables).where(self._ours, where)
        query = query.order_by(*terms)
        return list(self._connection.execute(query.offset(offset).limit(limit)).scalars())

    def _by_flag(self, source: Flag, where: Sql, keys: Keys, page: tuple[int, int]) -> list[str]:
        (_, descending), *others = keys
        if not source.run_ids:
            return self.rows(where, others, *page)
        flagged = is_one_of(self._connection, source.run_ids)
        parts = [and_(where, flagged), and_(where, not_(flagged))]
        return _chained(
            [self._part(part, others) for part in (parts if descending else parts[::-1])], *page
        )

    def _part(self, where: Sql, keys: Keys) -> _Part:
        count = select(func.count()).select_from(RUNS).where(self._ours, where)
        return (
            lambda offset, limit: self.rows(where, keys, offset, limit),
            lambda: self._connection.execute(count).scalar_one(),
        )

    def _by_index(
        self, source: IndexedSource, where: Sql, keys: Keys, page: tuple[int, int]
    ) -> list[str]:
        """First the runs with a value, in the order of an index, then those without."""
        (_, descending), *others = keys
        cell, has_value, order = source.present()
        tables = cell.join(RUNS, RUNS.c.run_id == cell.c.run_id)
        count = select(func.count()).select_from(tables).where(where, has_value)
        first = [term.desc() if descending else term for term in order]
        joined, terms = _sorted(tables, first, others)
        query = select(RUNS.c.train_id).select_from(joined).where(where, has_value)
        # Without the experiment, which the field implies: SQLite would go through all its runs.
        query = query.order_by(*terms)
        present: _Part = (
            lambda offset, limit: list(
                self._connection.execute(query.offset(offset).limit(limit)).scalars()
            ),
            lambda: self._connection.execute(count).scalar_one(),
        )
        own_cell, is_present, _ = source.present()
        is_missing = ~exists().where(own_cell.c.run_id == RUNS.c.run_id, is_present)
        return _chained([present, self._part(and_(where, is_missing), others)], *page)


def _sorted(tables: Any, terms: list[Any], keys: Keys) -> tuple[Any, list[Any]]:
    """Tables and terms to sort by these terms, then by keys, then newest first and by name."""
    ties = [RUNS.c.create_time.desc(), RUNS.c.name_key, RUNS.c.name_rest]
    for source, descending in keys:
        tables, missing, own = source.joined(tables)
        terms = [*terms, *([] if missing is None else [missing])]
        terms += [term.desc() for term in own] if descending else own
        if isinstance(source, Names) and source.root is None:
            return tables, terms  # names are unique
        if isinstance(source, Plain) and source.number is RUNS.c.create_time:
            ties = ties[-2:]
    return tables, [*terms, *ties]


def _chained(parts: Sequence[_Part], offset: int, limit: int) -> list[str]:
    """A page of the rows of all parts, one part after the other."""
    page: list[str] = []
    for rows, count in parts:
        found = rows(offset, limit - len(page))
        page += found
        if len(page) >= limit:
            break
        offset = 0 if found or not offset else max(0, offset - count())
    return page
