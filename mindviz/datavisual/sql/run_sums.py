"""RunSums: sums over all runs of an experiment; after a commit, few of these are read again."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, func, literal_column, or_, select

from mindviz.datavisual.sql.tables import RUNS

BLOCK = 1_024
"""Runs with adjacent keys, whose sums are kept."""
_MOST_READ = 64
"""Blocks that are read again; if more of them have changed runs, all are."""
_MOST_ROWS = 100_000
"""Sums that are kept."""

Groups = Mapping[tuple[Any, ...], Sequence[int]]
"""The values of the grouping columns -> number of runs, and sums."""


@dataclass(frozen=True)
class ExperimentVersion:
    """An experiment at one moment."""

    number: int
    """`EXPERIMENTS.experiment_id`."""
    created: float
    """When it was created; distinguishes experiments that had the same number."""
    version: int
    """`EXPERIMENTS.version`."""

    def follows(self, other: ExperimentVersion) -> bool:
        """Whether this is a later version of the same experiment."""
        is_same = (self.number, self.created) == (other.number, other.created)
        return is_same and self.version > other.version


@dataclass(frozen=True)
class _Known:
    at: ExperimentVersion
    blocks: Mapping[int, Sequence[tuple[tuple[Any, ...], Sequence[int]]]] = field(repr=False)
    groups: Groups = field(repr=False)


class RunSums:
    """Thread-safe. NULL counts as 0 in sums."""

    def __init__(
        self, columns: Sequence[ColumnElement[Any]], summed: Sequence[ColumnElement[Any]] = ()
    ) -> None:
        """`columns`: those that runs are grouped by."""
        self._columns = columns
        self._summed = summed
        self._lock = threading.Lock()
        self._known: _Known | None = None

    def read(self, connection: Connection, at: ExperimentVersion) -> Groups:
        """The sums in this transaction, which sees this version."""
        with self._lock:
            known = self._known
        if known is not None and known.at == at:
            return known.groups
        blocks: dict[int, Sequence[tuple[tuple[Any, ...], Sequence[int]]]] = {}
        changed = None
        if known is not None and known.blocks and at.follows(known.at):
            changed = self._changed(connection, known.at)
        if known is not None and changed is not None:
            blocks |= known.blocks
            for number in changed:
                blocks.pop(number, None)
        blocks |= self._blocks(connection, at, changed)
        groups = _merged(row for rows in blocks.values() for row in rows)
        if sum(map(len, blocks.values())) > _MOST_ROWS:
            blocks = {}
        with self._lock:
            # Another thread may have seen a later version.
            if self._known is None or not self._known.at.follows(at):
                self._known = _Known(at, blocks, groups)
        return groups

    def _changed(self, connection: Connection, since: ExperimentVersion) -> Sequence[int] | None:
        """The blocks with runs that changed after a version; None if they are many."""
        is_changed = (RUNS.c.experiment_id == since.number) & (RUNS.c.version > since.version)
        query = select(_number_of_block()).select_from(RUNS).where(is_changed).distinct()
        found = connection.execute(query.limit(_MOST_READ + 1)).scalars().all()
        return None if len(found) > _MOST_READ else found

    def _blocks(
        self, connection: Connection, at: ExperimentVersion, numbers: Sequence[int] | None
    ) -> dict[int, list[tuple[tuple[Any, ...], list[int]]]]:
        """The sums of these blocks, by default of all."""
        sums = [func.coalesce(func.sum(column), 0) for column in self._summed]
        query = select(_number_of_block(), *self._columns, func.count(), *sums).select_from(RUNS)
        query = query.where(RUNS.c.experiment_id == at.number)
        if numbers is not None:
            if not numbers:
                return {}
            ends = ((number * BLOCK, (number + 1) * BLOCK - 1) for number in numbers)
            query = query.where(or_(*(RUNS.c.run_id.between(*pair) for pair in ends)))
        count = len(self._columns)
        found: dict[int, list[tuple[tuple[Any, ...], list[int]]]] = {}
        for number, *row in connection.execute(query.group_by(_number_of_block(), *self._columns)):
            group = tuple(row[:count]), [int(total) for total in row[count:]]
            found.setdefault(number, []).append(group)
        return found


def _number_of_block() -> ColumnElement[int]:
    return literal_column(f"run_id / {BLOCK}", Integer)


def _merged(rows: Iterable[tuple[tuple[Any, ...], Sequence[int]]]) -> Groups:
    groups: dict[tuple[Any, ...], list[int]] = {}
    for key, sums in rows:
        known = groups.get(key, [0] * len(sums))
        groups[key] = [total + number for total, number in zip(known, sums, strict=True)]
    return groups
