"""Columns of runs in the catalog's tables of logged facts and scalar series."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    case,
    exists,
    false,
    or_,
    select,
)

from mindviz.datavisual.series.value_order import Value, natural_key
from mindviz.datavisual.sql.catalog import NUMBER, value_in
from mindviz.datavisual.sql.tables import (
    KEY_BYTES,
    RUN_FIELDS,
    RUN_SCALARS,
    RUNS,
)
from mindviz.lineagemgr.run_filter import Comparison, Membership
from mindviz.stored_lists.sql_columns import STREAMED, IndexedSource, Sorted, Test
from mindviz.stored_lists.sql_comparisons import (
    Condition,
    is_equal_to_missing,
    numeric,
    values_of,
)

_MOST_SPELLINGS = 50
"""Of a text in lower and upper case."""
_EMPTY = natural_key("")
"""The key of an empty text, which counts as missing."""


@dataclass(frozen=True, eq=False)
class Facts(IndexedSource):
    """A field of `RUN_FIELDS`, with values of these kinds."""

    field_id: int
    kinds: frozenset[int]

    def listed(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        cell = RUN_FIELDS.c
        present = or_(cell.number.is_not(None), cell.key > _EMPTY)
        # Rests of texts are not in an index.
        texts = [] if self.kinds == {NUMBER} else [cell.key, cell.rest]
        terms = [cell.kind, cell.number, *texts]
        return RUN_FIELDS, (cell.field_id == self.field_id) & present, list(terms)

    def pairs(self) -> Select[Any]:
        """The runs with numbers, and these; NULL for NaN."""
        table = RUN_FIELDS.c
        ours = (table.field_id == self.field_id) & (table.kind == NUMBER)
        return select(table.run_id, table.number).where(ours)

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        table = RUN_FIELDS.c
        query = select(table.run_id, table.kind, table.number, table.key, table.rest)
        ours = query.where(table.field_id == self.field_id)
        for run_id, *cell in connection.execute(ours, execution_options=STREAMED):
            yield run_id, value_in(*cell)

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        found = self._found(connection, compared)
        if found is None:
            return super().meets(connection, test, compared)
        table = RUN_FIELDS.c
        ours = (table.run_id == RUNS.c.run_id) & (table.field_id == self.field_id)
        has = exists().where(ours, found)
        return or_(has, ~exists().where(ours)) if is_equal_to_missing(compared) else has

    def passing(
        self, connection: Connection, compared: Comparison | Membership
    ) -> tuple[FromClause, Condition] | None:
        found = None if is_equal_to_missing(compared) else self._found(connection, compared)
        if found is None:
            return None
        return RUN_FIELDS, and_(RUN_FIELDS.c.field_id == self.field_id, found)

    def _found(self, connection: Connection, compared: Comparison | Membership) -> Condition | None:
        """Which rows pass; None if SQL cannot tell."""
        numbers = numeric(RUN_FIELDS.c.number, compared)
        if numbers is None:
            return None
        numbers &= RUN_FIELDS.c.kind == NUMBER
        if isinstance(compared, Comparison) and compared.operator != "=":
            return numbers
        if self.kinds == {NUMBER}:
            return numbers
        texts = [self._equal(connection, value) for value in values_of(compared)]
        known = [text for text in texts if text is not None]
        return or_(numbers, *known) if len(known) == len(texts) else None

    def _equal(self, connection: Connection, wanted: str) -> Condition | None:
        """Which rows have the text in any case."""
        table, lower = RUN_FIELDS.c, wanted.lower()
        weights = natural_key(wanted).partition(b"\0")[0]
        if not wanted.isascii() or len(weights) >= KEY_BYTES:
            return None
        equal: list[Condition] = []
        # Texts that differ only by case have equal weights.
        for cell in self._cells_from(connection, weights + b"\0", weights + b"\1"):
            value = value_in(*cell)
            text = value if isinstance(value, str) else "true" if value else "false"
            if len(equal) > _MOST_SPELLINGS or len(cell[2]) >= KEY_BYTES:
                return None
            if text.lower() == lower:
                equal.append((table.kind == cell[0]) & (table.key == cell[2]))
        return or_(false(), *equal)

    def _cells_from(self, connection: Connection, start: bytes, end: bytes) -> Iterator[Any]:
        """The distinct texts in a range; SELECT DISTINCT would read the rows of all runs."""
        table = RUN_FIELDS.c
        terms = (table.kind, table.number, table.key, table.rest)
        for kind in self.kinds - {NUMBER}:
            texts = select(*terms).where(
                table.field_id == self.field_id, table.kind == kind, table.number.is_(None)
            )
            query = texts.order_by(table.number, table.key).limit(1)
            after = table.key >= start
            while cell := connection.execute(query.where(after, table.key < end)).first():
                yield cell
                after = table.key > cell[2]

    def joined(self, tables: FromClause) -> Sorted:
        cell = RUN_FIELDS.alias()
        is_cell = (cell.c.run_id == RUNS.c.run_id) & (cell.c.field_id == self.field_id)
        has_text = cell.c.key > _EMPTY
        terms = [
            case((has_text, 1), else_=0),
            cell.c.number,
            *(case((has_text, column)) for column in (cell.c.key, cell.c.rest)),
        ]
        present = or_(cell.c.number.is_not(None), has_text)
        return tables.outerjoin(cell, is_cell), case((present, 0), else_=1), terms

    @property
    def is_indexed(self) -> bool:
        return len(self.kinds) == 1

    @property
    def key(self) -> object:
        return "fact", self.field_id

    def present(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        cell = RUN_FIELDS.alias()
        (kind,) = self.kinds
        ours = (cell.c.field_id == self.field_id) & (cell.c.kind == kind)
        if kind == NUMBER:
            return cell, ours & cell.c.number.is_not(None), [cell.c.number]
        # The number is NULL; it is a column of the index.
        return cell, ours & (cell.c.key > _EMPTY), [cell.c.number, cell.c.key, cell.c.rest]


@dataclass(frozen=True, eq=False)
class Scalars(IndexedSource):
    """A statistic of `RUN_SCALARS`."""

    field_id: int
    column: str
    """`last`, `min` or `max`; `metric` for sessions."""
    of_shapes: Condition | None = None
    """Which runs have it, if not all with the series."""

    @property
    def key(self) -> object:
        return (self.column, self.field_id) if self.of_shapes is None else None

    def listed(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        """As `present`, with the columns of values of any kind."""
        cell = RUN_SCALARS.c
        number = cell[self.column]
        joined = RUN_SCALARS.join(RUNS, RUNS.c.run_id == cell.run_id)
        return joined, self._of_shapes(self._ours(cell) & number.is_not(None)), [number]

    def _ours(self, cell: Any) -> Condition:
        return cell.field_id == self.field_id  # type: ignore[no-any-return]

    def pairs(self) -> Select[Any]:
        """The runs with the series, and their numbers; NULL for NaN."""
        cell = RUN_SCALARS.c
        query = select(cell.run_id, cell[self.column]).where(self._ours(cell))
        if self.of_shapes is None:
            return query
        return query.join(RUNS, RUNS.c.run_id == cell.run_id).where(self.of_shapes)

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        for run_id, number in connection.execute(self.pairs(), execution_options=STREAMED):
            yield run_id, math.nan if number is None else number

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        cell = RUN_SCALARS.c
        found = numeric(cell[self.column], compared)
        if found is None:
            return super().meets(connection, test, compared)
        ours = (cell.run_id == RUNS.c.run_id) & self._ours(cell)
        has = self._of_shapes(exists().where(ours, found))
        if is_equal_to_missing(compared):
            return or_(has, ~self._of_shapes(exists().where(ours)))
        return has

    def passing(
        self, connection: Connection, compared: Comparison | Membership
    ) -> tuple[FromClause, Condition] | None:
        del connection
        cell = RUN_SCALARS.c
        found = numeric(cell[self.column], compared)
        if found is None or self.of_shapes is not None or is_equal_to_missing(compared):
            return None
        return RUN_SCALARS, and_(self._ours(cell), found)

    def _of_shapes(self, condition: Condition) -> Condition:
        return condition if self.of_shapes is None else and_(condition, self.of_shapes)

    def joined(self, tables: FromClause) -> Sorted:
        cell = RUN_SCALARS.alias()
        is_cell = self._of_shapes((cell.c.run_id == RUNS.c.run_id) & self._ours(cell.c))
        number = cell.c[self.column]
        return tables.outerjoin(cell, is_cell), number.is_(None), [number]

    def present(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        cell = RUN_SCALARS.alias()
        number = cell.c[self.column]
        return cell, self._of_shapes(self._ours(cell.c) & number.is_not(None)), [number]
