"""Importer: updates a database from a base dir.

Only new data is imported: train jobs with unchanged files are not read, series that grew get their
new steps, and rewritten series are replaced. So an import may be interrupted and repeated at any
time. Train jobs that were deleted from the base dir stay in the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.plugins import plugins
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.decoded_job import Task
from mindviz.datavisual.sql.decoder_pool import DecoderPool, Failed
from mindviz.datavisual.sql.layout_migration import migrate
from mindviz.datavisual.sql.records import (
    Finished,
    Piece,
    SeriesKey,
    SeriesRecord,
    finding_of,
    storable,
)
from mindviz.datavisual.sql.tables import FINDINGS, LOG_FILES, RUNS, TAGS
from mindviz.datavisual.sql.writer import Budget, SqlWriter, experiment_id_of, is_run
from mindviz.errors import DatabaseUnavailable, RefusedByDatabase

_LOGGER = logging.getLogger(__name__)

_SMALL = 128 * 1024 * 1024
"""Bytes. Less data is stored before processes have started."""

_LONGEST_PAUSE = 10.0
"""Seconds between attempts to reach an unavailable database."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What to import, and how."""

    base_dir: Path | str
    """A directory, or the URL of objects."""
    experiment: str
    may_move: bool = True
    """Whether to continue an experiment that was imported from another directory."""
    processes: int = 1
    """Number of decoding processes, besides the one that writes."""
    max_depth: int | None = None
    follow_external_links: bool = False
    verify_all: bool = True
    patience: float = 600.0
    """Seconds to wait for an unavailable database."""


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
    values: int = 0
    """Tensors and blob sequences added."""
    bytes: int = 0
    bytes_read: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """train_id, or the path of a directory -> why it could not be imported."""


class StoredState(NamedTuple):
    """The files that a run was imported from; equal if nothing changed."""

    assets: str
    """Fingerprint of the files next to the logs."""
    files: list[tuple[str, int, int]]
    """Path, size and modification time of each log file."""


class StoredRuns:
    """The stored runs of an experiment. Every method raises DatabaseUnavailable."""

    def __init__(self, database: Database, experiment_id: int) -> None:
        self._database = database
        self._experiment_id = experiment_id

    def states(self) -> Mapping[str, StoredState | None]:
        """train_id -> state; None for incomplete runs."""
        query = (
            select(
                *(RUNS.c.train_id, RUNS.c.complete, RUNS.c.assets),
                *(LOG_FILES.c.path, LOG_FILES.c.bytes, LOG_FILES.c.modified),
            )
            .select_from(RUNS.outerjoin(LOG_FILES, RUNS.c.run_id == LOG_FILES.c.run_id))
            .where(RUNS.c.experiment_id == self._experiment_id)
            .order_by(RUNS.c.run_id, LOG_FILES.c.position)
        )
        states: dict[str, StoredState | None] = {}
        with self._database.reading() as connection:
            for train_id, complete, assets, *file in connection.execute(query):
                state = states.setdefault(train_id, StoredState(assets, []) if complete else None)
                if state is not None and file[0] is not None:
                    state.files.append((file[0], file[1], file[2]))
        return states

    def series(self, train_id: str) -> Mapping[SeriesKey, SeriesRecord]:
        """The stored series of a run."""
        query = (
            select(TAGS)
            .join(RUNS, RUNS.c.run_id == TAGS.c.run_id)
            .where(is_run(self._experiment_id, train_id))
        )
        with self._database.reading() as connection:
            records = [SeriesRecord.of(row) for row in connection.execute(query).mappings()]
        return {record.key: record for record in records}

    def dropped_values(self, train_id: str) -> Sequence[Finding]:
        """Findings of earlier imports about single values of a run."""
        query = (
            select(FINDINGS)
            .join(RUNS, RUNS.c.run_id == FINDINGS.c.run_id)
            .where(is_run(self._experiment_id, train_id), FINDINGS.c.of_value)
        )
        with self._database.reading() as connection:
            return [finding_of(row) for row in connection.execute(query).mappings()]


