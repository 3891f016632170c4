"""SqlStore: a Store over an imported experiment."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, overload

from sqlalchemy import Connection

from mindviz.datavisual.evictable_caches import Drop, EvictableCaches
from mindviz.datavisual.logs.scanner.scan import scanner_name
from mindviz.datavisual.run_listing import JobVersion, RunListing
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.lineage_facts import JobLineage
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    DataClass,
    ScalarIncrement,
    ScalarTimeSeries,
    ValueTimeSeries,
)
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.job_reader import READ_AHEAD, JobReader
from mindviz.datavisual.sql.latest_cache import LatestCache
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.stored_jobs import (
    NO_DETAILS,
    JobDetails,
    StoredJob,
    experiment_number,
    experiment_row,
    read_details,
)
from mindviz.datavisual.sql.stored_series import (
    StoredLine,
    lines_of,
    scalar_increment,
    scalar_series,
    value_series,
)
from mindviz.datavisual.sql.summaries import NO_SUMMARIES, read_statistic, read_summaries
from mindviz.datavisual.sql.table_reader import TableReader
from mindviz.datavisual.store import (
    BaseStatus,
    CacheStatus,
    LoadStatus,
    LogFileInfo,
    ScalarSummaries,
    Store,
    StoreInfo,
    TrainJobInfo,
)
from mindviz.errors import (
    MindvizError,
    TagNotFound,
    TrainJobNotFound,
    WriterNotFound,
)

_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")
_Read = Callable[[Collection[int]], Mapping[int, T]]
_MOST_DETAILS = 2_000
"""Jobs whose details are kept."""


class SqlStore(Store):
    """Reads one experiment of a database, which it neither opens nor closes.

    A start reads only totals. Jobs are read on demand, and again after their version changed.
    """

    has_catalog = True

    def __init__(
        self,
        database: Database,
        experiment_id: str = "",
        *,
        reload_interval: float = 3.0,
        max_memory: int = 1 << 30,
        is_expected: bool = False,
        scratch_folder: Path | None = None,
    ) -> None:
        """The empty id means the first experiment of the database. Reads nothing yet.

        With `is_expected`, an experiment that does not exist yet has no jobs and no problem.
        `scratch_folder`: where columns of many runs may be, instead of in memory.
        """
        self.scratch_folder = scratch_folder
        self.database = database
        self.experiment_id = experiment_id
        self.series = TableReader(database, experiment_id)
        self._reload_interval = reload_interval
        self._jobs = JobReader(database, experiment_id, is_expected=is_expected)
        self._load_status = LoadStatus.INIT
        self._problem: Finding | None = None
        self._refreshing = threading.Lock()
        self._loaded, self._closed = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._poll, name="mindviz-database", daemon=True)
        self._details: LatestCache[JobDetails] = LatestCache(_MOST_DETAILS)
        self._summaries: LatestCache[ScalarSummaries] = LatestCache(_MOST_DETAILS)
        self._caches = EvictableCaches(max_memory)

    # Following the database ---------------------------------------------------------------------

    def start(self) -> None:
        """Follow imports in the background."""
        self._load_status = LoadStatus.LOADING
        self._thread.start()

    def load_once(self) -> None:
        """Read the current state, then return; `close` is not needed afterwards."""
        self.refresh()

    def _poll(self) -> None:
        while not self._closed.is_set():
            try:
                self.refresh()
            except MindvizError as error:
                _LOGGER.debug("%s", error)  # reported by `status`, and retried
            if not self._reload_interval and self._loaded.is_set():
                return
            self._closed.wait(self._reload_interval or 1.0)

    def refresh(self) -> None:
        """Read what is new, then return.

        Raises DatabaseUnavailable, ExperimentNotFound.
        """
        with self._refreshing:
            try:
                gone = self._jobs.refresh()
            except MindvizError as error:
                if self._problem is None:
                    _LOGGER.warning("%s", error)
                self._problem = Finding(FindingKind.UNREADABLE, "", None, str(error))
                raise
            self._problem = None
            for train_id in gone:
                self._caches.drop_all(train_id)
            self._load_status = LoadStatus.LOADED
            self._loaded.set()

    def wait_until_loaded(self, timeout: float) -> None:
        """Return when the jobs have been read once, or after the timeout in seconds."""
        self._loaded.wait(timeout)

    def close(self) -> None:
        """Stop the background thread."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    # The experiment -----------------------------------------------------------------------------

    def info(self) -> StoreInfo:
        with self.database.reading() as connection:
            row = experiment_row(connection, self.experiment_id)
        return StoreInfo(self.database.shown, row["name"], row["description"], row["creation_time"])

    def status(self) -> BaseStatus:
        # In this order, so that the totals of a loaded store are complete.
        load_status, state = self._load_status, self._jobs.state
        problems = () if self._problem is None else (self._problem,)
        sums = state.sums
        return BaseStatus(
            summary_base_dir=f"{self.database.shown}#{self.experiment_id}",
            load_status=load_status,
            train_jobs=sums.jobs,
            loaded_train_jobs=sums.complete,
            files=sums.files,
            points=sums.points,
            bytes=sums.bytes,
            bytes_read=sums.bytes,
            scanner=scanner_name(),
            version=state.version,
            watching="polling",
            problems=problems,
            problem_count=len(problems) + sums.problems,
        )

    @property
    def version(self) -> int:
        return self._jobs.state.version

    def list_train_jobs(self) -> Sequence[TrainJobInfo]:
        return _Infos(self, self._jobs)

    def job_versions(self) -> Sequence[JobVersion]:
        return self._jobs.versions()

    def versions_of(self, train_ids: Collection[str]) -> Sequence[JobVersion]:
        jobs = self._jobs.found(list(train_ids)).values()
        ordered = sorted(jobs, key=lambda job: (-job.listed.update_time, job.train_id))
        return [JobVersion(job.train_id, job.version, job.listed.problems) for job in ordered]

    def listing(self) -> RunListing:
        return self._jobs.every().listing

    def list_train_ids(self) -> Sequence[str]:
        return self._jobs.train_ids()

    def train_job(self, train_id: str) -> TrainJobInfo:
        return self.infos([self._job(train_id)])[0]

    def train_jobs(self, train_ids: Sequence[str]) -> Sequence[TrainJobInfo]:
        jobs = self._jobs.found(train_ids)
        return self.infos([jobs[train_id] for train_id in train_ids if train_id in jobs])

    def infos(self, jobs: Sequence[StoredJob]) -> Sequence[TrainJobInfo]:
        """The entries of these jobs in the listing. Raises DatabaseUnavailable."""
        details = self._detailed(jobs)
        return [details.get(job.run_id, NO_DETAILS).info(job) for job in jobs]

    def _detailed(self, jobs: Sequence[StoredJob]) -> Mapping[int, JobDetails]:
        return self._details.of(jobs, self._read(read_details))

    def _read(self, read: Callable[[Connection, Collection[int]], Mapping[int, T]]) -> _Read[T]:
        def in_transaction(run_ids: Collection[int]) -> Mapping[int, T]:
            with self.database.reading() as connection:
                return read(connection, run_ids)

        return in_transaction

    def _job(self, train_id: str) -> StoredJob:
        try:
            return self._jobs.found([train_id])[train_id]
        except KeyError:
            known = [job.train_id for job in self._jobs.newest(0, READ_AHEAD)]
            raise TrainJobNotFound(train_id, known) from None

    def log_files(self, train_id: str) -> Sequence[LogFileInfo]:
        job = self._job(train_id)
        return self._detailed([job])[job.run_id].files

    def cache_train_job(self, train_id: str) -> CacheStatus:
        self._job(train_id)
        return CacheStatus.CACHED

    def list_tags(self, train_id: str) -> Mapping[str, Sequence[str]]:
        return self._job(train_id).listed.tags

    def _series_lines(
        self, connection: Connection, job: StoredJob, plugin_name: str, tag: str
    ) -> Sequence[StoredLine]:
        lines = lines_of(connection, job.run_id, storable(tag))
        try:
            return lines[plugin_name][storable(tag)]
        except KeyError:
            known = lines_of(connection, job.run_id).get(plugin_name, ())
            raise TagNotFound(job.train_id, plugin_name, tag, known) from None

    def scalar_summaries(self, train_id: str) -> ScalarSummaries:
        job = self._job(train_id)
        # Clients usually read the jobs that they listed, in this order.
        following = self._jobs.kept.following(train_id, READ_AHEAD)
        read = self._read(read_summaries)
        return self._summaries.of([job], read, ahead=following).get(job.run_id, NO_SUMMARIES)

    def read_summaries_ahead(self, train_ids: Sequence[str]) -> None:
        self._summaries.of(list(self._jobs.found(train_ids).values()), self._read(read_summaries))

    def scalar_statistic(self, tag: str, statistic: str) -> Mapping[str, float | int] | None:
        with self.database.reading() as connection:
            number = experiment_number(connection, self.experiment_id)
            return read_statistic(connection, number, tag, statistic)

    def read_lineage(self, train_id: str) -> JobLineage:
        return self._job(train_id).lineage

    def lineages_of(self, train_ids: Sequence[str]) -> Sequence[JobLineage]:
        """The lineages of those jobs that exist."""
        jobs = self._jobs.found(train_ids)
        return [jobs[train_id].lineage for train_id in train_ids if train_id in jobs]

    def list_lineages(self) -> Sequence[JobLineage]:
        return [job.lineage for job in self._jobs.every().ordered]

    def read_scalars(
        self, train_id: str, tag: str, *, restarts: Restarts = "latest", writer: str | None = None
    ) -> ScalarTimeSeries:
        job = self._job(train_id)
        with self.database.reading() as connection:
            lines = self._series_lines(connection, job, SCALAR_PLUGIN, tag)
            return scalar_series(
                connection, _line(lines, writer), _writers(lines), superseded=restarts == "all"
            )

    def read_scalars_since(
        self, train_id: str, tag: str, *, epoch: str, total: int, writer: str | None = None
    ) -> ScalarIncrement:
        job = self._job(train_id)
        with self.database.reading() as connection:
            lines = self._series_lines(connection, job, SCALAR_PLUGIN, tag)
            return scalar_increment(connection, _line(lines, writer), _writers(lines), epoch, total)

    def read_values(
        self, train_id: str, plugin_name: str, tag: str, *, writer: str | None = None
    ) -> ValueTimeSeries:
        job = self._job(train_id)
        with self.database.reading() as connection:
            lines = self._series_lines(connection, job, plugin_name, tag)
            line = _line(lines, writer)
            if line.series_class.data_class is DataClass.SCALAR:
                raise TagNotFound(train_id, plugin_name, tag)
            return value_series(self.database, connection, line, _writers(lines))

    def charge_cache(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        self._job(train_id)
        self._caches.charge(train_id, key, nbytes, drop)


class _Infos(Sequence[TrainJobInfo]):
    """Train jobs that are read from the database on access, because a page needs few of them."""

    def __init__(self, store: SqlStore, jobs: JobReader) -> None:
        self._store = store
        self._jobs = jobs
        self._count = jobs.state.sums.jobs

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> TrainJobInfo: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TrainJobInfo]: ...
    def __getitem__(self, index: int | slice) -> TrainJobInfo | Sequence[TrainJobInfo]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._count)
            return self._store.infos(self._jobs.newest(start, max(0, stop - start)))[::step]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        return self._store.infos(self._jobs.newest(index % self._count, 1))[0]

    def __iter__(self) -> Iterator[TrainJobInfo]:
        run_ids = self._jobs.newest_ids()
        for start in range(0, len(run_ids), READ_AHEAD):
            jobs = self._jobs.with_keys(run_ids[start : start + READ_AHEAD])
            yield from self._store.infos(jobs)


def _line(lines: Sequence[StoredLine], writer: str | None) -> StoredLine:
    for line in lines:
        if writer is None or line.record.writer == writer:
            return line
    assert writer is not None  # a series has at least one line
    raise WriterNotFound(writer, *_writers(lines))


def _writers(lines: Sequence[StoredLine]) -> tuple[str, ...]:
    # Series from files next to a log have no writer.
    return tuple(line.record.writer for line in lines if line.record.writer)
