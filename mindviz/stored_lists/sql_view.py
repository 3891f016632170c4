"""Conditions, columns and pages of the runs of an experiment, in SQL."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray
from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    LargeBinary,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    collate,
    func,
    literal,
    not_,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql import visitors

from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.sql.catalog import (
    DATASET_FIELD,
    digest_of,
    field_bytes,
    find_ids,
)
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.tables import FIELDS, RUN_FIELDS, RUNS
from mindviz.deadline import begin_long_work
from mindviz.lineagemgr.annotation import NO_ANNOTATION
from mindviz.lineagemgr.run_filter import (
    Comparison,
    Condition,
    Joined,
    Membership,
    NameMatch,
    Negated,
    fields_of,
)
from mindviz.lineagemgr.run_lists import Notes
from mindviz.lineagemgr.run_query import RunQuery
from mindviz.lineagemgr.run_table import (
    COLUMN_FIELDS,
    ENDS,
    EVENT_FIELDS,
    FLAG_FIELDS,
    NOTE_FIELDS,
    OVER_AFTER,
    PREFIXES,
    RUNNING_WITHIN,
    STATES,
    is_scalar_column,
)
from mindviz.stored_lists.sql_catalog import Catalog
from mindviz.stored_lists.sql_columns import (
    STREAMED,
    Coded,
    Flag,
    IndexedSource,
    Names,
    NotInSqlError,
    Plain,
    Source,
    States,
    Test,
)
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_comparisons import is_one_of
from mindviz.stored_lists.sql_values import Facts, Scalars

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_/-]+")
"""A regular expression that only matches itself."""
_NO_OPTIONS: Mapping[str, Any] = {}
_MOST_NAMED = 20_000
"""Runs with a part of a name that SQL gets as a list."""
_MOST_CODED = 1_000
"""Distinct values of a column that SQL gets as a list."""
_PLAIN = {
    "updated": "update_time",
    "created": "create_time",
    "points": "points",
    "tags": "series",
    "size": "bytes",
    "problems": "problems",
}


class Totals(NamedTuple):
    """Counts of runs with one combination of formats and one status of the session."""

    formats: str
    session_status: str | None
    runs: int
    with_lineage: int
    display_names: int
    files: int


Kept = Callable[[Hashable, Callable[[], Any]], Any]
"""What a function reads, kept by its key until the experiment changes."""


class SqlView:
    """The runs of an experiment in a transaction, with notes."""

    def __init__(
        self,
        connection: Connection,
        catalog: Catalog,
        notes: Notes,
        now: float,
        root: str | None,
        *,
        kept: Kept = lambda _, read: read(),
    ) -> None:
        self.connection = connection
        self.kept = kept
        self.catalog = catalog
        self.names = catalog.names
        self._notes = notes
        self._now = now
        self._root = root
        self.ours = RUNS.c.experiment_id == catalog.number
        self._sources: dict[str, Source] = {}
        self._met: dict[Condition, Sql] = {}

    # Conditions ---------------------------------------------------------------------------------

    def where(self, query: RunQuery, condition: Condition | None) -> Sql:
        """Which runs of the experiment a query finds, in any group."""
        parts: list[Sql] = [true()]
        if query.train_ids is not None:
            parts.append(self._is_run(query.train_ids))
        shows_archived = (
            query.archived
            or query.train_ids is not None
            or (condition is not None and "hidden" in fields_of(condition))
        )
        if not shows_archived:
            hidden = self.flagged("hidden")
            parts += [is_one_of(self.connection, hidden, negated=True)] if hidden else []
        if condition is not None:
            parts.append(self._meets(condition))
        if query.plugins:
            parts.append(self.has_plugin(query.plugins))
        found = and_(*parts)
        if query.also:
            found = or_(found, self._is_run(query.also))
        return found

    def counted(self, query: RunQuery, condition: Condition | None) -> Select[Any]:
        """The number of the runs that `where` finds.

        Counts the values of one comparison if it can: they are in an index, and rows of runs are
        long.
        """
        every = select(func.count()).select_from(RUNS)
        whole = every.where(self.ours, self.where(query, condition))
        parts: Sequence[Condition | None] = (condition,)
        if isinstance(condition, Joined) and condition.joint == "and":
            parts = condition.parts
        for place, part in enumerate(parts if not query.also else ()):
            passing = self._passing(part)
            if passing is None:
                continue
            rest = tuple(other for other in (*parts[:place], *parts[place + 1 :]) if other)
            where = self.where(query, Joined("and", rest) if rest else None)
            columns = {column for column in visitors.iterate(where) if column in set(RUNS.c)}
            if columns <= {RUNS.c.run_id}:
                return _counted(*passing, where)
        return whole

    def _passing(self, condition: Condition | None) -> tuple[FromClause, Sql] | None:
        if not isinstance(condition, Comparison | Membership):
            return None
        source = self.source(condition.field)
        if not isinstance(source, IndexedSource):
            return None
        return source.passing(self.connection, condition)

    def has_plugin(self, plugins: Sequence[str]) -> Sql:
        """Whether a run has data of one of these plugins."""
        shapes = {shape: None for name in plugins for shape in self.catalog.plugins.get(name, ())}
        return RUNS.c.shape_id.in_(list(shapes))

    def _is_run(self, train_ids: Sequence[str]) -> Sql:
        return is_one_of(self.connection, list(self.run_ids(train_ids).values()))

    def run_ids(self, train_ids: Collection[str]) -> dict[str, int]:
        """train_id -> key, of the runs that exist."""
        wanted = list(train_ids)
        found: dict[str, int] = {}
        for start in range(0, len(wanted), 500):
            part = {storable(train_id) for train_id in wanted[start : start + 500]}
            query = select(RUNS.c.train_id, RUNS.c.run_id).where(
                self.ours, RUNS.c.train_id.in_(part)
            )
            found |= {row[0]: row[1] for row in self.connection.execute(query)}
        return found

    @cached_property
    def _noted(self) -> Mapping[str, int]:
        return self.run_ids(self._notes) if self._notes else {}

    def flagged(self, flag: str) -> list[int]:
        """The keys of runs that are `pinned` or `hidden`."""
        noted = self._noted
        return [
            noted[train_id]
            for train_id, note in self._notes.items()
            if getattr(note, flag) and train_id in noted
        ]

    def _meets(self, condition: Condition) -> Sql:
        found = self._met.get(condition)
        if found is None:
            found = self._met[condition] = self._compared(condition)
        return found

    def _compared(self, condition: Condition) -> Sql:
        match condition:
            case Joined(joint=joint, parts=parts):
                each = [self._meets(part) for part in parts]
                return and_(*each) if joint == "and" else or_(*each)
            case Negated(part=part):
                return not_(self._meets(part))
            case NameMatch():
                return self._named(condition)
            case Comparison(field=name, operator="!=", value=value):
                return not_(self._meets(Comparison(name, "=", value)))
            case Comparison(field=name, operator="!~", value=value):
                return not_(self._meets(Comparison(name, "~", value)))
            case Comparison(field=name) | Membership(field=name):
                test: Test = condition.test()
                return self.source(name).meets(self.connection, test, condition)

    def _named(self, condition: NameMatch) -> Sql:
        test = condition.test()
        is_plain = condition.literal or _PLAIN_WORD.fullmatch(condition.text) is not None
        if not (is_plain and condition.text.isascii()):
            named = self.kept(("named", condition), lambda: self._named_in_python(test))
            return true() if named is None else is_one_of(self.connection, named.tolist())
        # SQL and Python agree about case in ASCII.
        lower = condition.text.lower()
        name = func.substr(RUNS.c.train_id, len("./") + 1)
        if not self.kept("has_other_names", self._has_other_names):
            matches = self._contains(name, lower)
            found = self.kept(("named", lower), lambda: self._few_named(matches))
            return matches if found is None else is_one_of(self.connection, found.tolist())
        parts = (name, RUNS.c.display_name)
        is_ascii = and_(*(self._is_ascii(part) for part in parts))
        is_match = or_(*(self._contains(part, lower) for part in parts))
        is_other = or_(not_(is_ascii), RUNS.c.train_id == "./")
        others = is_one_of(self.connection, self.runs_named(test, is_other))
        return or_(and_(not_(is_other), is_match), others)

    def _named_in_python(self, test: Callable[[str], bool]) -> NDArray[np.int32] | None:
        """The keys of the runs with a name that passes; None if all pass."""
        if self.kept("has_other_names", self._has_other_names):
            return np.array(self.runs_named(test, true()), np.int32)
        if test(""):  # the label of every run
            return None
        begin_long_work()
        names = select(RUNS.c.train_id).where(self.ours)
        found = [
            train_id
            for part in self.connection.execute(names, execution_options=STREAMED).partitions()
            for (train_id,) in part
            if test(train_id[2:])
        ]
        return np.array(self._keys_of(found), np.int32)

    def _has_other_names(self) -> bool:
        """Whether a run has a label, or a name that is not ASCII or not in the database."""
        if self.catalog.has_root or any(counted.display_names for counted in self.totals):
            return True
        names = select(RUNS.c.train_id).where(self.ours, not_(self._is_ascii(RUNS.c.train_id)))
        return self.connection.execute(names.limit(1)).first() is not None

    def _few_named(self, matches: Sql) -> NDArray[np.int32] | None:
        """The keys of the runs whose names match; None if they are many.

        An index has the names; many runs are found soon in any order.
        """
        names = select(RUNS.c.train_id).where(self.ours, matches).limit(_MOST_NAMED + 1)
        found = self.connection.execute(names).scalars().all()
        return None if len(found) > _MOST_NAMED else np.array(self._keys_of(found), np.int32)

    def _keys_of(self, train_ids: Sequence[str]) -> list[int]:
        query = select(RUNS.c.run_id).where(self.ours)
        if self.connection.dialect.name == "sqlite":
            each = func.json_each(bindparam(None, orjson.dumps(train_ids).decode()))
            query = query.where(RUNS.c.train_id.in_(select(each.table_valued("value").c.value)))
        else:
            names = bindparam(None, list(train_ids), type_=ARRAY(Text))
            query = query.where(RUNS.c.train_id == func.any(names))
        return list(self.connection.execute(query).scalars())

    def runs_named(self, test: Callable[[str], bool], where: Sql) -> list[int]:
        """The keys of the runs with a name or a label that passes the test."""
        query = select(RUNS.c.run_id, RUNS.c.train_id, RUNS.c.display_name).where(self.ours, where)
        found = []
        for run_id, train_id, shown in self.connection.execute(query, execution_options=STREAMED):
            name = train_id.removeprefix("./") or self._root or ""
            if test(name) or test(shown):
                found.append(run_id)
        return found

    def _is_ascii(self, text: ColumnElement[Any]) -> Sql:
        if self.connection.dialect.name == "sqlite":
            return func.length(text) == func.length(cast(text, LargeBinary))
        return func.length(text) == func.octet_length(text)

    def _contains(self, text: ColumnElement[Any], lower: str) -> Sql:
        if self.connection.dialect.name == "sqlite":
            return func.instr(func.lower(text), lower) > 0
        return func.strpos(func.lower(text.collate("C")), lower) > 0

    # Columns ------------------------------------------------------------------------------------

    def source(self, word: str) -> Source:
        """The column of a field by any of its names. Raises NotInSqlError."""
        source = self._sources.get(word)
        if source is None:
            name = self.names.resolve(word)
            source = self._sources[word] = self._of(name)
            other = self.names.alternative(word)
            is_own = name == "state" or name in (*FLAG_FIELDS, *NOTE_FIELDS)
            if not is_own and other is not None and self.names.resolve(other) != name:
                raise NotInSqlError
        return source

    def _of(self, name: str) -> Source:
        if name == "state":
            return self.states()
        if name in FLAG_FIELDS:
            return self._flag(name)
        if name in NOTE_FIELDS:
            return self._notes_in(NOTE_FIELDS[name])
        sources = self.sources_by_name(name)
        if len(sources) > 1 or name in EVENT_FIELDS:
            raise NotInSqlError
        return sources[0] if sources else Coded(())

    def sources_by_name(self, name: str) -> Sequence[Source]:
        """Where the values of a column that does not depend on notes or the time are.

        No run has more than one of them. Raises NotInSqlError.
        """
        if name == "name":
            return [Names(self._root, self.ours)]
        if name == "formats":
            return [self._formats()]
        if name == DATASET_FIELD:
            return [self._datasets()]
        if name in _PLAIN:
            return [Plain(RUNS.c[_PLAIN[name]], self.ours)]
        return self.sources_of(name)

    def _flag(self, name: str) -> Flag:
        run_ids = self.flagged(name)
        is_flagged = is_one_of(self.connection, run_ids)
        return Flag([(is_flagged, True), (true(), False)], run_ids)

    def sources_of(self, name: str) -> list[Source]:
        """Where a fact or a statistic of a scalar is; no run has more than one of them."""
        if name.startswith("scalar/"):
            return self._scalars(name) if is_scalar_column(name) else []
        if name in COLUMN_FIELDS or name.startswith(PREFIXES):
            return self._facts(name)
        return []

    @property
    def totals(self) -> Sequence[Totals]:
        """Counts of all runs, which take reading their rows."""
        keys = RUNS.c.formats, RUNS.c.session_status
        counted = (
            case((RUNS.c.lineage_files > 0, 1), else_=0),
            case((RUNS.c.display_name != "", 1), else_=0),
            RUNS.c.files,
        )
        sums = (func.coalesce(func.sum(column), 0) for column in counted)
        query = select(*keys, func.count(), *sums).where(self.ours).group_by(*keys)

        def read() -> list[Totals]:
            rows = self.connection.execute(query)
            return [Totals(formats or "", *row) for formats, *row in map(tuple, rows)]

        totals: list[Totals] = self.kept("totals", read)
        return totals

    def state_counts(self) -> Counter[Value]:
        """The number of runs in each state."""
        counts: Counter[Value] = Counter(dict.fromkeys(STATES, 0))
        for counted in self.totals:
            end = ENDS.get(counted.session_status or "", STATES.index("finished"))
            counts[STATES[end]] += counted.runs
        # Only those that were updated lately have another state.
        codes = self.states()
        code = codes.code
        has_ended = func.coalesce(RUNS.c.session_status, "").in_(list(ENDS))
        recent = select(code, func.count()).where(self.ours, codes.is_recent, not_(has_ended))
        for place, runs in self.connection.execute(recent.group_by(code)):
            counts[codes.values[place][1]] += runs
            counts["finished"] -= runs
        return counts

    def states(self) -> States:
        """The state of each run, which depends on the time."""
        silent = literal(self._now) - RUNS.c.update_time
        status = func.coalesce(RUNS.c.session_status, "")
        return States(
            [
                (status == "success", "finished"),
                (status == "failure", "failed"),
                (silent < RUNNING_WITHIN, "running"),
                (silent < OVER_AFTER, "stalled"),
                (true(), "finished"),
            ],
            # A second more, because differences are rounded.
            RUNS.c.update_time > self._now - OVER_AFTER - 1,
            ("running", "stalled"),
        )

    def _notes_in(self, attribute: str) -> Coded:
        noted = self._noted
        by_value: dict[Value, list[int]] = {}
        for train_id, note in self._notes.items():
            if train_id in noted:
                by_value.setdefault(getattr(note, attribute), []).append(noted[train_id])
        default = getattr(NO_ANNOTATION, attribute)
        pairs = [(is_one_of(self.connection, ids), value) for value, ids in by_value.items()]
        if len(pairs) > _MOST_CODED:
            raise NotInSqlError
        return Coded([*pairs, (true(), default)])

    def _formats(self) -> Coded:
        query = select(RUNS.c.formats).where(self.ours).distinct()
        found = self.connection.execute(query).scalars()
        return Coded([(RUNS.c.formats == name, name) for name in found if name is not None])

    def _datasets(self) -> Coded:
        marks = self._marks()
        if len(marks) > _MOST_CODED:
            raise NotInSqlError
        return Coded([(RUNS.c.dataset == digest, mark) for digest, mark in marks.items()])

    def _marks(self) -> dict[bytes, str]:
        """Digest of each data set -> its number."""
        marks: dict[bytes, str] = self.kept("marks", self._read_marks)
        return marks

    def _read_marks(self) -> dict[bytes, str]:
        first: Any = func.min(RUNS.c.train_id)
        if self.connection.dialect.name != "sqlite":
            first = func.min(collate(RUNS.c.train_id, "C"))
        query = select(RUNS.c.dataset).where(self.ours, RUNS.c.dataset.is_not(None))
        rows = self.connection.execute(query.group_by(RUNS.c.dataset).order_by(first))
        return {bytes(row[0]): str(place) for place, row in enumerate(rows, 2)}

    def dataset_marks(self, train_ids: Sequence[str]) -> dict[str, str | None]:
        """train_id -> number of its data set among those of all runs."""
        marks = self._marks() if DATASET_FIELD in self.catalog.fields else {}
        run_ids = list(self.run_ids(train_ids).values())
        query = select(RUNS.c.train_id, RUNS.c.dataset)
        rows = self.connection.execute(query.where(is_one_of(self.connection, run_ids)))
        return {row[0]: None if row[1] is None else marks.get(bytes(row[1])) for row in rows}

    def _field_id(self, name: str) -> int | None:
        digest = digest_of(field_bytes(name))
        return find_ids(self.connection, FIELDS, self.catalog.number, [digest]).get(digest)

    def _scalars(self, name: str) -> list[Source]:
        tag, _, statistic = name.removeprefix("scalar/").rpartition("/")
        if statistic not in ("last", "min", "max"):
            raise NotInSqlError
        field_id = self._field_id(f"scalar/{storable(tag)}")
        return [] if field_id is None else [Scalars(field_id, statistic)]

    def _facts(self, name: str) -> list[Source]:
        kinds = self.catalog.fields.get(name)
        if kinds is None:
            return []
        sources: list[Source] = []
        field_id = self._field_id(name)
        if field_id is not None:
            table = RUN_FIELDS.c
            one = select(table.run_id).where(table.field_id == field_id).limit(1)
            if self.connection.execute(one).first() is not None:
                sources.append(Facts(field_id, frozenset(kinds)))
        tag = name.removeprefix("metric/")
        if name.startswith("metric/") and tag in self.catalog.metrics:
            of_tag = self._field_id(f"scalar/{tag}")
            assert of_tag is not None  # a shape has it
            shapes = RUNS.c.shape_id.in_(self.catalog.metrics[tag])
            sources.append(Scalars(of_tag, "metric", shapes))
        return sources

    # Rows ---------------------------------------------------------------------------------------

    def given(self, train_ids: Sequence[str], where: Sql) -> list[str]:
        """Those of the ids that meet the condition, in this order."""
        known = self.run_ids(train_ids)
        is_given = is_one_of(self.connection, list(known.values()))
        query = select(RUNS.c.train_id).where(self.ours, where, is_given)
        found = set(self.connection.execute(query).scalars())
        return [train_id for train_id in dict.fromkeys(train_ids) if train_id in found]


def _counted(table: FromClause, found: Sql, where: Sql) -> Select[Any]:
    """The number of rows that are found and whose runs meet a condition on their keys."""
    rows = table.alias()

    def of_row(element: Any, **_: Any) -> Any:
        return rows.c[element.name] if getattr(element, "table", None) is table else None

    def of_run(element: Any, **_: Any) -> Any:
        return rows.c.run_id if element is RUNS.c.run_id else None

    # Not in `where`, whose statements have this table, too.
    found = visitors.replacement_traverse(found, _NO_OPTIONS, of_row)
    where = visitors.replacement_traverse(where, _NO_OPTIONS, of_run)
    return select(func.count()).select_from(rows).where(found, where)
