"""StoredJobs: what a database says of the train jobs of an experiment, besides their series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import Connection, RowMapping, Select, Table, select

from mindviz.datavisual.series.columns import SeriesStats
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import JobLineage
from mindviz.datavisual.sql.records import facts_of, finding_of
from mindviz.datavisual.sql.tables import (
    FINDINGS,
    LOG_FILES,
    RUNS,
    SCALAR_SUMMARIES,
    TAGS,
)
from mindviz.datavisual.store import (
    CacheStatus,
    LogFileInfo,
    ScalarSummaries,
    TrainJobInfo,
)

_STATS = tuple(SeriesStats.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class StoredJob:
    """One train job, as it was at its last commit."""

    run_id: int
    stored_version: int
    """As the database counts."""
    complete: bool
    """Whether no import is at it."""
    info: TrainJobInfo
    lineage: JobLineage
    files: tuple[LogFileInfo, ...]


@dataclass(frozen=True, slots=True)
class Sums:
    """Over all jobs of an experiment."""

    complete: int
    files: int
    points: int
    bytes: int
    problems: int


@dataclass(frozen=True)
class StoredJobs:
    """All jobs of an experiment at one moment."""

    version: int = 0
    """Grows with every change that is seen here."""
    stored_version: int = -1
    """As the database counts; another database may count from the start again."""
    creation_time: float = 0.0
    """Of the experiment: tells one from another of the same name."""
    jobs: Mapping[str, StoredJob] = field(default_factory=dict)
    """By train_id."""

    @cached_property
    def infos(self) -> Sequence[TrainJobInfo]:
        """The job updated last first."""
        infos = (job.info for job in self.jobs.values())
        return sorted(infos, key=lambda info: (-info.update_time, info.train_id))

    @cached_property
    def lineages(self) -> Sequence[JobLineage]:
        """In the same order."""
        return [self.jobs[info.train_id].lineage for info in self.infos]

    @cached_property
    def sums(self) -> Sums:
        """Over all jobs: clients ask for them all the time."""
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
        """What is stored now; only jobs that changed are read. Raises DatabaseUnavailable."""
        now = StoredJobs(self.version + 1, experiment["version"], experiment["creation_time"])
        same = self.precedes(now)
        if same and now.stored_version == self.stored_version:
            return self
        number = experiment["experiment_id"]
        since = self.stored_version if same else -1
        changed = _changed(connection, number, since=since, version=now.version)
        jobs = {**(self.jobs if same else {}), **changed}
        query = select(RUNS.c.train_id).where(RUNS.c.experiment_id == number)
        there = set(connection.execute(query).scalars())
        return replace(
            now, jobs={train_id: job for train_id, job in jobs.items() if train_id in there}
        )


def _changed(
    connection: Connection, experiment_id: int, *, since: int, version: int
) -> dict[str, StoredJob]:
    """Jobs committed after version `since` of the database; `version` is what they get here."""
    wanted = (RUNS.c.experiment_id == experiment_id) & (RUNS.c.version > since)

    def rows_of(table: Table) -> Mapping[int, Sequence[RowMapping]]:
        query = (
            select(table)
            .join(RUNS, RUNS.c.run_id == table.c.run_id)
            .where(wanted)
            .order_by(table.c.run_id, table.c.position)
        )
        return _by_run(connection, query)

    files, findings = rows_of(LOG_FILES), rows_of(FINDINGS)
    return {
        run["train_id"]: _job(run, files[run["run_id"]], findings[run["run_id"]], version)
        for run in connection.execute(select(RUNS).where(wanted)).mappings()
    }


def _by_run(
    connection: Connection, query: Select[tuple[object, ...]]
) -> Mapping[int, Sequence[RowMapping]]:
    found: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        found[row["run_id"]].append(row)
    return found


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
        is_integrity=run["is_integrity"],
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


# ------------------------------------------------------------------------------------ summaries


def read_summaries(
    connection: Connection, experiment_id: int, *, since: int
) -> dict[int, ScalarSummaries]:
    """run_id -> summaries of all series, of the jobs committed after version `since`."""
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
    """Those of one job. NULL is NaN."""
    # Two generic series of one tag are one here: the first that was logged.
    ordered = {row["tag"]: row for row in sorted(rows, key=lambda r: -r["tag_id"])}
    chosen = [ordered[tag] for tag in sorted(ordered)]
    columns: list[Any] = [
        np.array([row[name] for row in chosen], SCALAR_SUMMARIES.c[name].type.python_type)
        for name in _STATS
    ]
    return ScalarSummaries(
        tags=tuple(row["tag"] for row in chosen),
        total=tuple(row["total"] for row in chosen),
        stats=SeriesStats(*columns),
    )


NO_SUMMARIES = summaries(())
