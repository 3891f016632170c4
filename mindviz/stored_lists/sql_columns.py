"""Columns of runs in a database: where their values are, and how SQL compares them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    case,
    false,
    literal,
    null,
    or_,
    select,
    true,
)

from mindviz.datavisual.series.value_order import Value, present_value, value_key
from mindviz.datavisual.sql.catalog import split_key
from mindviz.datavisual.sql.tables import RUNS
from mindviz.deadline import check
from mindviz.lineagemgr.run_filter import Comparison, Membership
from mindviz.stored_lists.sql_comparisons import Condition, is_one_of, numeric

Test = Callable[[Value], bool]
STREAMED: dict[str, Any] = {"stream_results": True, "yield_per": 5_000}
"""A million rows must not be in memory at once."""

Sorted = tuple[FromClause, ColumnElement[Any] | None, list[ColumnElement[Any]]]
"""Tables, whether the value is missing (None: never), and terms in the order of the values."""


class NotInSqlError(Exception):
    """SQL cannot express it exactly; columns in memory can."""


class Source(ABC):
    """Where the values of a column are."""

    @abstractmethod
    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        """The key and the value of each run that has one."""

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

    @abstractmethod
    def joined(self, tables: FromClause) -> Sorted:
        """`RUNS` with what is needed to sort runs."""


class IndexedSource(Source):
    """A column whose values are in an index."""

    @property
    def is_indexed(self) -> bool:
        """Whether an index has `present` in its order."""
        return True

    @property
    def key(self) -> object:
        """Identifies the rows of `present`; None if the condition is not only on its table."""
        return None

    @abstractmethod
    def present(self) -> tuple[Any, Condition, list[ColumnElement[Any]]]:
        """A table with a row per run that has a value, the condition on it, and its order."""

    @abstractmethod
    def passing(
        self, connection: Connection, compared: Comparison | Membership
    ) -> tuple[FromClause, Condition] | None:
        """A table with a row per run that passes, and the condition on it.

        None if SQL cannot tell, or if runs without a value pass.
        """

    @abstractmethod
    def pairs(self) -> Select[Any]:
        """The runs with numbers, and these; NULL for NaN."""


@dataclass(frozen=True, eq=False)
class Coded(Source):
    """A column with few values, each with the condition of its runs; the first true one counts."""

    values: Sequence[tuple[Condition, Value]]

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        query = select(RUNS.c.run_id, self.code).where(self.code.is_not(None))
        for run_id, code in connection.execute(query, execution_options=STREAMED):
            yield run_id, self.values[code][1]

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
class States(Coded):
    """The states of runs, which depend on the time."""

    is_recent: Condition
    """Of all runs that may be in a state of `recent`; an index has it."""
    recent: Collection[Value]

    def having(self, state: Value) -> Condition:
        """Which runs are in a state."""
        codes = [code for code, (_, value) in enumerate(self.values) if value == state]
        place = self.code.in_(codes)
        return and_(self.is_recent, place) if state in self.recent else place

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        found = super().meets(connection, test, compared)
        passing = {value for _, value in self.values if test(value)}
        return and_(self.is_recent, found) if passing <= {*self.recent} else found


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

    def pairs(self) -> Select[Any]:
        """The runs and their numbers."""
        return select(RUNS.c.run_id, self.number).where(self.ours)

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:
        yield from connection.execute(self.pairs(), execution_options=STREAMED)

    def meets(
        self, connection: Connection, test: Test, compared: Comparison | Membership
    ) -> Condition:
        found = numeric(self.number, compared)
        return super().meets(connection, test, compared) if found is None else found

    def joined(self, tables: FromClause) -> Sorted:
        return tables, None, [self.number]


@dataclass(frozen=True, eq=False)
class Names(Source):
    """The names of runs. SQL only sorts by them; they are searched in memory."""

    root: str | None
    """The name of the run in the base dir itself, if there is one."""

    def rows(self, connection: Connection) -> Iterator[tuple[int, Value]]:  # noqa: ARG002
        raise NotInSqlError

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
