"""StoredJobs: the experiments of a database and their train jobs, without series."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import (
    Column,
    Connection,
    Row,
    RowMapping,
    Select,
    Table,
    Text,
    case,
    cast,
    func,
    inspect,
    select,
)

from mindviz.datavisual.run_listing import ListedRun, RunListing, Tags
from mindviz.datavisual.series.columns import STATS_DTYPES, SeriesStats
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import JobLineage, LineageFacts
from mindviz.datavisual.sql.records import facts_of, finding_of, storable
from mindviz.datavisual.sql.stored_series import lines_of
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


def version_of(creation_time: float, stored_version: int) -> int:
    """A version for clients, the same in all servers; below 2 ** 53, as JavaScript requires.

    It differs after the database was replaced by another one.
    """
    return (int(creation_time) % (1 << 20) << 32) + stored_version


class StoredJob:
    """One train job as of its last commit, without its files and findings: there may be 100,000."""

    __slots__ = ("_facts", "complete", "listed", "run_id", "stored_version", "train_id", "version")

    def __init__(self, run: Row[Any], version: int, listed: ListedRun) -> None:
        self.run_id: int = run.run_id
        self.train_id: str = run.train_id
        self.stored_version: int = run.version
        """`RUNS.version`."""
        self.version = version
        """As in `TrainJobInfo`."""
        self.complete: bool = run.complete
        """False if an earlier version of mindviz began to import it."""
        self.listed = listed
        self._facts: str | LineageFacts | None = run.lineage

    @property
    def lineage(self) -> JobLineage:
        """The job's lineage; decoded on first use."""
        facts = self._facts
        if not isinstance(facts, LineageFacts):
            facts = self._facts = facts_of(facts)
        listed = self.listed
        return JobLineage(
            self.train_id, self.version, listed.create_time, listed.update_time, facts
        )


class JobDetails(NamedTuple):
    """What only pages of jobs show."""

    files: tuple[LogFileInfo, ...] = ()
    problems: tuple[Finding, ...] = ()

    def info(self, job: StoredJob) -> TrainJobInfo:
        """The listing's entry; without details, all files count as summary or lineage files."""
        graphs = sum(file.kind == "graph" for file in self.files)
        listed = job.listed
        return TrainJobInfo(
            train_id=job.train_id,
            create_time=listed.create_time,
            update_time=listed.update_time,
            formats=listed.formats,
            summary_files=listed.files - listed.lineage_files - graphs,
            lineage_files=listed.lineage_files,
            graph_files=graphs,
            bytes=listed.bytes,
            cache_status=CacheStatus.CACHED,
            version=job.version,
            points=listed.points,
            problems=self.problems,
            display_name=listed.display_name,
            session_status=listed.session_status,
        )


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

    stored_version: int = -1
    """`EXPERIMENTS.version`."""
    creation_time: float = 0.0
    """Of the experiment; distinguishes experiments that had the same name."""
    jobs: Mapping[str, StoredJob] = field(default_factory=dict)
    """By train_id."""

    @property
    def version(self) -> int:
        """As `version_of`; 0 before anything was read."""
        return version_of(self.creation_time, max(0, self.stored_version))

    @cached_property
    def ordered(self) -> Sequence[StoredJob]:
        """All jobs, last updated first."""
        return sorted(self.jobs.values(), key=lambda job: (-job.listed.update_time, job.train_id))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """train_id -> position in `ordered`."""
        return {job.train_id: place for place, job in enumerate(self.ordered)}

    @cached_property
    def listing(self) -> RunListing:
        """All jobs as columns."""
        jobs = self.ordered
        return RunListing.of([job.train_id for job in jobs], [job.listed for job in jobs])

    @cached_property
    def sums(self) -> Sums:
        """Totals of all jobs."""
        jobs = self.jobs.values()
        return Sums(
            complete=sum(job.complete for job in jobs),
            files=sum(job.listed.files for job in jobs),
            points=sum(job.listed.points for job in jobs),
            bytes=sum(job.listed.bytes for job in jobs),
            problems=sum(job.listed.problems for job in jobs),
        )

    def precedes(self, other: StoredJobs) -> bool:
        """Whether the other is a later state of the same experiment."""
        return (
            other.creation_time == self.creation_time
            and other.stored_version >= self.stored_version
        )

    def updated(self, connection: Connection, experiment: RowMapping) -> StoredJobs:
        """The current state; reads only changed jobs. Raises DatabaseUnavailable."""
        now = StoredJobs(experiment["version"], experiment["creation_time"])
        same = self.precedes(now)
        if same and now.stored_version == self.stored_version:
            return self
        number = experiment["experiment_id"]
        since = self.stored_version if same else -1
        changed = _changed(connection, number, since=since, created=now.creation_time)
        jobs = {**(self.jobs if same else {}), **changed}
        query = select(RUNS.c.train_id).where(RUNS.c.experiment_id == number)
        existing = set(connection.execute(query).scalars())
        return replace(
            now, jobs={train_id: job for train_id, job in jobs.items() if train_id in existing}
        )


