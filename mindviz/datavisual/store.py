"""Store: the read side of loaded logs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from mindviz.datavisual.answer_bounds import AnswerSize
from mindviz.datavisual.evictable_caches import Drop
from mindviz.datavisual.kept_results import KeptResults
from mindviz.datavisual.run_listing import JobVersion, ListedRun, RunListing, Tags
from mindviz.datavisual.series.blob_key import BlobAddress
from mindviz.datavisual.series.columns import SeriesStats
from mindviz.datavisual.series.findings import DamagePlace, Finding, are_harmless
from mindviz.datavisual.series.generic_series import (
    Blob,
    BlobElements,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarPoints,
    SeriesListing,
    TensorPoints,
)
from mindviz.datavisual.series.lineage_facts import JobLineage, LineageFacts, MetricValue
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import ScalarIncrement, ScalarTimeSeries, ValueTimeSeries
from mindviz.errors import TagNotFound, TrainJobNotFound


class LoadStatus(StrEnum):
    """Progress of reading the base dir, as in the REST contract."""

    INIT = "init"
    LOADING = "loading"
    LOADED = "loaded"


class CacheStatus(StrEnum):
    """Whether a train job's data is in memory, as in the REST contract."""

    NOT_IN_CACHE = "NOT_IN_CACHE"
    CACHING = "CACHING"
    CACHED = "CACHED"


@dataclass(frozen=True, slots=True)
class LogFileInfo:
    """One log file of a train job."""

    path: str
    """Relative to the base dir, `/` separated."""
    format: str
    """`mindspore`, `tensorboard` or `visualdl`."""
    kind: str
    """`summary`, `lineage` or `graph`."""
    bytes: int
    records: int
    problems: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class TrainJobInfo:
    """A train job without its series."""

    train_id: str
    """`./` and the path below the base dir, `/` separated; `./` alone for the base dir itself."""
    create_time: float
    """Unix seconds: the earliest of the times in its files' names, else of their ctimes."""
    update_time: float
    """Unix seconds: the newest mtime of its files."""
    formats: tuple[str, ...]
    summary_files: int
    lineage_files: int
    graph_files: int
    bytes: int
    """Size of all its log files."""
    cache_status: CacheStatus
    version: int
    """Incremented by every commit of this job."""
    points: int
    """Scalar points of all series, superseded ones included."""
    problems: tuple[Finding, ...]
    """Findings about the job and its files."""
    display_name: str = ""
    """VisualDL's label in the log, if any."""
    session_status: str | None = None
    """As in `LineageFacts`."""

    @property
    def is_integrity(self) -> bool:
        """Whether no data is truncated or damaged."""
        return are_harmless(self.problems)


@dataclass(frozen=True, slots=True)
class BaseStatus:
    """The state of a whole base dir."""

    summary_base_dir: str
    load_status: LoadStatus
    train_jobs: int
    loaded_train_jobs: int
    """Jobs read at least once to their end."""
    files: int
    points: int
    bytes: int
    bytes_read: int
    """Bytes read or skipped, of `bytes`."""
    scanner: str
    """`native` or `python`."""
    version: int
    """Incremented by every commit of any job."""
    watching: str
    """`inotify` or `polling`."""
    problems: tuple[Finding, ...]
    """Findings about the base dir, not about single jobs."""
    problem_count: int = 0
    """Findings about all files and jobs, and about the base dir."""


@dataclass(frozen=True, slots=True, eq=False)
class ScalarSummaries:
    """One row per scalar series of a job. Never evicted."""

    tags: tuple[str, ...]
    """Sorted."""
    total: tuple[int, ...]
    stats: SeriesStats

    def index_of(self, tag: str) -> int:
        """The row of a series; -1 if it does not exist."""
        index = bisect_left(self.tags, tag)
        return index if index < len(self.tags) and self.tags[index] == tag else -1

    def metric(self, tag: str, facts: LineageFacts) -> MetricValue | None:
        """The last written value of a series; None if it does not exist.

        An hparams session in the job's `facts` may have written a later value than the series has.
        """
        row = self.index_of(tag)
        if row < 0:
            return None
        stats = self.stats
        written = float(stats.last_wall_time[row])
        session = facts.session_values.get(tag)
        if session is not None and session.was_written_after(written):
            return session
        return MetricValue(float(stats.last[row]), int(stats.last_step[row]), written)


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """A store as a whole."""

    location: str
    """A path or a database URL without its password."""
    name: str
    description: str = ""
    creation_time: float | None = None
    """Unix seconds."""


