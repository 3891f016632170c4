"""SQL queries for rows of many series.

The keys of all series are one parameter; answers identify a series by its position. Steps are
selected by rank: their position among the series' steps in the range, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    column,
    func,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import ARRAY

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.sql.tables import BLOB_SEQUENCES

_FIRST_STEP, _LAST_STEP = -(1 << 63), (1 << 63) - 1
"""The range of a database's integers."""


@dataclass(frozen=True, slots=True, eq=False)
class SeriesSet:
    """Keys of series, and a range of steps; both arrays have the shape (n,)."""

    run_id: Int64s
    tag_id: Int64s
    start: int | None = None
    end: int | None = None

    def of_range(self, steps: StepRange) -> SeriesSet:
        """The same series, limited to a range of steps."""
        start, end = steps.start, steps.end
        if (start is not None and start > _LAST_STEP) or (end is not None and end < _FIRST_STEP):
            return SeriesSet(self.run_id, self.tag_id, 1, 0)
        return SeriesSet(
            self.run_id,
            self.tag_id,
            None if start is None or start <= _FIRST_STEP else start,
            None if end is None or end >= _LAST_STEP else end,
        )

    @property
    def is_limited(self) -> bool:
        """Whether the range excludes any step."""
        return self.start is not None or self.end is not None

    def selected(self, numbers: Sequence[int] | Int64s) -> SeriesSet:
        """Only these series, in this order."""
        chosen = np.asarray(numbers, np.int64)
        return SeriesSet(self.run_id[chosen], self.tag_id[chosen], self.start, self.end)

    def holds(self, table: Table) -> ColumnElement[bool]:
        """Whether the step of a row is in the range."""
        bounds = []
        if self.start is not None:
            bounds.append(table.c.step >= self.start)
        if self.end is not None:
            bounds.append(table.c.step <= self.end)
        return and_(True, *bounds)


def _table(connection: Connection, name: str, columns: Sequence[Int64s]) -> FromClause:
    """Arrays as a table `name` with the columns c0, c1 ..."""
    names = [f"c{n}" for n in range(len(columns))]
    if connection.dialect.name == "sqlite":
        text = orjson.dumps(np.stack(columns, axis=1), option=orjson.OPT_SERIALIZE_NUMPY).decode()
        each = func.json_each(bindparam(None, text, type_=Text)).table_valued("value")
        parts = [
            func.json_extract(each.c.value, f"$[{n}]", type_=BigInteger).label(names[n])
            for n in range(len(columns))
        ]
        return select(*parts).subquery(name)
    arrays = [bindparam(None, values.tolist(), type_=ARRAY(BigInteger)) for values in columns]
    valued = func.unnest(*arrays).table_valued(
        *(column(label, BigInteger) for label in names), name=name
    )
    return valued.render_derived()


def series_table(connection: Connection, series: SeriesSet, *more: Int64s) -> FromClause:
    """Series as a table: position, run, tag, and further columns."""
    columns = (np.arange(len(series.run_id)), series.run_id, series.tag_id, *more)
    return _table(connection, "selected", columns)


def _joined(
    connection: Connection, table: Table, series: SeriesSet, *more: Int64s
) -> tuple[FromClause, FromClause]:
    """`series_table`, and its join with a table of values."""
    selected = series_table(connection, series, *more)
    return selected, selected.join(
        table, (table.c.run_id == selected.c.c1) & (table.c.tag_id == selected.c.c2)
    )


def rows(
    connection: Connection, table: Table, series: SeriesSet, names: Iterable[str]
) -> Select[Any]:
    """All rows, unordered: the series' position, then these columns."""
    selected, joined = _joined(connection, table, series)
    return (
        select(selected.c.c0.label("number"), *(table.c[name] for name in names))
        .select_from(joined)
        .where(series.holds(table))
    )


def counts(connection: Connection, table: Table, series: SeriesSet) -> Select[Any]:
    """Per series with steps in the range: its position and the number of steps."""
    inner = rows(connection, table, series, ("step",)).subquery()
    step = inner.c.step.distinct() if table is BLOB_SEQUENCES else inner.c.step
    return select(inner.c.number, func.count(step)).group_by(inner.c.number)


def ranked_rows(
    connection: Connection,
    table: Table,
    series: SeriesSet,
    names: Sequence[str],
    ranks: Sequence[Int64s],
) -> Select[Any]:
    """As `rows`, but only the steps with the ranks `ranks[i]` of series i."""
    # Series of equal length share their list of ranks.
    lists: dict[bytes, int] = {}
    list_of = np.array([lists.setdefault(rank_list.tobytes(), len(lists)) for rank_list in ranks])
    kept = [np.frombuffer(rank_list, np.int64) for rank_list in lists]
    owner = np.repeat(np.arange(len(kept)), [len(rank_list) for rank_list in kept])
    rank_table = _table(connection, "chosen", (owner, np.concatenate(kept)))
    selected, joined = _joined(connection, table, series, list_of)
    # The elements of a blob sequence share their step and rank.
    counted = func.dense_rank() if table is BLOB_SEQUENCES else func.row_number()
    ranked = (
        select(
            selected.c.c0.label("number"),
            selected.c.c3.label("list"),
            (counted.over(partition_by=selected.c.c0, order_by=table.c.step) - 1).label("rank"),
            *(table.c[name] for name in names),
        )
        .select_from(joined)
        .where(series.holds(table))
        .subquery()
    )
    return select(ranked.c.number, *(ranked.c[name] for name in names)).where(
        tuple_(ranked.c.list, ranked.c.rank).in_(select(*rank_table.c))
    )
