"""Stored runs: what an import needs to know about the runs in a database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, select

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.records import SeriesKey, SeriesRecord, finding_of, storable
from mindviz.datavisual.sql.tables import FINDINGS, LOG_FILES, RUNS, TAGS

_MOST_SELECTED = 20_000
"""Runs that are selected by their names."""
_BATCH = 500
"""... in one statement."""


class RunState(NamedTuple):
    """The files that a run was imported from; equal if nothing changed."""

    assets: str
    """Fingerprint of the files next to the logs."""
    files: list[tuple[str, int, int]]
    """Path, size and modification time of each log file."""

    @classmethod
    def of(cls, job: FoundJob, base_dir: Path | str) -> RunState:
        """The current state of a job's files."""
        assets = ProjectorAssets(job.directory, base_dir, may_be_there=job.has_assets)
        files = [
            (storable(file.relative_path), file.identity.size, file.identity.mtime_ns)
            for file in job.files
        ]
        return cls(assets.fingerprint(), files)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What a database has of a run."""

    version: int | None = None
    """Of the run's last commit; None if it is not stored."""
    state: RunState | None = None
    """None for incomplete runs."""
    series: Mapping[SeriesKey, SeriesRecord] = field(default_factory=dict)
    dropped: Sequence[Finding] = ()
    """Findings of earlier imports about single values."""


def is_run(experiment_id: int, train_id: str) -> ColumnElement[bool]:
    """Whether a row belongs to this run."""
    return (RUNS.c.experiment_id == experiment_id) & (RUNS.c.train_id == storable(train_id))


def run_states(
    database: Database, experiment_id: int, train_ids: Collection[str]
) -> Mapping[str, RunState | None]:
    """train_id -> state of those that are stored; None for incomplete runs.

    May include other runs. Raises DatabaseUnavailable.
    """
    query = (
        select(
            *(RUNS.c.train_id, RUNS.c.complete, RUNS.c.assets),
            *(LOG_FILES.c.path, LOG_FILES.c.bytes, LOG_FILES.c.modified),
        )
        .select_from(RUNS.outerjoin(LOG_FILES, RUNS.c.run_id == LOG_FILES.c.run_id))
        .where(RUNS.c.experiment_id == experiment_id)
        .order_by(RUNS.c.run_id, LOG_FILES.c.position)
    )
    queries = [query]
    if len(train_ids) <= _MOST_SELECTED:  # beyond that, reading all is faster
        ids = [*map(storable, train_ids)]
        parts = [ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH)]
        queries = [query.where(RUNS.c.train_id.in_(part)) for part in parts]
    states: dict[str, RunState | None] = {}
    with database.reading() as connection:
        for train_id, complete, assets, *file in chain.from_iterable(
            map(connection.execute, queries)
        ):
            state = states.setdefault(train_id, RunState(assets, []) if complete else None)
            if state is not None and file[0] is not None:
                state.files.append((file[0], file[1], file[2]))
    return states


def has_more_runs(database: Database, runs: int) -> bool:
    """Whether there are more than this number in all experiments. Raises DatabaseUnavailable."""
    query = select(RUNS.c.run_id).offset(runs).limit(1)
    with database.reading() as connection:
        return connection.execute(query).first() is not None


def stored_run(database: Database, experiment_id: int, train_id: str) -> StoredRun:
    """One run. Raises DatabaseUnavailable."""
    with database.reading() as connection:
        query = select(RUNS.c.run_id, RUNS.c.version, RUNS.c.complete, RUNS.c.assets)
        row = connection.execute(query.where(is_run(experiment_id, train_id))).first()
        if row is None:
            return StoredRun()
        run_id, version, complete, assets = row
        state = None
        if complete:
            files = select(LOG_FILES.c.path, LOG_FILES.c.bytes, LOG_FILES.c.modified)
            ordered = files.where(LOG_FILES.c.run_id == run_id).order_by(LOG_FILES.c.position)
            state = RunState(assets, [tuple(file) for file in connection.execute(ordered)])
        tags = connection.execute(select(TAGS).where(TAGS.c.run_id == run_id)).mappings()
        records = [SeriesRecord.of(tag) for tag in tags]
        of_values = select(FINDINGS).where(FINDINGS.c.run_id == run_id, FINDINGS.c.of_value)
        dropped = [finding_of(finding) for finding in connection.execute(of_values).mappings()]
    return StoredRun(version, state, {record.key: record for record in records}, dropped)
