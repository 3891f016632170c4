"""StoredJobs: the experiments of a database and their train jobs, without series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    RowMapping,
    Select,
    Table,
    case,
    inspect,
    select,
)

from mindviz.datavisual.run_listing import ListedRun, RunListing, Tags
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import JobLineage, LineageFacts
from mindviz.datavisual.sql.catalog import NO_SHAPE, Shape
from mindviz.datavisual.sql.records import facts_of, finding_of, storable
from mindviz.datavisual.sql.tables import (
    EXPERIMENTS,
    FINDINGS,
    LOG_FILES,
    RUNS,
    SHAPES,
)
from mindviz.datavisual.store import CacheStatus, LogFileInfo, TrainJobInfo
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

    jobs: int = 0
    complete: int = 0
    files: int = 0
    points: int = 0
    bytes: int = 0
    problems: int = 0


NO_SUMS = Sums()


SUMMED = (
    case((RUNS.c.complete, 1), else_=0),
    *(RUNS.c[name] for name in ("files", "points", "bytes", "problems")),
)
"""The columns of `Sums`, but for the number of jobs."""


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
    def listing(self) -> RunListing:
        """All jobs as columns."""
        jobs = self.ordered
        return RunListing.of([job.train_id for job in jobs], [job.listed for job in jobs])

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
        is_changed = (RUNS.c.experiment_id == number) & (RUNS.c.version > since)
        shapes: dict[int, Shape] = {}
        changed = read_jobs(connection, is_changed, now.creation_time, shapes)
        jobs = {**(self.jobs if same else {}), **{job.train_id: job for job in changed}}
        query = select(RUNS.c.train_id).where(RUNS.c.experiment_id == number)
        existing = set(connection.execute(query).scalars())
        return replace(
            now, jobs={train_id: job for train_id, job in jobs.items() if train_id in existing}
        )


def read_jobs(
    connection: Connection,
    condition: ColumnElement[bool],
    created: float,
    shapes: dict[int, Shape],
) -> list[StoredJob]:
    """The jobs that meet a condition on `RUNS`, unordered.

    `created` is the time of the experiment's creation; `shapes` are known ones.
    """
    columns = [RUNS.c[name] for name in _RUN_COLUMNS]
    jobs = []
    for run in connection.execute(select(*columns).where(condition)):
        shape = shapes.get(run.shape_id, NO_SHAPE)
        if shape is NO_SHAPE and run.shape_id is not None:
            shape = shapes[run.shape_id] = read_shape(connection, run.shape_id)
        jobs.append(StoredJob(run, version_of(created, run.version), _listed(run, shape.tags)))
    return jobs


_RUN_COLUMNS = (
    *("run_id", "train_id", "display_name", "create_time", "update_time", "points", "lineage"),
    *("version", "complete", "formats", "files", "lineage_files", "bytes", "problems"),
    *("session_status", "shape_id"),
)


def read_shape(connection: Connection, shape_id: int) -> Shape:
    """A shape that some run has."""
    query = select(SHAPES.c.content).where(SHAPES.c.shape_id == shape_id)
    return Shape.of(connection.execute(query).scalar_one())


def _listed(run: Row[Any], tags: Tags) -> ListedRun:
    return ListedRun(
        create_time=run.create_time,
        update_time=run.update_time,
        points=run.points,
        bytes=run.bytes or 0,
        files=run.files or 0,
        lineage_files=run.lineage_files or 0,
        problems=run.problems or 0,
        formats=_formats(run.formats or ""),
        display_name=run.display_name,
        session_status=run.session_status,
        tags=tags,
    )


@lru_cache(maxsize=64)
def _formats(names: str) -> tuple[str, ...]:
    return tuple(names.split(", ")) if names else ()


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


NO_DETAILS = JobDetails()
