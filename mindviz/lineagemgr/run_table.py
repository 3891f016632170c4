"""RunTable: all fields of all runs by the names that the page uses."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.lineage import FACT_FIELDS
from mindviz.datavisual.analysis.parameter_names import (
    ParameterNames,
    are_within,
    field_of,
    parameter_names,
)
from mindviz.datavisual.run_listing import RunListing
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.value_order import Value, latest_first, natural_key, natural_keys
from mindviz.deadline import check
from mindviz.lineagemgr.lineage_table import LineageTable, is_statistic
from mindviz.lineagemgr.query import customized_columns
from mindviz.lineagemgr.run_column import Mask, RunColumn
from mindviz.lineagemgr.run_filter import NameMatch
from mindviz.lineagemgr.text_column import TextColumn
from mindviz.lineagemgr.text_lines import TextLines

OWN_FIELDS = (
    *("name", "state", "updated", "created", "formats", "tags", "points", "size", "problems"),
)
EVENTS, SEVERE = "anomalies", "severe_anomalies"
EVENT_FIELDS = (EVENTS, SEVERE)
"""Numbers of events in a run's series; missing until they are known."""
NOTE_FIELDS = {"remark": "remark", "notes": "notes", "group": "group", "mark": "tag"}
"""Field -> its name in `Annotation`."""
FLAG_FIELDS = ("pinned", "hidden")
MOST_GROUPINGS = 100
STATES = ("running", "stalled", "finished", "failed")
ENDS = {"success": 2, "failure": 3}
"""Status of a session -> index of STATES."""
COLUMN_FIELDS = (*FACT_FIELDS[:-2], "dataset_mark", *FACT_FIELDS[-2:])
"""Fields of every lineage; others are `metric/...` and `user_defined/...`."""
_ALIASES = {"batch": "batch_size", "opt": "optimizer", "status": "state"}
PREFIXES = ("metric/", "user_defined/")
_UNAMBIGUOUS = frozenset({*OWN_FIELDS, *EVENT_FIELDS, *NOTE_FIELDS, *FLAG_FIELDS})
_STATISTIC = re.compile(r"/(?:last|min|max|min_step|max_step|at_(?:min|max):[^/]*)\Z")
RUNNING_WITHIN = 300
OVER_AFTER = 3_600
"""Seconds without updates until a run counts as stalled, then as finished."""


@dataclass(frozen=True, slots=True)
class FieldNames:
    """What users may call the fields of runs."""

    facts: Collection[str]
    """Names of the facts that some run has."""
    parameters: ParameterNames
    scalar_tags: Mapping[str, int]
    """Tag -> number of runs."""

    def resolve(self, word: str) -> str:
        """The field of a name: itself, one with a prefix, an alias, or a scalar's last value."""
        if word in _UNAMBIGUOUS or word.startswith("scalar/"):
            return word
        if word.startswith("spark/"):
            return f"scalar/{word.removeprefix('spark/')}/last"
        names = (word, *(prefix + word for prefix in PREFIXES))
        fact = next((name for name in names if name in self.facts), self.alias_of(word))
        if fact is not None:
            return self.parameters.shown_as.get(fact, fact)
        return self._scalar_column(word) or word

    def has(self, field: str) -> bool:
        """Whether a run may have a value in a fact or a scalar's statistic."""
        if not is_scalar_column(field):
            return field in self.facts
        return field.removeprefix("scalar/").rpartition("/")[0] in self.scalar_tags

    def _scalar_column(self, word: str) -> str | None:
        """The column of a tag, or of a tag with a statistic."""
        if word in self.scalar_tags:
            return f"scalar/{word}/last"
        statistic = _STATISTIC.search(word)
        is_known = statistic is not None and word[: statistic.start()] in self.scalar_tags
        return f"scalar/{word}" if is_known else None

    def alias_of(self, word: str) -> str | None:
        """The field that a word abbreviates or spells differently."""
        alias = _ALIASES.get(word.lower(), field_of(word))
        exists = alias in self.facts or alias in OWN_FIELDS
        return alias if exists and alias != word else None

    def alternative(self, word: str) -> str | None:
        """The field whose values count where the field of this name has none."""
        return None if word in OWN_FIELDS or word in self.facts else self.alias_of(word)


