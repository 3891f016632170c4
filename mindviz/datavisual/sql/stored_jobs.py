"""StoredJobs: the experiments of a database and their train jobs, without series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import Connection, RowMapping, Select, Table, inspect, select

from mindviz.datavisual.series.columns import STATS_DTYPES, SeriesStats
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import JobLineage
from mindviz.datavisual.sql.records import facts_of, finding_of, storable
from mindviz.datavisual.sql.tables import (
    EXPERIMENTS,
    FINDINGS,
    LOG_FILES,
    RUNS,
    SCALAR_SUMMARIES,
    TAGS,
)
from mindviz.datavisual.store import CacheStatus, LogFileInfo, ScalarSummaries, TrainJobInfo
from mindviz.errors import ExperimentNotFound


def experiment_names(connection: Connection) -> list[str]:
    """Names of all experiments, in the order of their first import; none before an import."""
    if not inspect(connection).has_table(EXPERIMENTS.name):
        return []
    query = select(EXPERIMENTS.c.name).order_by(EXPERIMENTS.c.experiment_id)
    return list(connection.execute(query).scalars())


def experiment_row(connection: Connection, experiment_id: str) -> RowMapping:
    """An experiment; the first one if the id is empty. Raises ExperimentNotFound."""
    query = select(EXPERIMENTS).order_by(EXPERIMENTS.c.experiment_id).limit(1)
    if experiment_id:
        query = query.where(EXPERIMENTS.c.name == storable(experiment_id))
    row = connection.execute(query).mappings().first()
    if row is None:
        raise ExperimentNotFound(experiment_id, experiment_names(connection))
    return row


def experiment_number(connection: Connection, experiment_id: str) -> int:
    """The key of an experiment. Raises as `experiment_row`."""
    return int(experiment_row(connection, experiment_id)["experiment_id"])


@dataclass(frozen=True, slots=True)
class StoredJob:
    """One train job as of its last commit."""

    run_id: int
    stored_version: int
    """`RUNS.version`."""
    complete: bool
    """False while an import writes it."""
    info: TrainJobInfo
    lineage: JobLineage
    files: tuple[LogFileInfo, ...]


@dataclass(frozen=True, slots=True)
class Sums:
    """Totals of all jobs of an experiment."""

    complete: int
    files: int
    points: int
    bytes: int
    problems: int


@dataclass(frozen=True)
class StoredJobs:
    """All jobs of an experiment at one moment."""

    version: int = 0
    """Incremented by this process with every change it reads."""
    stored_version: int = -1
    """`EXPERIMENTS.version`."""
    creation_time: float = 0.0
    """Of the experiment; distinguishes experiments that had the same name."""
    jobs: Mapping[str, StoredJob] = field(default_factory=dict)
    """By train_id."""

    @cached_property
    def infos(self) -> Sequence[TrainJobInfo]:
        """All jobs, last updated first."""
        infos = (job.info for job in self.jobs.values())
        return sorted(infos, key=lambda info: (-info.update_time, info.train_id))

    @cached_property
    def lineages(self) -> Sequence[JobLineage]:
        """Lineages in the order of `infos`."""
        return [self.jobs[info.train_id].lineage for info in self.infos]

    @cached_property
    def sums(self) -> Sums:
        """Totals of all jobs."""
        jobs = self.jobs.values()
        return Sums(
            complete=sum(job.complete for job in jobs),
            files=sum(len(job.files) for job in jobs),
            points=sum(job.info.points for job in jobs),
            bytes=sum(job.info.bytes for job in jobs),
            problems=sum(len(job.info.problems) for job in jobs),
        )

    def precedes(self, other: StoredJobs) -> bool:
        """Whether the other is a later state of the same experiment."""
        return (
            other.creation_time == self.creation_time
            and other.stored_version >= self.stored_version
        )

    def updated(self, connection: Connection, experiment: RowMapping) -> StoredJobs:
        """The current state; reads only changed jobs. Raises DatabaseUnavailable."""
        now = StoredJobs(self.version + 1, experiment["version"], experiment["creation_time"])
        same = self.precedes(now)
        if same and now.stored_version == self.stored_version:
            return self
        number = experiment["experiment_id"]
        since = self.stored_version if same else -1
        changed = _changed(connection, number, since=since, version=now.version)
        jobs = {**(self.jobs if same else {}), **changed}
        query = select(RUNS.c.train_id).where(RUNS.c.experiment_id == number)
        existing = set(connection.execute(query).scalars())
        return replace(
            now, jobs={train_id: job for train_id, job in jobs.items() if train_id in existing}
        )


def _changed(
    connection: Connection, experiment_id: int, *, since: int, version: int
) -> dict[str, StoredJob]:
    """Jobs committed after `since`, a version of the database; `version` is their new version."""
    is_changed = (RUNS.c.experiment_id == experiment_id) & (RUNS.c.version > since)

    def rows_of(table: Table) -> Mapping[int, Sequence[RowMapping]]:
        query = (
            select(table)
            .join(RUNS, RUNS.c.run_id == table.c.run_id)
            .where(is_changed)
            .order_by(table.c.run_id, table.c.position)
        )
        return _by_run(connection, query)

    files, findings = rows_of(LOG_FILES), rows_of(FINDINGS)
    return {
        run["train_id"]: _job(run, files[run["run_id"]], findings[run["run_id"]], version)
        for run in connection.execute(select(RUNS).where(is_changed)).mappings()
    }


def _by_run(
    connection: Connection, query: Select[tuple[object, ...]]
) -> Mapping[int, Sequence[RowMapping]]:
    by_run: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        by_run[row["run_id"]].append(row)
    return by_run


def _job(
    run: RowMapping, files: Sequence[RowMapping], findings: Sequence[RowMapping], version: int
) -> StoredJob:
    problems: defaultdict[int | None, list[Finding]] = defaultdict(list)
    for row in findings:
        problems[row["file"]].append(finding_of(row))
    kinds = [file["kind"] for file in files]
    facts = facts_of(run["lineage"])
    info = TrainJobInfo(
        train_id=run["train_id"],
        create_time=run["create_time"],
        update_time=run["update_time"],
        formats=tuple(sorted({file["format"] for file in files})),
        summary_files=kinds.count("summary"),
        lineage_files=kinds.count("lineage"),
        graph_files=kinds.count("graph"),
        bytes=sum(file["bytes"] for file in files),
        cache_status=CacheStatus.CACHED,
        version=version,
        points=run["points"],
        problems=tuple(finding_of(row) for row in findings),
        display_name=run["display_name"],
        session_status=facts.session_status,
    )
    return StoredJob(
        run_id=run["run_id"],
        stored_version=run["version"],
        complete=run["complete"],
        info=info,
        lineage=JobLineage(run["train_id"], version, run["create_time"], run["update_time"], facts),
        files=tuple(
            LogFileInfo(
                path=file["path"],
                format=file["format"],
                kind=file["kind"],
                bytes=file["bytes"],
                records=file["records"],
                problems=tuple(problems[file["position"]]),
            )
            for file in files
        ),
    )


def read_summaries(
    connection: Connection, experiment_id: int, *, since: int
) -> dict[int, ScalarSummaries]:
    """run_id -> summaries of the jobs committed after version `since`."""
    query = (
        select(SCALAR_SUMMARIES, TAGS.c.tag)
        .join(
            TAGS,
            (TAGS.c.run_id == SCALAR_SUMMARIES.c.run_id)
            & (TAGS.c.tag_id == SCALAR_SUMMARIES.c.tag_id),
        )
        .join(RUNS, RUNS.c.run_id == SCALAR_SUMMARIES.c.run_id)
        .where(RUNS.c.experiment_id == experiment_id, RUNS.c.version > since)
    )
    return {run_id: summaries(rows) for run_id, rows in _by_run(connection, query).items()}


def summaries(rows: Iterable[RowMapping]) -> ScalarSummaries:
    """Summaries of one job. NULL is NaN."""
    # Of several generic series with one tag, the first one logged counts.
    ordered = {row["tag"]: row for row in sorted(rows, key=lambda r: -r["tag_id"])}
    chosen = [ordered[tag] for tag in sorted(ordered)]
    columns: list[Any] = [
        np.array([row[name] for row in chosen], SCALAR_SUMMARIES.c[name].type.python_type)
        for name in STATS_DTYPES
    ]
    return ScalarSummaries(
        tags=tuple(row["tag"] for row in chosen),
        total=tuple(row["total"] for row in chosen),
        stats=SeriesStats(*columns),
    )


NO_SUMMARIES = summaries(())
