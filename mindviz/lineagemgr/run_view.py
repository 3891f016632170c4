"""RunView: columns of runs with notes about them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.store import Store
from mindviz.datavisual.train_jobs import base_name
from mindviz.lineagemgr.annotation import NO_ANNOTATION, Annotation
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_column import (
    MISSING,
    NUMBER,
    ArrayColumn,
    Mask,
    RunColumn,
)
from mindviz.lineagemgr.run_table import (
    EVENT_FIELDS,
    FLAG_FIELDS,
    NOTE_FIELDS,
    SEVERE,
    STATES,
    RunColumns,
    RunTable,
)


class RunView:
    """A table with the notes about its runs and their events, at one moment."""

    def __init__(
        self,
        table: RunColumns,
        notes: Mapping[str, Annotation],
        now: float,
        events: Callable[[], Mapping[str, Sequence[int]]] = dict,
    ) -> None:
        """`events`: train_id -> number of severe events, warnings and notes in its series."""
        self.table = table
        self._events = events
        self._now = now
        self._every_note = notes
        self._notes = [(row, notes[train_id]) for train_id, row in table.rows_of(notes).items()]

    def of(self, rows: Int64s) -> RunView:
        """As `RunColumns.part`."""
        part = self.table.part(rows)
        if part is self.table:
            return self
        return RunView(part, self._every_note, self._now, self._events)

    def flagged(self, flag: str) -> Mask:
        """Which runs are `pinned` or `hidden`."""
        mask = np.zeros(len(self.table), np.bool_)
        mask[[row for row, note in self._notes if getattr(note, flag)]] = True
        return mask

    def column(self, word: str) -> RunColumn:
        """The column of a field by any of its names; without values if there is none."""
        table = self.table
        name = table.resolve(word)
        if name == "state":
            return ArrayColumn.coded(self.states, STATES)
        if name in EVENT_FIELDS:
            return self._anomalies(1 if name == SEVERE else 2)
        if name in FLAG_FIELDS:
            return ArrayColumn.coded(self.flagged(name).astype(np.int8), (False, True))
        if name in NOTE_FIELDS:
            return self._noted(NOTE_FIELDS[name])
        column = table.column(name)
        alias = table.field_names.alternative(word)
        if alias is None or alias == name:
            return column
        others = self.column(alias)
        pairs = zip(column.values, others.values, strict=True)
        return RunColumn([other if value is None else value for value, other in pairs])

    def ranks(self, word: str) -> NDArray[Any]:
        """As `RunColumn.ranks` of a column."""
        if self.table.resolve(word) == "state":
            ranks: NDArray[np.int8] = np.argsort(np.argsort(STATES)).astype(np.int8)[self.states]
            return ranks
        return self.table.ranks("name") if word == "name" else self.column(word).ranks

    def _anomalies(self, severities: int) -> RunColumn:
        """Events of the first severities."""
        events = self._events()
        places = np.full(len(self.table), MISSING, np.int8)
        numbers = np.full(len(self.table), np.nan)
        for train_id, row in self.table.rows_of(events).items():
            places[row], numbers[row] = NUMBER, sum(events[train_id][:severities])
        return ArrayColumn(places, (), numbers)

    def _noted(self, attribute: str) -> RunColumn:
        places = {getattr(NO_ANNOTATION, attribute): 0}
        codes = np.zeros(len(self.table), np.int32)
        for row, note in self._notes:
            codes[row] = places.setdefault(getattr(note, attribute), len(places))
        return ArrayColumn.coded(codes, list(places))

    @cached_property
    def states(self) -> NDArray[np.int8]:
        """The state of each run, as an index of STATES."""
        return self.table.states(self._now)


class RunTables:
    """The current table of a store's runs. Thread-safe."""

    def __init__(self, store: Store, lineages: Lineages) -> None:
        self._store = store
        self._lineages = lineages
        self._lock = threading.Lock()
        self._version: int | None = None
        self._table: RunTable | None = None

    def table(self) -> RunTable:
        """The table, read again after changes."""
        with self._lock:
            version = self._store.version
            if self._table is None or version != self._version:
                root = base_name(self._store.status())
                self._table = RunTable(self._store.listing(), self._lineages.table, root)
                self._version = version
            return self._table
