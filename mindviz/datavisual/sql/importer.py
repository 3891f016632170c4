"""Importer: updates a database from a base dir.

It lists the base dir and hands the runs that changed to workers, which store each run in one
transaction. Runs with unchanged files are not read, series that grew get their new steps, and
rewritten series are replaced. So an import may be interrupted and repeated at any time, and several
may run at once. Runs that were deleted from the base dir stay in the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.plugins import plugins
from mindviz.datavisual.sql.dask_workers import DaskWorkers
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.layout_migration import migrate
from mindviz.datavisual.sql.local_workers import LocalWorkers
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.run_import import Batch, RunResult, Target, job_size
from mindviz.datavisual.sql.stored_runs import RunState, has_more_runs, run_states
from mindviz.datavisual.sql.writer import analyze, experiment_id_of
from mindviz.errors import ClusterUnavailable, DatabaseUnavailable, RefusedByDatabase

_LOGGER = logging.getLogger(__name__)

_SMALL = 128 * 1024 * 1024
"""Bytes. Less data is stored before processes have started."""

_BATCH_BYTES = 16 * 1024 * 1024
_BATCH_RUNS = 100
_BATCHES = 64
"""An import has at least as many batches, if it has as many runs: enough to keep workers busy."""

_REPORTED = 50
"""Failures that are logged: a worker without credentials fails all its runs."""

_LONGEST_PAUSE = 10.0
"""Seconds between attempts to reach what is unavailable."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What to import, and how."""

    base_dir: Path | str
    """A directory, or the URL of objects."""
    experiment: str
    may_move: bool = True
    """Whether to continue an experiment that was imported from another directory."""
    processes: int = 1
    """Number of local worker processes."""
    scheduler: str = ""
    """Address of a Dask scheduler whose workers import instead of local processes."""
    max_depth: int | None = None
    follow_external_links: bool = False
    verify_all: bool = True
    patience: float = 600.0
    """Seconds to wait for an unavailable database or scheduler."""


@dataclass(slots=True)
class ImportProgress:
    """Progress of an import; fields only grow, and any thread may read them."""

    train_jobs: int = 0
    """Jobs to read."""
    unchanged: int = 0
    """Jobs that the database already has."""
    imported: int = 0
    points: int = 0
    """Scalar points added."""
    points_read: int = 0
    """Including those of runs that are not stored yet."""
    values: int = 0
    """Tensors and blob sequences added."""
    bytes: int = 0
    bytes_read: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """train_id, or the path of a directory -> why it could not be imported."""


