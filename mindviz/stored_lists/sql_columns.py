"""Columns of runs in a database: where their values are, and how SQL compares them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Double,
    FromClause,
    Text,
    all_,
    and_,
    any_,
    bindparam,
    case,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY

from mindviz.datavisual.series.value_order import (
    Value,
    natural_key,
    number_of,
    present_value,
    value_key,
)
from mindviz.datavisual.sql.catalog import NUMBER, split_key, value_in
from mindviz.datavisual.sql.tables import KEY_BYTES, RUN_FIELDS, RUN_SCALARS, RUNS
from mindviz.deadline import check
from mindviz.lineagemgr.run_filter import Comparison, Membership

Test = Callable[[Value], bool]
Condition = ColumnElement[bool]
_MOST_SPELLINGS = 50
"""Of a text in lower and upper case."""
STREAMED: dict[str, Any] = {"stream_results": True, "yield_per": 5_000}
"""A million rows must not be in memory at once."""
_EMPTY = natural_key("")
"""The key of an empty text, which counts as missing."""


Sorted = tuple[FromClause, ColumnElement[Any] | None, list[ColumnElement[Any]]]
"""Tables, whether the value is missing (None: never), and terms in the order of the values."""


class NotInSqlError(Exception):
    """SQL cannot express it exactly; columns in memory can."""


def is_one_of(
    connection: Connection, run_ids: Sequence[int], *, negated: bool = False
) -> Condition:
    """Whether a run's key is in a list of any length."""
    if not run_ids:
        return true() if negated else false()
    if connection.dialect.name == "sqlite":
        text = orjson.dumps(list(run_ids)).decode()
        each = func.json_each(bindparam(None, text, type_=Text)).table_valued("value")
        found = RUNS.c.run_id.in_(select(each.c.value))
        return ~found if negated else found
    array = bindparam(None, list(run_ids), type_=ARRAY(BigInteger))
    return RUNS.c.run_id != all_(array) if negated else RUNS.c.run_id == any_(array)