class RunColumns(ABC):
    """Columns of runs, computed on first use. Thread-safe."""

    def __init__(self) -> None:
        self.groupings: dict[tuple[str, ...], Sequence[str]] = {}
        """The fields of the groupings that were requested, at most MOST_GROUPINGS."""

    @property
    @abstractmethod
    def field_names(self) -> FieldNames:
        """The names of all fields."""

    @abstractmethod
    def __len__(self) -> int:
        """Number of runs."""

    @property
    @abstractmethod
    def newest(self) -> Int64s:
        """All rows, newest created first, then by name in natural order."""

    @abstractmethod
    def rows_of(self, train_ids: Iterable[str]) -> Mapping[str, int]:
        """train_id -> row, of those runs that exist, in this order."""

    @abstractmethod
    def ids_of(self, rows: Sequence[int]) -> list[str]:
        """The train_ids of these rows; empty for runs that are gone meanwhile."""

    @abstractmethod
    def column(self, name: str) -> RunColumn:
        """A column by its exact name: of the listing, or of the facts."""

    def ranks(self, name: str) -> Float64s:
        """As `RunColumn.ranks` of a column by its exact name."""
        return self.column(name).ranks

    @abstractmethod
    def named(self, condition: NameMatch) -> Mask:
        """Which runs have a name or a label that matches."""

    @abstractmethod
    def having(self, plugins: Sequence[str]) -> Mask:
        """Which runs have data of one of these plugins."""

    @abstractmethod
    def states(self, now: float) -> NDArray[np.int8]:
        """The state of each run at a time in Unix seconds, as an index of STATES."""

    @abstractmethod
    def differs(self, name: str) -> bool:
        """Whether two runs have different values of a fact."""

    @abstractmethod
    def is_numeric(self, name: str) -> bool:
        """Whether all values of a fact are numbers."""

    def part(self, rows: Int64s) -> RunColumns:  # noqa: ARG002 -- it has all columns
        """These rows in this order, if that takes less memory; else all rows."""
        return self

    @property
    def parameters(self) -> ParameterNames:
        """Config and results of runs, each under one name."""
        return self.field_names.parameters

    def resolve(self, word: str) -> str:
        """As in FieldNames."""
        return self.field_names.resolve(word)