class SeriesReader(ABC):
    """Reads many series of many train jobs at once, under the names that generic clients use.

    Answers from each series' default writer. Names in a filter that do not exist are skipped.
    """

    @abstractmethod
    def plugins(self) -> Collection[str]:
        """Names of the plugins that have series."""

    @abstractmethod
    def runs(self) -> Iterable[RunInfo]:
        """All train jobs, unordered; faster than `Store.list_train_jobs`."""

    @abstractmethod
    def list_series(self, query: SeriesQuery) -> Nested[SeriesListing]:
        """The series that a query selects."""

    @abstractmethod
    def read_points(self, query: SeriesQuery, size: AnswerSize) -> Nested[ScalarPoints]:
        """Points of the selected scalar series. Raises AnswerTooLarge, MemoryBusy."""

    @abstractmethod
    def aggregate_points(self, query: SeriesQuery) -> Nested[ScalarAggregate]:
        """Aggregates of the selected scalar series; omits series without points."""

    @abstractmethod
    def read_tensors(self, query: SeriesQuery, size: AnswerSize) -> Nested[TensorPoints]:
        """Values of the selected tensor series, without damaged ones. Raises as `read_points`."""

    @abstractmethod
    def read_blob_sequences(self, query: SeriesQuery, size: AnswerSize) -> Nested[BlobElements]:
        """Blobs of the selected series, without their bytes. Raises as `read_points`."""

    @abstractmethod
    def read_blob(self, address: BlobAddress) -> Blob:
        """A blob. Raises BlobNotFound."""