class Source:
    """Where the values of a column are."""

    is_indexed = False
    """Whether an index has `present` in its order."""

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        """The key and the value of each run that has one."""
        raise NotImplementedError

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        """Whether a run's value passes the test of this comparison."""
        del compared
        # A missing value passes if all that is not listed does.
        negated = test(None)
        passes: dict[tuple[type, Value], bool] = {}
        found = []
        for count, (run_id, value) in enumerate(self.rows(connection)):
            if not count % 10_000:
                check()
            key = type(value), value
            if key not in passes:
                if len(passes) > 100_000:
                    passes.clear()
                passes[key] = test(value)
            if passes[key] is not negated:
                found.append(run_id)
        return is_one_of(connection, found, negated=negated)

    def joined(self, tables: FromClause) -> Sorted:
        """`RUNS` with what is needed to sort runs."""
        raise NotImplementedError

    def present(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        """A table with a row per run that has a value, the condition on it, and its order."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Coded(Source):
    """A column with few values, each with the condition of its runs; the first true one counts."""

    values: Sequence[tuple[Condition, Value]]

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        del connection, compared
        if not self.values:
            return true() if test(None) else false()
        codes = [code for code, (_, value) in enumerate(self.values) if test(value)]
        code = self.code
        found = code.in_(codes)
        return or_(found, code.is_(None)) if test(None) else and_(found, code.is_not(None))

    @property
    def code(self) -> ColumnElement[Any]:
        """The place of a run's value; NULL if missing."""
        return self._case(range(len(self.values)))

    def _case(self, results: Sequence[int | None]) -> ColumnElement[Any]:
        pairs = [
            (condition, null() if result is None else literal(result))
            for (condition, _), result in zip(self.values, results, strict=True)
        ]
        return case(*pairs, else_=null()) if pairs else null()

    def joined(self, tables: FromClause) -> Sorted:
        present = [present_value(value) for _, value in self.values]
        keys = sorted({value_key(value) for value in present if value is not None})
        places = [None if value is None else keys.index(value_key(value)) for value in present]
        rank = self._case(places)
        return (tables, rank.is_(None), [rank]) if self.values else (tables, None, [])


@dataclass(frozen=True, eq=False)
class Flag(Coded):
    """A column of flags; few runs have it."""

    run_ids: Sequence[int]


@dataclass(frozen=True, eq=False)
class Plain(Source):
    """A column of numbers in `RUNS`, never missing."""

    number: ColumnElement[Any]
    ours: Condition
    """The experiment."""

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        query = select(RUNS.c.run_id, self.number).where(self.ours)
        yield from connection.execute(query, execution_options=STREAMED)

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        found = _numeric(self.number, compared)
        return super().meets(connection, test, compared) if found is None else found

    def joined(self, tables: FromClause) -> Sorted:
        return tables, None, [self.number]


@dataclass(frozen=True, eq=False)
class Names(Source):
    """The names of runs; the run in the base dir itself has the name `root`."""

    root: str | None
    ours: Condition
    """The experiment."""

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        query = select(RUNS.c.run_id, RUNS.c.train_id).where(self.ours)
        for run_id, train_id in connection.execute(query, execution_options=STREAMED):
            yield run_id, train_id.removeprefix("./") or self.root

    def joined(self, tables: FromClause) -> Sorted:
        if self.root is None:
            return tables, None, [RUNS.c.name_key, RUNS.c.name_rest]
        is_root = RUNS.c.train_id == "./"
        columns = (RUNS.c.name_key, RUNS.c.name_rest)
        terms: list[ColumnElement[Any]] = [
            case((is_root, literal(part)), else_=column)
            for part, column in zip(split_key(self.root), columns, strict=True)
        ]
        return tables, None, terms


@dataclass(frozen=True, eq=False)
class Facts(Source):
    """A field of `RUN_FIELDS`, with values of these kinds."""

    field_id: int
    kinds: frozenset[int]

    def listed(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        cell = RUN_FIELDS.c
        present = or_(cell.number.is_not(None), cell.key > _EMPTY)
        terms = [cell.kind, cell.number, cell.key, cell.rest]
        return RUN_FIELDS, (cell.field_id == self.field_id) & present, list(terms)

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
        return or_(has, ~exists().where(ours)) if _is_equal_to_missing(compared) else has

    def _found(self, connection: Connection, compared: Comparison | Membership) -> Condition | None:
        """Which rows pass; None if SQL cannot tell."""
        numbers = _numeric(RUN_FIELDS.c.number, compared)
        if numbers is None:
            return None
        numbers &= RUN_FIELDS.c.kind == NUMBER
        if isinstance(compared, Comparison) and compared.operator != "=":
            return numbers
        if self.kinds == {NUMBER}:
            return numbers
        texts = [self._equal(connection, value) for value in _values(compared)]
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
    def is_indexed(self) -> bool:  # type: ignore[override]
        return len(self.kinds) == 1

    def present(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        cell = RUN_FIELDS.alias()
        (kind,) = self.kinds
        ours = (cell.c.field_id == self.field_id) & (cell.c.kind == kind)
        if kind == NUMBER:
            return cell, ours & cell.c.number.is_not(None), [cell.c.number]
        # The number is NULL; it is a column of the index.
        return cell, ours & (cell.c.key > _EMPTY), [cell.c.number, cell.c.key, cell.c.rest]


@dataclass(frozen=True, eq=False)
class Scalars(Source):
    """A statistic of `RUN_SCALARS`."""

    field_id: int
    column: str
    """`last`, `min` or `max`; `metric` for sessions."""
    of_shapes: Condition | None = None
    """Which runs have it, if not all with the series."""

    def listed(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        """As `present`, with the columns of values of any kind."""
        cell = RUN_SCALARS.c
        number = cell[self.column]
        joined = RUN_SCALARS.join(RUNS, RUNS.c.run_id == cell.run_id)
        return joined, self._of_shapes(self._ours(cell) & number.is_not(None)), [number]

    def _ours(self, cell: Any) -> Condition:
        return cell.field_id == self.field_id  # type: ignore[no-any-return]

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        cell = RUN_SCALARS.c
        query = select(cell.run_id, cell[self.column]).where(self._ours(cell))
        if self.of_shapes is not None:
            query = query.join(RUNS, RUNS.c.run_id == cell.run_id).where(self.of_shapes)
        for run_id, number in connection.execute(query, execution_options=STREAMED):
            yield run_id, math.nan if number is None else number

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        cell = RUN_SCALARS.c
        found = _numeric(cell[self.column], compared)
        if found is None:
            return super().meets(connection, test, compared)
        ours = (cell.run_id == RUNS.c.run_id) & self._ours(cell)
        has = self._of_shapes(exists().where(ours, found))
        if _is_equal_to_missing(compared):
            return or_(has, ~self._of_shapes(exists().where(ours)))
        return has

    def _of_shapes(self, condition: Condition) -> Condition:
        return condition if self.of_shapes is None else and_(condition, self.of_shapes)

    def joined(self, tables: FromClause) -> Sorted:
        cell = RUN_SCALARS.alias()
        is_cell = self._of_shapes((cell.c.run_id == RUNS.c.run_id) & self._ours(cell.c))
        number = cell.c[self.column]
        return tables.outerjoin(cell, is_cell), number.is_(None), [number]

    is_indexed = True

    def present(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        cell = RUN_SCALARS.alias()
        number = cell.c[self.column]
        return cell, self._of_shapes(self._ours(cell.c) & number.is_not(None)), [number]


def _values(compared: Comparison | Membership) -> Sequence[str]:
    return compared.values if isinstance(compared, Membership) else (compared.value,)


def _is_equal_to_missing(compared: Comparison | Membership) -> bool:
    is_equality = isinstance(compared, Membership) or compared.operator == "="
    return is_equality and any(value.lower() == "none" for value in _values(compared))


def _numeric(number: ColumnElement[Any], compared: Comparison | Membership) -> Condition | None:
    """Which numbers pass; None if it is no comparison of numbers."""
    if isinstance(compared, Membership) or compared.operator == "=":
        wanted = [number_of(value) for value in _values(compared)]
        numbers = [value for value in wanted if not math.isnan(value)]
        return number.in_(numbers) if numbers else false()
    bound = compared.bound
    if bound is None:
        return None
    limit = literal(bound, Double)
    if math.isinf(bound):
        # The difference of equal infinities is not a number.
        return number < limit if "<" in compared.operator else number > limit
    comparisons = {
        "<": number < limit,
        "<=": number <= limit,
        ">": number > limit,
        ">=": number >= limit,
    }
    return comparisons[compared.operator]