class RunTable(RunColumns):
    """One version of all runs."""

    def __init__(self, listing: RunListing, facts: Callable[[], LineageTable], root: str) -> None:
        """`facts` may be of a later version; `root` names the run in the base dir itself."""
        super().__init__()
        self.listing = listing
        self._facts = facts
        self._root = root
        self._columns: dict[str, RunColumn] = {}

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.listing)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """train_id -> row."""
        return {train_id: row for row, train_id in enumerate(self.listing.train_id)}

    def rows_of(self, train_ids: Iterable[str]) -> Mapping[str, int]:
        wanted = list(train_ids)
        rows = self.rows if wanted else {}
        return {train_id: rows[train_id] for train_id in wanted if train_id in rows}

    def ids_of(self, rows: Sequence[int]) -> list[str]:
        return [self.listing.train_id[row] for row in rows]

    def named(self, condition: NameMatch) -> Mask:
        return condition.among(self._name_lines) | condition.among(self._label_lines)

    @cached_property
    def _name_lines(self) -> TextLines:
        return TextLines.of(self.names)

    @cached_property
    def _label_lines(self) -> TextLines:
        return TextLines.of(self.listing.display_name)

    @cached_property
    def newest(self) -> Int64s:
        return latest_first(self.listing.create_time, natural_keys(self.listing.train_id))

    def name(self, row: int) -> str:
        """The name of a run that the page shows."""
        train_id = self.listing.train_id[row]
        return self._root if train_id == "./" else train_id.removeprefix("./")

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of all runs."""
        return [self.name(row) for row in range(len(self))]

    # Facts --------------------------------------------------------------------------------------

    @cached_property
    def facts(self) -> LineageTable:
        """The logged facts."""
        return self._facts()

    @cached_property
    def _fact_rows(self) -> Sequence[int] | None:
        """The row of each run in `facts`, -1 if missing; None if all rows are equal."""
        ids = self.facts.rows.train_ids
        if ids == self.listing.train_id:
            return None
        rows = {train_id: row for row, train_id in enumerate(ids)}
        return [rows.get(train_id, -1) for train_id in self.listing.train_id]

    @cached_property
    def fact_names(self) -> tuple[str, ...]:
        """Names of the facts that some run has, in natural order."""
        if not self.facts.rows.logged:
            return ()
        names = (*COLUMN_FIELDS, *customized_columns(self.facts.rows.logged.values()))
        logged = [name for name in names if self._has_values(name)]
        return tuple(sorted(logged, key=natural_key))

    def _has_values(self, name: str) -> bool:
        values = self.column(name).values
        return values.count(None) < len(values)

    def column(self, name: str) -> RunColumn:
        column = self._columns.get(name)
        if column is None:
            check()
            column = self._columns[name] = self._compute(name)
        return column

    def _compute(self, name: str) -> RunColumn:
        if name == "name":
            return TextColumn(lambda: self._name_lines)
        if name in _OWN:
            return RunColumn(_OWN[name](self))
        known = name in COLUMN_FIELDS or name.startswith(PREFIXES) or is_scalar_column(name)
        if not known:
            return RunColumn([None] * len(self))
        cells = self.facts.column(name)
        if self._fact_rows is not None:
            cells = [cells[row] if row >= 0 else None for row in self._fact_rows]
        return RunColumn.of(cells)

    def differs(self, name: str) -> bool:
        return self.column(name).differs

    def is_numeric(self, name: str) -> bool:
        return self.column(name).is_numeric

    @cached_property
    def parameters(self) -> ParameterNames:
        """As in RunColumns."""

        def is_within(some: str, others: str) -> bool:
            return are_within(self.column(some).values, self.column(others).values)

        return parameter_names(self.fact_names, is_within)

    @cached_property
    def tag_counts(self) -> Mapping[str, Mapping[str, int]]:
        """plugin_name -> tag -> number of runs."""
        return counted_tags(self.listing.tags)

    @cached_property
    def unmeasured_tags(self) -> Mapping[str, int]:
        """Scalar tags of the runs without metrics -> number of these runs."""
        measured = np.zeros(len(self), np.bool_)
        for name in self.fact_names:
            if name.startswith("metric/"):
                measured |= [value is not None for value in self.column(name).values]
        tags = self.listing.tags
        counts = counted_tags([tags[row] for row in np.flatnonzero(~measured).tolist()])
        return counts.get("scalar", {})

    @cached_property
    def plugin_counts(self) -> Mapping[str, int]:
        """plugin_name -> number of runs with its data."""
        return Counter(name for tags in self.listing.tags for name in tags)

    def having(self, plugins: Sequence[str]) -> Mask:
        wanted = set(plugins)
        return np.array([not wanted.isdisjoint(tags) for tags in self.listing.tags], np.bool_)

    @cached_property
    def format_counts(self) -> Mapping[str, tuple[int, int]]:
        """Log formats of a run, joined -> number of runs and of their files."""
        counts: dict[str, tuple[int, int]] = {}
        files = self.listing.files.tolist()
        for formats, number in zip(self.listing.formats, files, strict=True):
            name = ", ".join(formats)
            runs, total = counts.get(name, (0, 0))
            counts[name] = runs + 1, total + number
        return counts

    @cached_property
    def described_facts(self) -> Mapping[str, Mapping[str, Any]]:
        """Name of each fact -> `kind` of its values, `count` of runs, and whether it `differs`."""
        return {name: _described(self.column(name)) for name in self.fact_names}

    @cached_property
    def field_names(self) -> FieldNames:
        """As in RunColumns."""
        tags = self.tag_counts.get("scalar", {})
        return FieldNames(frozenset(self.fact_names), self.parameters, tags)

    def states(self, now: float) -> NDArray[np.int8]:
        states = states_after(now - self.listing.update_time)
        for row, status in enumerate(self.listing.session_status):
            if status in ENDS:
                states[row] = ENDS[status]
        return states


def states_after(silent: Float64s) -> NDArray[np.int8]:
    """The states of runs without an end, by seconds since their updates, as indices of STATES."""
    return 2 - (silent < RUNNING_WITHIN).view(np.int8) - (silent < OVER_AFTER).view(np.int8)


_OWN: Mapping[str, Callable[[RunTable], Sequence[Value]]] = {
    "updated": lambda table: table.listing.update_time.tolist(),
    "created": lambda table: table.listing.create_time.tolist(),
    "formats": lambda table: [", ".join(formats) for formats in table.listing.formats],
    "tags": lambda table: [sum(map(len, tags.values())) for tags in table.listing.tags],
    "points": lambda table: table.listing.points.tolist(),
    "size": lambda table: table.listing.bytes.tolist(),
    "problems": lambda table: table.listing.problems.tolist(),
}
"""The page's own fields except the name, and `state`, which depends on the time."""


def _described(column: RunColumn) -> dict[str, Any]:
    kinds = Counter(map(_kind, column.values))
    missing = kinds.pop("", 0)
    (kind,) = kinds if len(kinds) == 1 else ("mixed",)
    return {"kind": kind, "count": len(column.values) - missing, "differs": column.differs}


def _kind(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "bool"
    return "text" if isinstance(value, str) else "number"


def is_scalar_column(name: str) -> bool:
    """Whether it is `scalar/<tag>/<statistic>`."""
    _, slash, statistic = name.removeprefix("scalar/").rpartition("/")
    return name.startswith("scalar/") and bool(slash) and is_statistic(statistic)


def counted_tags(tags_of_runs: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, dict[str, int]]:
    """plugin_name -> tag -> number of runs. Runs usually share their mapping."""
    runs: dict[int, int] = {}
    shared: dict[int, Mapping[str, Sequence[str]]] = {}
    for tags in tags_of_runs:
        runs[id(tags)] = runs.get(id(tags), 0) + 1
        shared[id(tags)] = tags
    counts: dict[str, dict[str, int]] = {}
    for key, tags in shared.items():
        for plugin_name, names in tags.items():
            of_plugin = counts.setdefault(plugin_name, {})
            for name in names:
                of_plugin[name] = of_plugin.get(name, 0) + runs[key]
    return counts