class Importer:
    """One import."""

    def __init__(self, database: Database, options: ImportOptions) -> None:
        self.progress = ImportProgress()
        self._database = database
        self._options = options
        self._is_analyzed = False
        self._reported: set[tuple[str, str]] = set()
        """Failed jobs and reasons that were logged."""
        self._refused: dict[str, tuple[RunState, str]] = {}
        """train_id -> state of files that cannot be imported, and the reason."""

    @cached_property
    def _watcher(self) -> SummaryWatcher:
        """Kept between imports, so that found jobs remain while the base dir cannot be listed.

        Each poll checks all files. Raises StartError.
        """
        return SummaryWatcher(
            self._options.base_dir,
            max_depth=self._options.max_depth,
            follow_external_links=self._options.follow_external_links,
            inotify=False,
            sweep_seconds=0.0,
        )

    def run(self) -> None:
        """Import; waits while the database or the scheduler is unavailable.

        Jobs that the database refuses are skipped. Raises StartError; DatabaseUnavailable or
        ClusterUnavailable if they do not answer at the start, or not for `patience` seconds.
        """
        plugins(), log_formats()  # a broken extension must not fail every job
        self._create()
        if self._options.scheduler:
            DaskWorkers(self._options.scheduler).close()
        self._import()

    def watch(self, seconds: float) -> Iterator[ImportProgress]:
        """After `run`: import what is new, again and again, with pauses of this length.

        Yields the progress of each import. Raises as `run`.
        """
        while True:
            time.sleep(seconds)
            self.progress = ImportProgress()
            self._import()
            yield self.progress

    def _import(self) -> None:
        imported, since = self.progress.imported, time.monotonic()
        while True:
            try:
                self._run_once()
            except RefusedByDatabase:
                raise  # not caused by a job
            except (DatabaseUnavailable, ClusterUnavailable) as error:
                if self.progress.imported != imported:
                    imported, since = self.progress.imported, time.monotonic()
                elif time.monotonic() - since > self._options.patience:
                    raise
                else:
                    time.sleep(1.0)
                _LOGGER.warning("%s Waiting for it.", error)
                self._wait_after(error)
            else:
                return

    def _create(self) -> None:
        """Create or convert tables. Does not wait: the address or the password may be wrong."""
        try:
            self._database.create_missing()
            migrate(self._database)
            self._database.check()
        except DatabaseUnavailable as error:
            raise DatabaseUnavailable(
                f"{error} Nothing was imported; repeat the command when the database answers."
            ) from error

    def _wait_after(self, error: DatabaseUnavailable | ClusterUnavailable) -> None:
        end = time.monotonic() + self._options.patience
        pause = 0.5
        while True:
            if time.monotonic() + pause > end:
                raise error
            time.sleep(pause)
            try:
                self._database.check()
                if isinstance(error, ClusterUnavailable):
                    DaskWorkers(self._options.scheduler).close()
            except (DatabaseUnavailable, ClusterUnavailable):
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return

    def _run_once(self) -> None:
        options, progress = self._options, self.progress
        experiment_id = experiment_id_of(
            self._database, options.experiment, str(options.base_dir), may_move=options.may_move
        )
        found = self._watcher.poll()
        states = run_states(self._database, experiment_id, found.jobs)
        progress.failed = {}
        changed = self._changed(found.jobs.values(), states)
        progress.train_jobs = progress.imported + len(changed)
        progress.bytes = progress.bytes_read + sum(map(job_size, changed))
        if self._watcher.unsettled:
            for finding in found.findings:
                self._failed(finding.path, finding.detail)
        target = Target(
            self._database.url.render_as_string(hide_password=False),
            experiment_id,
            options.base_dir,
            options.verify_all,
        )
        with self._workers(changed) as workers:
            for result in workers.results(_batches(target, changed), self._read):
                self._add(result, found.jobs[result.train_id])
        if not self._is_analyzed and self._is_large(progress.imported):
            analyze(self._database)
            self._is_analyzed = True  # growing series do not change how queries run

    def _is_large(self, imported: int) -> bool:
        """Whether to analyze the database after an import of this many runs.

        PostgreSQL does it by itself after smaller imports.
        """
        if not imported:
            return False
        return self._database.is_sqlite or not has_more_runs(self._database, 10 * imported)

    def _workers(self, changed: Sequence[FoundJob]) -> LocalWorkers | DaskWorkers:
        if self._options.scheduler and changed:
            return DaskWorkers(self._options.scheduler)
        is_small = sum(map(job_size, changed)) < _SMALL
        return LocalWorkers(0 if is_small else min(self._options.processes, len(changed)))

    def _changed(
        self, jobs: Collection[FoundJob], states: Mapping[str, RunState | None]
    ) -> list[FoundJob]:
        """Jobs to read, largest first, so that workers end at about the same time."""
        changed = []
        for job in jobs:
            state = RunState.of(job, self._options.base_dir)
            refused, reason = self._refused.get(job.train_id, (None, ""))
            if state == refused:
                self._failed(job.train_id, reason)
            elif states.get(storable(job.train_id)) != state:
                changed.append(job)
        failed = len(self.progress.failed)
        self.progress.unchanged = len(jobs) - len(changed) - failed - self.progress.imported
        return sorted(changed, key=lambda job: (-job_size(job), job.train_id))

    def _read(self, nbytes: int, points: int) -> None:
        self.progress.bytes_read += nbytes
        self.progress.points_read += points

    def _add(self, result: RunResult, job: FoundJob) -> None:
        progress = self.progress
        if result.failure:
            if not result.may_pass:
                state = RunState.of(job, self._options.base_dir)
                self._refused[result.train_id] = state, result.failure
            self._failed(result.train_id, result.failure)
        elif result.is_unchanged:
            progress.unchanged += 1
        else:
            progress.imported += 1
            progress.points += result.points
            progress.values += result.values

    def _failed(self, train_id: str, reason: str) -> None:
        self.progress.failed[train_id] = reason
        if (train_id, reason) in self._reported or len(self._reported) > _REPORTED:
            return
        self._reported.add((train_id, reason))
        _LOGGER.warning("%s could not be imported: %s", train_id, reason)
        if len(self._reported) > _REPORTED:
            _LOGGER.warning("Further failures are counted, but not listed.")


def _batches(target: Target, jobs: Sequence[FoundJob]) -> Iterator[Batch]:
    """All jobs, in order."""
    most_runs = min(_BATCH_RUNS, -(-len(jobs) // _BATCHES))
    batch: list[FoundJob] = []
    nbytes = 0
    for job in jobs:
        batch.append(job)
        nbytes += job_size(job)
        if len(batch) >= most_runs or nbytes >= _BATCH_BYTES:
            yield Batch(target, tuple(batch))
            batch, nbytes = [], 0
    if batch:
        yield Batch(target, tuple(batch))
