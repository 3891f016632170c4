"""SqlStore: a Store over an imported experiment."""

from __future__ import annotations

import logging
import threading
from collections.abc import Hashable, Mapping, Sequence
from contextlib import nullcontext

from sqlalchemy import Connection

from mindviz.datavisual.evictable_caches import Drop, EvictableCaches
from mindviz.datavisual.logs.scanner.scan import scanner_name
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
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.stored_jobs import (
    NO_SUMMARIES,
    StoredJob,
    StoredJobs,
    experiment_names,
    experiment_number,
    experiment_row,
    read_summaries,
)
from mindviz.datavisual.sql.stored_series import (
    Lines,
    StoredLine,
    lines_of,
    scalar_increment,
    scalar_series,
    value_series,
)
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
from mindviz.errors import MindvizError, TagNotFound, TrainJobNotFound, WriterNotFound

_LOGGER = logging.getLogger(__name__)


class SqlStore(Store):
    """Reads one experiment of a database, which it neither opens nor closes.

    Job listings are cached, and read again when the experiment's version changes. Series and values
    are read on demand.
    """

    def __init__(
        self,
        database: Database,
        experiment_id: str = "",
        *,
        reload_interval: float = 3.0,
        max_memory: int = 1 << 30,
        is_expected: bool = False,
    ) -> None:
        """The empty id means the first experiment of the database. Reads nothing yet.

        With `is_expected`, an experiment that does not exist yet has no jobs and no problem.
        """
        self.database = database
        self._experiment_id = experiment_id
        self.series = TableReader(database, experiment_id)
        self._is_expected = is_expected
        self._reload_interval = reload_interval
        self._jobs = StoredJobs()
        self._load_status = LoadStatus.INIT
        self._problem: Finding | None = None
        self._refreshing = threading.Lock()
        self._loaded, self._closed = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._poll, name="mindviz-database", daemon=True)
        self._lines: dict[int, tuple[int, Lines]] = {}
        """run_id -> version of the job, its series."""
        self._summaries: tuple[StoredJobs, Mapping[int, ScalarSummaries]] = (self._jobs, {})
        """The jobs for which summaries were read; run_id -> summaries."""
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
                with self.database.reading() as connection:
                    jobs = self._jobs
                    if not self._is_expected or experiment_names(connection):
                        row = experiment_row(connection, self._experiment_id)
                        jobs = jobs.updated(connection, row)
            except MindvizError as error:
                if self._problem is None:
                    _LOGGER.warning("%s", error)
                self._problem = Finding(FindingKind.UNREADABLE, "", None, str(error))
                raise
            self._problem = None
            gone = self._jobs.jobs.keys() - jobs.jobs.keys()
            self._jobs = jobs
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
            row = experiment_row(connection, self._experiment_id)
        return StoreInfo(self.database.shown, row["name"], row["description"], row["creation_time"])

    def status(self) -> BaseStatus:
        # In this order, so that the totals of a loaded store are complete.
        load_status, jobs = self._load_status, self._jobs
        problems = () if self._problem is None else (self._problem,)
        sums = jobs.sums
        return BaseStatus(
            summary_base_dir=f"{self.database.shown}#{self._experiment_id}",
            load_status=load_status,
            train_jobs=len(jobs.jobs),
            loaded_train_jobs=sums.complete,
            files=sums.files,
            points=sums.points,
            bytes=sums.bytes,
            bytes_read=sums.bytes,
            scanner=scanner_name(),
            version=jobs.version,
            watching="polling",
            problems=problems,
            problem_count=len(problems) + sums.problems,
        )

    @property
    def version(self) -> int:
        return self._jobs.version

    def list_train_jobs(self) -> Sequence[TrainJobInfo]:
        return self._jobs.infos

    def train_job(self, train_id: str) -> TrainJobInfo:
        return self._job(train_id).info

    def _job(self, train_id: str) -> StoredJob:
        try:
            return self._jobs.jobs[train_id]
        except KeyError:
            raise TrainJobNotFound(train_id, self._jobs.jobs) from None

    def log_files(self, train_id: str) -> Sequence[LogFileInfo]:
        return self._job(train_id).files

    def cache_train_job(self, train_id: str) -> CacheStatus:
        return self._job(train_id).info.cache_status

    def list_tags(self, train_id: str) -> Mapping[str, Sequence[str]]:
        job = self._job(train_id)
        return {plugin_name: list(tags) for plugin_name, tags in self._all_lines(job).items()}

    def _all_lines(self, job: StoredJob, connection: Connection | None = None) -> Lines:
        version, lines = self._lines.get(job.run_id, (-1, {}))
        if version != job.info.version:
            with nullcontext(connection) if connection else self.database.reading() as reading:
                lines = lines_of(reading, job.run_id)
            self._lines[job.run_id] = job.info.version, lines
        return lines

    def _series_lines(
        self, connection: Connection, job: StoredJob, plugin_name: str, tag: str
    ) -> Sequence[StoredLine]:
        lines = lines_of(connection, job.run_id, storable(tag))
        try:
            return lines[plugin_name][storable(tag)]
        except KeyError:
            known = self._all_lines(job, connection).get(plugin_name, ())
            raise TagNotFound(job.info.train_id, plugin_name, tag, known) from None

    def scalar_summaries(self, train_id: str) -> ScalarSummaries:
        job = self._job(train_id)
        seen, known = self._summaries
        jobs = self._jobs
        if seen is not jobs:
            # Read all jobs at once, because clients usually request all.
            since = seen.stored_version if seen.precedes(jobs) else -1
            kept = {job.run_id for job in jobs.jobs.values() if job.stored_version <= since}
            with self.database.reading() as connection:
                number = experiment_number(connection, self._experiment_id)
                new = read_summaries(connection, number, since=since)
            known = {**{n: one for n, one in known.items() if n in kept}, **new}
            self._summaries = jobs, known
        return known.get(job.run_id, NO_SUMMARIES)

    def read_lineage(self, train_id: str) -> JobLineage:
        return self._job(train_id).lineage

    def list_lineages(self) -> Sequence[JobLineage]:
        return self._jobs.lineages

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


def _line(lines: Sequence[StoredLine], writer: str | None) -> StoredLine:
    for line in lines:
        if writer is None or line.record.writer == writer:
            return line
    assert writer is not None  # a series has at least one line
    raise WriterNotFound(writer, *_writers(lines))


def _writers(lines: Sequence[StoredLine]) -> tuple[str, ...]:
    # Series from files next to a log have no writer.
    return tuple(line.record.writer for line in lines if line.record.writer)