def _changed(
    connection: Connection, experiment_id: int, *, since: int, created: float
) -> dict[str, StoredJob]:
    """train_id -> job, of the jobs committed after version `since` of an experiment.

    `created` is the time of its creation.
    """
    is_changed = (RUNS.c.experiment_id == experiment_id) & (RUNS.c.version > since)

    def grouped(table: Table, *columns: Any) -> Iterable[Any]:
        keys = [column for column in columns if isinstance(column, Column)]
        query = select(table.c.run_id, *columns).join(RUNS, RUNS.c.run_id == table.c.run_id)
        query = query.where(is_changed).group_by(table.c.run_id, *keys)
        return connection.execute(query)  # not as a list: rows of 100,000 jobs take 100 MB

    files: dict[int, list[Any]] = {}
    is_lineage = case((LOG_FILES.c.kind == "lineage", 1), else_=0)
    totals = (func.count(), func.sum(LOG_FILES.c.bytes), func.sum(is_lineage))
    for row in grouped(LOG_FILES, LOG_FILES.c.format, *totals):
        files.setdefault(row[0], []).append(row)
    problems = {row[0]: row[1] for row in grouped(FINDINGS, func.count())}
    texts: dict[str, str] = {}
    series = {
        row[0]: texts.setdefault(row[1], row[1])
        for row in grouped(TAGS, func.aggregate_strings(_SERIES, " "))
    }
    known: dict[str, Tags] = {}
    columns = (RUNS.c[name] for name in _RUN_COLUMNS)
    jobs = {}
    for run in connection.execute(select(*columns).where(is_changed)):
        of_run = files.get(run.run_id, [])
        text = series.get(run.run_id, "")
        if text not in known:
            # Runs of a sweep have equal series.
            lines = lines_of(connection, run.run_id)
            known[text] = {plugin_name: list(tags) for plugin_name, tags in lines.items()}
        version = version_of(created, run.version)
        jobs[run.train_id] = StoredJob(run, version, _listed(run, of_run, problems, known[text]))
    return jobs


_RUN_COLUMNS = (
    *("run_id", "train_id", "display_name", "create_time", "update_time", "points", "lineage"),
    *("version", "complete"),
)
_SERIES = (
    cast(func.length(TAGS.c.tag), Text)
    + TAGS.c.tag
    + cast(func.length(TAGS.c.plugin_name), Text)
    + TAGS.c.plugin_name
    + TAGS.c.stored_as
    + TAGS.c.data_class
    + cast(TAGS.c.is_logged, Text)
)
"""What the tags of a run depend on."""
_SESSION_STATUS = re.compile(r'"session_status": ?"(\w+)"')


def _listed(
    run: Row[Any], files: Sequence[Any], problems: Mapping[int, int], tags: Tags
) -> ListedRun:
    status = None if run.lineage is None else _SESSION_STATUS.search(run.lineage)
    return ListedRun(
        create_time=run.create_time,
        update_time=run.update_time,
        points=run.points,
        bytes=sum(int(row[3]) for row in files),
        files=sum(row[2] for row in files),
        lineage_files=sum(int(row[4]) for row in files),
        problems=problems.get(run.run_id, 0),
        formats=_formats(frozenset(row[1] for row in files)),
        display_name=run.display_name,
        session_status=None if status is None else facts_of(run.lineage).session_status,
        tags=tags,
    )


@lru_cache(maxsize=64)
def _formats(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


def read_details(connection: Connection, run_ids: Collection[int]) -> dict[int, JobDetails]:
    """run_id -> files and findings."""

    def rows_of(table: Table) -> Mapping[int, Sequence[RowMapping]]:
        query = select(table).where(table.c.run_id.in_(run_ids))
        return _by_run(connection, query.order_by(table.c.run_id, table.c.position))

    files, findings = rows_of(LOG_FILES), rows_of(FINDINGS)
    return {run_id: _details(files[run_id], findings[run_id]) for run_id in run_ids}


def _details(files: Sequence[RowMapping], findings: Sequence[RowMapping]) -> JobDetails:
    problems: defaultdict[int | None, list[Finding]] = defaultdict(list)
    for row in findings:
        problems[row["file"]].append(finding_of(row))
    infos = (
        LogFileInfo(
            path=file["path"],
            format=file["format"],
            kind=file["kind"],
            bytes=file["bytes"],
            records=file["records"],
            problems=tuple(problems[file["position"]]),
        )
        for file in files
    )
    return JobDetails(tuple(infos), tuple(finding_of(row) for row in findings))


def _by_run(
    connection: Connection, query: Select[tuple[object, ...]]
) -> Mapping[int, Sequence[RowMapping]]:
    by_run: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        by_run[row["run_id"]].append(row)
    return by_run


def read_summaries(connection: Connection, run_ids: Collection[int]) -> dict[int, ScalarSummaries]:
    """run_id -> summaries."""
    query = (
        select(SCALAR_SUMMARIES, TAGS.c.tag)
        .join(
            TAGS,
            (TAGS.c.run_id == SCALAR_SUMMARIES.c.run_id)
            & (TAGS.c.tag_id == SCALAR_SUMMARIES.c.tag_id),
        )
        .where(SCALAR_SUMMARIES.c.run_id.in_(run_ids))
    )
    return {run_id: summaries(rows) for run_id, rows in _by_run(connection, query).items()}


def read_statistic(
    connection: Connection, experiment_id: int, tag: str, statistic: str
) -> dict[str, float | int]:
    """train_id -> a statistic of one scalar series. NULL is NaN."""
    query = (
        select(RUNS.c.train_id, SCALAR_SUMMARIES.c[statistic])
        .join(RUNS, RUNS.c.run_id == SCALAR_SUMMARIES.c.run_id)
        .join(
            TAGS,
            (TAGS.c.run_id == SCALAR_SUMMARIES.c.run_id)
            & (TAGS.c.tag_id == SCALAR_SUMMARIES.c.tag_id),
        )
        .where(RUNS.c.experiment_id == experiment_id, TAGS.c.tag == storable(tag))
        # Of several generic series with one tag, the first one logged counts.
        .order_by(SCALAR_SUMMARIES.c.tag_id.desc())
    )
    return {
        train_id: math.nan if value is None else value
        for train_id, value in connection.execute(query)
    }


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

NO_DETAILS = JobDetails()
