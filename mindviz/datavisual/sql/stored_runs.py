"""StoredRuns: what an import finds of an experiment in the database, to add only what is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, select

from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.records import (
    SeriesKey,
    SeriesRecord,
    finding_of,
    storable,
)
from mindviz.datavisual.sql.tables import FINDINGS, LOG_FILES, RUNS, TAGS


class StoredState(NamedTuple):
    """Of what files a run was imported; equal to another's if nothing changed."""

    assets: str
    """Fingerprint of what lies beside the logs."""
    files: list[tuple[str, int, int]]
    """Path, size and time of change of each log file."""


def is_run(experiment_id: int, train_id: str) -> ColumnElement[bool]:
    """What the row of this run fulfils, and no other."""
    return (RUNS.c.experiment_id == experiment_id) & (RUNS.c.train_id == storable(train_id))


class StoredRuns:
    """The runs of one experiment. Every method raises DatabaseUnavailable."""

    def __init__(self, database: Database, experiment_id: int) -> None:
        self._database = database
        self._experiment_id = experiment_id

    def complete(self) -> Mapping[str, StoredState]:
        """Of runs that are complete, by train_id."""
        joined = RUNS.outerjoin(LOG_FILES, RUNS.c.run_id == LOG_FILES.c.run_id)
        query = (
            select(
                RUNS.c.train_id,
                RUNS.c.assets,
                *(LOG_FILES.c.path, LOG_FILES.c.bytes, LOG_FILES.c.modified),
            )
            .select_from(joined)
            .where(RUNS.c.experiment_id == self._experiment_id, RUNS.c.complete)
            .order_by(RUNS.c.run_id, LOG_FILES.c.position)
        )
        found: dict[str, StoredState] = {}
        with self._database.reading() as connection:
            for train_id, assets, *file in connection.execute(query):
                state = found.setdefault(train_id, StoredState(assets, []))
                if file[0] is not None:
                    state.files.append((file[0], file[1], file[2]))
        return found

    def train_ids(self) -> frozenset[str]:
        """Of all runs, complete or not."""
        query = select(RUNS.c.train_id).where(RUNS.c.experiment_id == self._experiment_id)
        with self._database.reading() as connection:
            return frozenset(connection.execute(query).scalars())

    def series(self, train_id: str) -> Mapping[SeriesKey, SeriesRecord]:
        """What is stored of a run."""
        query = (
            select(TAGS)
            .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
            .where(is_run(self._experiment_id, train_id))
        )
        with self._database.reading() as connection:
            records = [SeriesRecord.of(row) for row in connection.execute(query).mappings()]
        return {record.key: record for record in records}

    def dropped_values(self, train_id: str) -> Sequence[Finding]:
        """What earlier imports found to be wrong with single values of a run."""
        query = (
            select(FINDINGS)
            .join(RUNS, RUNS.c.run_id == FINDINGS.c.run_id)
            .where(is_run(self._experiment_id, train_id), FINDINGS.c.of_value)
        )
        with self._database.reading() as connection:
            return [finding_of(row) for row in connection.execute(query).mappings()]