class Store(ABC):
    """The read side. Results are frozen; methods may be called from any thread.

    Methods that take a `train_id` raise TrainJobNotFound.
    """

    series: SeriesReader
    """Reads many series at once."""
    has_catalog = False
    """Whether SQL can page, sort and filter lists of its jobs."""
    kept_results: KeptResults | None = None

    @abstractmethod
    def info(self) -> StoreInfo:
        """Name and location."""

    @abstractmethod
    def status(self) -> BaseStatus:
        """State of the whole base dir."""

    @property
    @abstractmethod
    def version(self) -> int:
        """As in `status`, but faster."""

    def when_changed(
        self,
        version: int,  # noqa: ARG002 -- for stores that can tell
        call: Callable[[], None],  # noqa: ARG002
    ) -> Callable[[], None] | None:
        """Call `call` once, from any thread, as soon as the version is another one.

        Returns a function that cancels this; None if the store is not notified of changes.
        """
        return None

    @abstractmethod
    def list_train_jobs(self) -> Sequence[TrainJobInfo]:
        """All train jobs, last updated first, then by train_id."""

    def list_train_ids(self) -> Sequence[str]:
        """The ids of all train jobs, unordered; faster than `list_train_jobs`."""
        return [job.train_id for job in self.list_train_jobs()]

    def job_versions(self) -> Sequence[JobVersion]:
        """All train jobs, or those to check of a million, as `list_train_jobs` and faster."""
        infos = self.list_train_jobs()
        return [JobVersion(info.train_id, info.version, len(info.problems)) for info in infos]

    def versions_of(self, train_ids: Collection[str]) -> Sequence[JobVersion]:
        """As `job_versions`, of those of these train jobs that exist."""
        return [job for job in self.job_versions() if job.train_id in train_ids]

    def listing(self) -> RunListing:
        """All train jobs as columns, in the order of `list_train_jobs`."""
        jobs = self.list_train_jobs()
        shared: dict[tuple[object, ...], Tags] = {}
        runs = [
            ListedRun(
                create_time=job.create_time,
                update_time=job.update_time,
                points=job.points,
                bytes=job.bytes,
                files=job.summary_files + job.lineage_files + job.graph_files,
                lineage_files=job.lineage_files,
                problems=len(job.problems),
                formats=job.formats,
                display_name=job.display_name,
                session_status=job.session_status,
                tags=self._shared_tags(job, shared),
            )
            for job in jobs
        ]
        return RunListing.of([job.train_id for job in jobs], runs)

    def _shared_tags(self, job: TrainJobInfo, shared: dict[tuple[object, ...], Tags]) -> Tags:
        try:
            tags = self.list_tags(job.train_id)
        except TrainJobNotFound:  # just deleted
            return {}
        key = tuple((plugin_name, *names) for plugin_name, names in tags.items())
        return shared.setdefault(key, tags)

    @abstractmethod
    def train_job(self, train_id: str) -> TrainJobInfo:
        """One train job."""

    def train_jobs(self, train_ids: Sequence[str]) -> Sequence[TrainJobInfo]:
        """These train jobs, without those that do not exist."""
        jobs = []
        for train_id in train_ids:
            with suppress(TrainJobNotFound):
                jobs.append(self.train_job(train_id))
        return jobs

    @abstractmethod
    def log_files(self, train_id: str) -> Sequence[LogFileInfo]:
        """The log files of a train job, sorted by path."""

    def damage_place(
        self,
        train_id: str,
        path: str,  # noqa: ARG002 -- stores that read files do
        offset: int,  # noqa: ARG002
    ) -> DamagePlace | None:
        """The last point of the log file before this offset; None if there is no point or file.

        `path` is one of `log_files`.
        """
        self.train_job(train_id)
        return None

    @abstractmethod
    def cache_train_job(self, train_id: str) -> CacheStatus:
        """Start to load the job's data. Returns its previous status."""

    @abstractmethod
    def list_tags(self, train_id: str) -> Mapping[str, Sequence[str]]:
        """plugin_name -> tags as logged, sorted."""

    @abstractmethod
    def scalar_summaries(self, train_id: str) -> ScalarSummaries:
        """Statistics of all scalar series."""

    def read_summaries_ahead(self, train_ids: Sequence[str]) -> None:  # noqa: B027 -- optional
        """Read the summaries of these jobs at once, before each is requested, if that is faster."""

    def scalar_statistic(
        self,
        tag: str,  # noqa: ARG002 -- for stores that read it faster than all summaries
        statistic: str,  # noqa: ARG002
    ) -> Mapping[str, float | int] | None:
        """train_id -> a statistic of `SeriesStats`, of all jobs with the scalar series.

        None: `scalar_summaries` of each job is as fast.
        """
        return None

    @abstractmethod
    def read_lineage(self, train_id: str) -> JobLineage:
        """The job's lineage."""

    @abstractmethod
    def list_lineages(self) -> Sequence[JobLineage]:
        """Lineages of all jobs, in the order of `list_train_jobs`; fast."""

    # One series, with its restarts and writers ----------------------------------------------------

    @abstractmethod
    def read_scalars(
        self, train_id: str, tag: str, *, restarts: Restarts = "latest", writer: str | None = None
    ) -> ScalarTimeSeries:
        """Every point of a scalar series; loads the job if necessary.

        `writer` is one of the series' `writers`, default the first.
        Raises TagNotFound, InvalidQuery (unknown writer).
        """

    def read_points(self, train_ids: Iterable[str], tag: str) -> Iterator[ScalarPoints]:
        """The points that count of each train job that has this scalar series.

        Faster than `read_scalars` for many train jobs.
        """
        for train_id in train_ids:
            try:
                series = self.read_scalars(train_id, tag)
            except (TrainJobNotFound, TagNotFound):
                continue
            yield ScalarPoints(series.step, series.wall_time, series.value)

    @abstractmethod
    def read_scalars_since(
        self, train_id: str, tag: str, *, epoch: str, total: int, writer: str | None = None
    ) -> ScalarIncrement:
        """New points since this `epoch` and `total`. Raises as `read_scalars`."""

    @abstractmethod
    def read_values(
        self, train_id: str, plugin_name: str, tag: str, *, writer: str | None = None
    ) -> ValueTimeSeries:
        """A series of tensors or blob sequences of one writer, default the first.

        Raises TagNotFound, InvalidQuery (unknown writer).
        """

    @abstractmethod
    def charge_cache(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        """Charge a cache of data derived from a train job to the memory budget.

        `drop` is called when the job is removed, when memory is needed, or when the job's cache
        with the same key is charged again.
        """
