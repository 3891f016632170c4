"""JobReader: the train jobs of an experiment, read on demand, and its totals."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, collate, select

from mindviz.datavisual.run_listing import JobVersion
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.job_cache import JobCache
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.run_sums import ExperimentVersion, RunSums
from mindviz.datavisual.sql.stored_jobs import (
    NO_SUMS,
    SUMMED,
    StoredJob,
    StoredJobs,
    Sums,
    experiment_names,
    experiment_row,
    read_jobs,
    version_of,
)
from mindviz.datavisual.sql.tables import RUNS

READ_AHEAD = 500
"""Jobs that are read at once."""
MOST_CHECKED = 50_000
"""Jobs in `versions` that were updated last, and with findings."""
_MOST_JOBS = 10_000
"""Jobs that are kept."""


@dataclass(frozen=True, slots=True)
class StoredState:
    """An experiment at one moment."""

    stored_version: int = 0
    """`EXPERIMENTS.version`."""
    creation_time: float = 0.0
    """Distinguishes experiments that had the same name."""
    number: int = -1
    """`EXPERIMENTS.experiment_id`; -1 before anything was read."""
    sums: Sums = NO_SUMS

    @property
    def version(self) -> int:
        """As `version_of`; 0 before anything was read."""
        return version_of(self.creation_time, self.stored_version)


class JobReader:
    """Reads jobs and keeps those read last. Thread-safe except `refresh`."""

    def __init__(self, database: Database, experiment_id: str, *, is_expected: bool) -> None:
        """As SqlStore."""
        self._database = database
        self._experiment_id = experiment_id
        self._is_expected = is_expected
        self.state = StoredState()
        self.kept = JobCache(_MOST_JOBS)
        self._sums = RunSums((), SUMMED)
        self._every = StoredJobs()
        self._versions: tuple[int, Sequence[JobVersion]] = (-1, ())
        """The version of what `versions` returned last, and this."""
        self._reading_every = threading.Lock()
        self._last = 0
        """Key of the job that was read alone."""

    def refresh(self) -> Collection[str]:
        """Read the totals if anything changed; returns the kept jobs that may be gone.

        Raises DatabaseUnavailable, ExperimentNotFound.
        """
        before = self.state
        with self._database.reading() as connection:
            state, changed = self._read_state(connection, before)
        if state is before:
            return ()
        gone = self.kept.update(changed)
        self.state = state
        return gone

    def _read_state(
        self, connection: Connection, before: StoredState
    ) -> tuple[StoredState, Collection[str] | None]:
        """The state now, and the jobs that changed; None if any job may have changed."""
        if self._is_expected and not experiment_names(connection):
            return before, ()
        row = experiment_row(connection, self._experiment_id)
        version, created, number = row["version"], row["creation_time"], row["experiment_id"]
        if before.number == number and before.creation_time == created:
            if before.stored_version == version:
                return before, ()
            query = select(RUNS.c.train_id).where(
                RUNS.c.experiment_id == number, RUNS.c.version > before.stored_version
            )
            changed = connection.execute(query.limit(_MOST_JOBS)).scalars().all()
        else:
            changed = []
        sums = self._sums.read(connection, ExperimentVersion(number, created, version))
        state = StoredState(version, created, number, Sums(*sums.get((), ())))
        is_later = before.number == number and before.creation_time == created
        is_later &= version > before.stored_version and len(changed) < _MOST_JOBS
        return state, changed if is_later and state.sums.jobs >= before.sums.jobs else None

    def every(self) -> StoredJobs:
        """All jobs, for what needs every one; read on first use."""
        with self._reading_every:
            state = self.state
            if self._every.version != state.version:
                with self._database.reading() as connection:
                    row = experiment_row(connection, self._experiment_id)
                    self._every = self._every.updated(connection, row)
            return self._every

    def train_ids(self) -> Sequence[str]:
        """The ids of all jobs, unordered."""
        if not self.state.sums.jobs:
            return ()  # there may be no tables yet
        with self._database.reading() as connection:
            query = select(RUNS.c.train_id).where(RUNS.c.experiment_id == self.state.number)
            return connection.execute(query).scalars().all()

    def found(self, train_ids: Sequence[str]) -> Mapping[str, StoredJob]:
        """The jobs that exist, by train_id."""
        found = self.kept.found(train_ids)
        missing = [train_id for train_id in train_ids if train_id not in found]
        for start in range(0, len(missing), READ_AHEAD):
            wanted = list(map(storable, missing[start : start + READ_AHEAD]))
            jobs = self._read(RUNS.c.train_id.in_(wanted))
            if len(missing) == 1 and jobs:
                self._read_ahead(jobs[0].run_id)
            found |= {job.train_id: job for job in jobs}
        return found

    def _read_ahead(self, run_id: int) -> None:
        """Read the neighbors, too, for a client that reads one job after the other."""
        is_next = abs(run_id - self._last) == 1
        self._last = run_id
        if is_next:
            near = RUNS.c.run_id.between(run_id - READ_AHEAD, run_id + READ_AHEAD)
            self._read(near)

    def _read(self, condition: ColumnElement[bool]) -> list[StoredJob]:
        updates = self.kept.updates
        state = self.state
        if not state.sums.jobs:
            return []
        ours = RUNS.c.experiment_id == state.number
        with self._database.reading() as connection:
            jobs = read_jobs(connection, ours & condition, state.creation_time, self.kept.shapes)
        self.kept.add(jobs, updates)
        return jobs

    def newest(self, offset: int, limit: int) -> list[StoredJob]:
        """A part of `list_train_jobs`."""
        if not self.state.sums.jobs:
            return []
        with self._database.reading() as connection:
            query = self._newest_ids(connection).offset(offset).limit(limit)
            run_ids = connection.execute(query).scalars().all()
        return self.with_keys(run_ids)

    def newest_ids(self) -> Sequence[int]:
        """The keys of all jobs in the order of `list_train_jobs`."""
        if not self.state.sums.jobs:
            return ()
        with self._database.reading() as connection:
            rows = connection.execute(self._newest_ids(connection)).scalars()
            return array("q", rows)

    def versions(self) -> Sequence[JobVersion]:
        """As `Store.job_versions`: the jobs updated last, and those with findings."""
        state, (version, known) = self.state, self._versions
        if not state.sums.jobs:
            return ()
        if version == state.version:
            return known
        columns = RUNS.c.train_id, RUNS.c.version, RUNS.c.problems, RUNS.c.update_time
        with self._database.reading() as connection:
            newest = self._newest(connection, *columns).limit(MOST_CHECKED)
            rows = set(connection.execute(newest))
            if state.sums.jobs > MOST_CHECKED and state.sums.problems:
                rows.update(connection.execute(newest.where(RUNS.c.problems > 0)))
        jobs = [
            JobVersion(train_id, version_of(state.creation_time, version), problems or 0)
            for train_id, version, problems, _ in sorted(rows, key=lambda row: (-row[3], row[0]))
        ]
        self._versions = state.version, jobs
        return jobs

    def _newest_ids(self, connection: Connection) -> Select[Any]:
        return self._newest(connection, RUNS.c.run_id)

    def _newest(self, connection: Connection, *columns: ColumnElement[Any]) -> Select[Any]:
        train_id: Any = RUNS.c.train_id
        if connection.dialect.name != "sqlite":
            train_id = collate(train_id, "C")
        query = select(*columns).where(RUNS.c.experiment_id == self.state.number)
        return query.order_by(RUNS.c.update_time.desc(), train_id)

    def with_keys(self, run_ids: Sequence[int]) -> list[StoredJob]:
        """The jobs with these keys that exist."""
        jobs = {job.run_id: job for job in self._read(RUNS.c.run_id.in_(run_ids))}
        return [jobs[run_id] for run_id in run_ids if run_id in jobs]
