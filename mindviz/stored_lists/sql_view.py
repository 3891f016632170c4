"""Conditions, columns and pages of the runs of an experiment, in SQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from sqlalchemy import (
    Connection,
    FromClause,
    and_,
    not_,
    or_,
    select,
    true,
)

from mindviz.datavisual.series.value_order import Value
from mindviz.datavisual.sql.catalog import (
    DATASET_FIELD,
    digest_of,
    field_bytes,
    find_ids,
)
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.run_sums import RunSums
from mindviz.datavisual.sql.tables import FIELDS, RUN_FIELDS, RUNS
from mindviz.lineagemgr.annotation import NO_ANNOTATION
from mindviz.lineagemgr.run_filter import (
    Comparison,
    Condition,
    Joined,
    Membership,
    NameMatch,
    Negated,
    Operator,
    fields_of,
)
from mindviz.lineagemgr.run_lists import Notes
from mindviz.lineagemgr.run_query import RunQuery
from mindviz.lineagemgr.run_table import (
    COLUMN_FIELDS,
    EVENT_FIELDS,
    FLAG_FIELDS,
    NOTE_FIELDS,
    PREFIXES,
    is_scalar_column,
)
from mindviz.stored_lists.sql_catalog import Catalog
from mindviz.stored_lists.sql_columns import (
    Coded,
    Flag,
    IndexedSource,
    Names,
    NotInSqlError,
    Plain,
    Source,
)
from mindviz.stored_lists.sql_comparisons import Condition as Sql
from mindviz.stored_lists.sql_comparisons import is_one_of
from mindviz.stored_lists.sql_datasets import (
    DatasetNumbers,
    Datasets,
    OneDataset,
    read_numbers,
)
from mindviz.stored_lists.sql_totals import (
    Kept,
    Totals,
    count_states,
    states_at,
    totals_in,
)
from mindviz.stored_lists.sql_values import Facts, Scalars

_MOST_CODED = 1_000
"""Distinct values of a column that SQL gets as a list."""
_FEW = 1_000
"""Runs that are looked up by key, as the planner overestimates how many pass a comparison."""
_PLAIN = {
    "updated": "update_time",
    "created": "create_time",
    "points": "points",
    "tags": "series",
    "size": "bytes",
    "problems": "problems",
}


@dataclass(frozen=True, slots=True)
class Followed:
    """What is kept from one version of the experiment to the next."""

    totals: RunSums
    """As of `run_totals`."""
    dataset: OneDataset


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
        followed: Followed,
        kept: Kept,
    ) -> None:
        self.connection = connection
        self._followed = followed
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

    def passes_few(self, condition: Condition | None) -> bool:
        """Whether a comparison that all runs must pass is known to be met by few."""
        parts: Sequence[Condition | None] = (condition,)
        if isinstance(condition, Joined) and condition.joint == "and":
            parts = condition.parts
        return any(self._few(part) is not None for part in parts)

    def _passing(self, condition: Condition | None) -> tuple[FromClause, Sql] | None:
        if not isinstance(condition, Comparison | Membership):
            return None
        source = self.source(condition.field)
        if not isinstance(source, IndexedSource):
            return None
        return source.passing(self.connection, condition)

    def _few(self, condition: Condition | None) -> list[int] | None:
        """The keys of the runs that pass a comparison of values in an index; None if many do."""
        passing = self._passing(condition)
        if passing is None:
            return None
        table, found = passing

        def read() -> list[int] | None:
            query = select(table.c.run_id).where(found).limit(_FEW + 1)
            run_ids = list(self.connection.execute(query).scalars())
            return run_ids if len(run_ids) <= _FEW else None

        run_ids: list[int] | None = self.kept(("few", condition), read)
        return run_ids

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
                raise NotInSqlError
            case Comparison(field=name, operator="!=" | "!~" as operator, value=value):
                positive: Operator = "=" if operator == "!=" else "~"
                return not_(self._meets(Comparison(name, positive, value)))
            case Comparison(field=name) | Membership(field=name):
                few = self._few(condition)
                if few is None:
                    source, test = self.source(name), condition.test()
                    return source.meets(self.connection, test, condition)
                return is_one_of(self.connection, few)

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
            return states_at(self._now)
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
            return [Names(self._root)]
        if name == "formats":
            formats = dict.fromkeys(counted.formats for counted in self.totals())
            return [Coded([(RUNS.c.formats == joined, joined) for joined in formats])]
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

    def totals(self) -> Sequence[Totals]:
        """Counts of all runs."""
        return totals_in(self._followed.totals.read(self.connection, self.catalog.at))

    def has_datasets(self) -> bool:
        """Whether there are several data sets."""
        return self._followed.dataset.differs(self.connection, self.catalog.at)

    def state_counts(self) -> Counter[Value]:
        """The number of runs in each state."""
        states = states_at(self._now)
        return count_states(self.connection, self.ours, self.totals(), states)

    def counted_by_state(self, condition: Condition | None) -> int | None:
        """The number of runs that pass a comparison of their states; None: it is none."""
        if not isinstance(condition, Comparison | Membership):
            return None
        if self.names.resolve(condition.field) != "state":
            return None
        test = condition.test()
        return sum(runs for state, runs in self.state_counts().items() if test(state))

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

    def _datasets(self) -> Source:
        numbers = self._dataset_numbers()
        if len(numbers) > _MOST_CODED:
            return Datasets(numbers, self.ours)
        return Coded([(RUNS.c.dataset == digest, number) for digest, number in numbers.items()])

    def _dataset_numbers(self) -> DatasetNumbers:
        read = partial(read_numbers, self.connection, self.ours)
        numbers: DatasetNumbers = self.kept("datasets", read)
        return numbers

    def dataset_marks(self, train_ids: Sequence[str]) -> dict[str, str | None]:
        """train_id -> number of its data set among those of all runs."""
        run_ids = list(self.run_ids(train_ids).values())
        query = select(RUNS.c.train_id, RUNS.c.dataset)
        rows = self.connection.execute(query.where(is_one_of(self.connection, run_ids))).all()
        if DATASET_FIELD not in self.catalog.fields:
            return dict.fromkeys(row[0] for row in rows)
        digests = [None if row[1] is None else bytes(row[1]) for row in rows]
        numbers = self._dataset_numbers().of(digests)
        return dict(zip((row[0] for row in rows), numbers, strict=True))

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