class Importer:
    """One import."""

    def __init__(self, database: Database, options: ImportOptions) -> None:
        self.progress = ImportProgress()
        self._database = database
        self._options = options
        self._version = -1
        """Version of the experiment at the start of the last attempt."""
        self._is_analyzed = False
        self._reported: set[tuple[str, str]] = set()
        """Failed jobs and reasons that were logged."""

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
        """Import; waits while the database is unavailable, and skips jobs that it refuses.

        Raises StartError; DatabaseUnavailable if the database does not answer at the start, or not
        for `patience` seconds.
        """
        plugins(), log_formats()  # a broken extension must not fail every job
        self._create()
        self._import()

    def watch(self, seconds: float) -> Iterator[ImportProgress]:
        """After `run`: import what is new, again and again, with pauses of this length.

        Yields the progress of each import. Raises DatabaseUnavailable as `run`.
        """
        while True:
            time.sleep(seconds)
            self.progress = ImportProgress()
            self._import()
            yield self.progress

    def _import(self) -> None:
        one_by_one = False
        version, since = self._version, time.monotonic()
        while True:
            try:
                self._run_once(one_by_one=one_by_one)
            except RefusedByDatabase:
                if one_by_one:
                    raise  # not caused by a job
                one_by_one = True
            except DatabaseUnavailable as error:
                if self._version != version:
                    version, since = self._version, time.monotonic()
                elif time.monotonic() - since > self._options.patience:
                    raise
                else:
                    time.sleep(1.0)
                _LOGGER.warning("%s Waiting for the database.", error)
                self._wait_for_database(error)
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

    def _wait_for_database(self, error: DatabaseUnavailable) -> None:
        end = time.monotonic() + self._options.patience
        pause = 0.5
        while True:
            if time.monotonic() + pause > end:
                raise error
            time.sleep(pause)
            try:
                self._database.check()
            except DatabaseUnavailable:
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return

    def _run_once(self, *, one_by_one: bool) -> None:
        options = self._options
        experiment_id = experiment_id_of(
            self._database, options.experiment, str(options.base_dir), may_move=options.may_move
        )
        writer = SqlWriter(self._database, experiment_id)
        stored = StoredRuns(self._database, experiment_id)
        self._version = writer.version
        states = stored.states()
        found = self._watcher.poll()
        changed = self._changed(found.jobs.values(), states)
        self.progress = ImportProgress(
            train_jobs=len(changed),
            unchanged=self.progress.unchanged,
            bytes=sum(_size(job) for job in changed),
        )
        if self._watcher.unsettled:
            for finding in found.findings:
                self._failed(finding.path, finding.detail)
        tasks = (
            self._task(stored, job, is_new=storable(job.train_id) not in states) for job in changed
        )
        processes = min(options.processes, len(changed))
        if self.progress.bytes < _SMALL:
            processes = 0
        sizes = {job.train_id: _size(job) for job in changed}
        with DecoderPool(processes) as pool:
            parts = self._noted(pool.parts(tasks), sizes)
            if one_by_one:
                writer.write_one_by_one(parts, self._failed)
            else:
                writer.write(parts, Budget())
        # It reads much in SQLite; growing series do not change how queries run.
        if changed and not self._is_analyzed:
            writer.analyze()
            self._is_analyzed = True

    def _failed(self, train_id: str, reason: object) -> None:
        self.progress.failed[train_id] = str(reason)
        if (train_id, str(reason)) not in self._reported:
            self._reported.add((train_id, str(reason)))
            _LOGGER.warning("%s could not be imported: %s", train_id, reason)

    def _task(self, runs: StoredRuns, job: FoundJob, *, is_new: bool) -> Task:
        return Task(
            job.train_id,
            job.directory,
            self._options.base_dir,
            tuple(
                (file.path, file.relative_path, file.identity, file.boundary) for file in job.files
            ),
            job.findings,
            stored={} if is_new else runs.series(job.train_id),
            dropped=() if is_new else runs.dropped_values(job.train_id),
            verify_all=self._options.verify_all,
        )

    def _changed(
        self, jobs: Collection[FoundJob], states: Mapping[str, StoredState | None]
    ) -> list[FoundJob]:
        """Jobs to read, largest first, so that processes end at about the same time."""
        changed = [job for job in jobs if states.get(storable(job.train_id)) != self._state(job)]
        self.progress.unchanged = len(jobs) - len(changed)
        return sorted(changed, key=lambda job: (-_size(job), job.train_id))

    def _state(self, job: FoundJob) -> StoredState:
        assets = ProjectorAssets(job.directory, self._options.base_dir, may_be_there=job.has_assets)
        files = [
            (storable(file.relative_path), file.identity.size, file.identity.mtime_ns)
            for file in job.files
        ]
        return StoredState(assets.fingerprint(), files)

    def _noted(
        self, parts: Iterator[tuple[str, Piece | Finished | Failed]], sizes: dict[str, int]
    ) -> Iterator[tuple[str, Piece | Finished]]:
        """The parts to store; updates the progress."""
        progress = self.progress
        read = dict.fromkeys(sizes, 0)
        for train_id, part in parts:
            share = part.share if isinstance(part, Piece) else 1.0
            before, read[train_id] = read[train_id], int(sizes[train_id] * share)
            progress.bytes_read += read[train_id] - before
            if train_id in progress.failed:
                continue
            if isinstance(part, Failed):
                self._failed(train_id, part.reason)
                continue
            yield train_id, part
            if train_id in progress.failed:  # the database refused it
                continue
            if isinstance(part, Finished):
                progress.imported += 1
            else:
                progress.points += part.points
                progress.values += len(part.tensors) + len(part.blobs)


def _size(job: FoundJob) -> int:
    return sum(file.identity.size for file in job.files)
