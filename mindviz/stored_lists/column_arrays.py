"""Columns of runs in a database, read as arrays: no object per run."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, Connection, Select, bindparam, case, func, select
from sqlalchemy.dialects.postgresql import ARRAY

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.value_order import Value, is_number
from mindviz.datavisual.sql.catalog import NUMBER as NUMBER_KIND
from mindviz.datavisual.sql.catalog import value_in
from mindviz.datavisual.sql.column_transfer import (
    fetched,
    joined_keys,
    key_array,
    read_pairs,
    read_texts,
)
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.tables import KEY_BYTES, RUN_FIELDS, RUNS, SCALAR_SUMMARIES, TAGS
from mindviz.deadline import check
from mindviz.lineagemgr.run_column import MISSING, NUMBER, ArrayColumn
from mindviz.lineagemgr.run_table import ENDS
from mindviz.lineagemgr.text_lines import TextLines
from mindviz.stored_lists.sql_columns import Coded, IndexedSource, Plain, Source
from mindviz.stored_lists.sql_comparisons import Condition
from mindviz.stored_lists.sql_values import Facts

MOST_SELECTED = 20_000
"""Runs that a statement selects by their keys; with more, it reads all."""


class RunKeys:
    """The keys of some runs, in the order of rows."""

    def __init__(self, run_ids: Int64s) -> None:
        self.run_ids = run_ids

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.run_ids)

    def places(self, run_ids: Int64s) -> tuple[Int64s, NDArray[np.bool_]]:
        """The rows of those runs that are among these, and which ones are."""
        if len(self) <= MOST_SELECTED:
            keys = np.append(self.run_ids, -1)  # the last one is no run's
            order = np.argsort(keys)
            places = np.searchsorted(keys, run_ids, sorter=order)
            rows = order[np.minimum(places, len(self))]
            is_known = keys[rows] == run_ids
            return rows[is_known], is_known
        # Others have the last row, which is no run's.
        found = self._by_key[np.clip(run_ids, -1, len(self._by_key) - 1)]
        is_known = found >= 0
        return found[is_known].astype(np.int64), is_known

    @cached_property
    def _by_key(self) -> NDArray[np.int32]:
        """The row of each key, -1 for none: 4 bytes for each run of the database."""
        rows = np.full(int(self.run_ids.max(initial=0)) + 2, -1, np.int32)
        rows[self.run_ids] = np.arange(len(self.run_ids))
        return rows

    def joined(self, others: Int64s) -> RunKeys:
        """These and other keys, which follow them."""
        return RunKeys(np.append(self.run_ids, others)) if len(others) else self

    def restricted(self, connection: Connection, query: Select[Any]) -> Select[Any]:
        """The query for these runs, if they are few; its first column is the key."""
        run_id = query.selected_columns[0]
        if len(self) > MOST_SELECTED:
            return query
        keys = self.run_ids.tolist()
        if connection.dialect.name == "sqlite":
            each = func.json_each(bindparam(None, str(keys))).table_valued("value")
            return query.where(run_id.in_(select(each.c.value)))
        array = bindparam(None, keys, type_=ARRAY(BigInteger))
        return query.where(run_id == func.any(array))


def read_column(connection: Connection, source: Source, runs: RunKeys) -> ArrayColumn:
    """A column of these runs."""
    check()
    if isinstance(source, Coded):
        return _codes(connection, source, runs)
    if not isinstance(source, IndexedSource | Plain):
        return column_of(source.rows(connection), runs)
    column = numbers_of(connection, source.pairs(), runs)
    if isinstance(source, Facts) and source.kinds != {NUMBER_KIND}:
        return _facts(connection, source, runs, column)
    return column


def statistics(ours: Condition, tag: str, column: str) -> Select[Any]:
    """The runs of an experiment with a scalar series, and a column of `SCALAR_SUMMARIES`."""
    summary = SCALAR_SUMMARIES.c
    is_same = (TAGS.c.run_id == summary.run_id) & (TAGS.c.tag_id == summary.tag_id)
    query = select(summary.run_id, summary[column]).join(TAGS, is_same)
    query = query.join(RUNS, RUNS.c.run_id == summary.run_id)
    # Of several generic series with one tag, the first one logged counts: it is written last.
    return query.where(ours, TAGS.c.tag == storable(tag)).order_by(TAGS.c.tag_id.desc())


def column_of(values: Iterable[tuple[int, Value]], runs: RunKeys) -> ArrayColumn:
    """The column of values by the keys of their runs."""
    places: dict[tuple[type, Value], int] = {}
    keys, codes = [], []
    for run_id, value in values:
        keys.append(run_id)
        # The key tells 1 from True.
        codes.append(places.setdefault((type(value), value), len(places)))
    column = np.full(len(runs), MISSING, np.int32)
    rows, is_known = runs.places(np.array(keys, np.int64))
    column[rows] = np.array(codes, np.int32)[is_known]
    return ArrayColumn.coded(column, [value for _, value in places])


def numbers_of(connection: Connection, pairs: Select[Any], runs: RunKeys) -> ArrayColumn:
    """The column of the numbers that a statement selects by the keys of their runs."""
    keys, found = read_pairs(connection, runs.restricted(connection, pairs))
    rows, is_known = runs.places(keys)
    places = np.full(len(runs), MISSING, np.int8)
    numbers = np.full(len(runs), np.nan)
    places[rows] = NUMBER
    numbers[rows] = found[is_known]
    return ArrayColumn(places, (), numbers)


def read_lines(connection: Connection, query: Select[Any], runs: RunKeys) -> TextLines:
    """The texts of these runs that a query reads after their keys; others are empty."""
    check()
    keys, lines = read_texts(connection, runs.restricted(connection, query))
    places = np.full(len(runs), -1, np.int64)
    rows, is_known = runs.places(keys)
    places[rows] = np.flatnonzero(is_known)
    return TextLines(*lines).taken(places)


def read_shapes(ours: Condition, connection: Connection, runs: RunKeys) -> NDArray[np.int32]:
    """The shapes of runs, -1 for none; `ours`: the experiment."""
    query = select(RUNS.c.run_id, RUNS.c.shape_id).where(ours, RUNS.c.shape_id.is_not(None))
    keys, found = read_pairs(connection, runs.restricted(connection, query))
    shapes = np.full(len(runs), -1, np.int32)
    rows, is_known = runs.places(keys)
    shapes[rows] = found[is_known]
    return shapes


def read_ends(ours: Condition, connection: Connection, runs: RunKeys) -> NDArray[np.int8]:
    """The states of runs whose logs tell them, else -1; `ours`: the experiment."""
    status = RUNS.c.session_status
    state = case(*((status == end, state) for end, state in ENDS.items()))
    # In one statement: to find them, the rows of all runs are read.
    query = select(RUNS.c.run_id, state).where(ours, status.in_(list(ENDS)))
    keys, found = read_pairs(connection, runs.restricted(connection, query))
    ended = np.full(len(runs), -1, np.int8)
    rows, is_known = runs.places(keys)
    ended[rows] = found[is_known]
    return ended


def _codes(connection: Connection, source: Coded, runs: RunKeys) -> ArrayColumn:
    codes = np.full(len(runs), MISSING, np.int32)
    if source.values:
        query = select(RUNS.c.run_id, source.code).where(source.code.is_not(None))
        keys, found = read_pairs(connection, runs.restricted(connection, query))
        rows, is_known = runs.places(keys)
        codes[rows] = found[is_known]
    return ArrayColumn.coded(codes, [value for _, value in source.values])


def _facts(
    connection: Connection, source: Facts, runs: RunKeys, numbers: ArrayColumn
) -> ArrayColumn:
    """The column of numbers with texts and flags."""
    table = RUN_FIELDS.c
    terms = (table.kind, table.key, table.rest)
    query = runs.restricted(
        connection,
        select(table.run_id, *terms).where(
            table.field_id == source.field_id, table.kind != NUMBER_KIND
        ),
    )
    others: dict[tuple[Any, ...], int] = {}
    places = numbers.places.astype(np.int32)
    if connection.dialect.name == "sqlite":
        keys, codes = [], []
        for run_id, *cell in fetched(connection, query):
            keys.append(run_id)
            codes.append(others.setdefault(tuple(cell), len(others)))
        rows, is_known = runs.places(np.array(keys, np.int64))
        places[rows] = np.array(codes, np.int32)[is_known]
    else:
        of_value = joined_keys(table.run_id)
        # In the order of an index, which lacks the rest of long texts.
        ordered = (table.kind, table.number, table.key)
        groups = query.with_only_columns(of_value, table.kind, table.key).group_by(*ordered)
        found = [(*row, None) for row in fetched(connection, groups)]
        if any(len(key) >= KEY_BYTES for _, _, key, _ in found):
            found = list(
                fetched(connection, query.with_only_columns(of_value, *terms).group_by(*terms))
            )
        for data, *cell in found:
            places[runs.places(key_array(data))[0]] = others.setdefault(tuple(cell), len(others))
    values = [value_in(kind, None, key, rest) for kind, key, rest in others]
    assert not any(map(is_number, values))
    has_numbers = NUMBER_KIND in source.kinds
    return ArrayColumn(places, values, numbers.numbers if has_numbers else None)
