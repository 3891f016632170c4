"""Imports a batch of runs: the part of an import that any process on any machine can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from typing import Protocol

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.decoded_job import DecodedJob
from mindviz.datavisual.sql.records import Finished, Piece
from mindviz.datavisual.sql.stored_runs import RunState, StoredRun, stored_run
from mindviz.datavisual.sql.tables import LAYOUT
from mindviz.datavisual.sql.writer import RunChanged, SqlWriter
from mindviz.errors import DatabaseUnavailable, LogUnreadable, RefusedByDatabase, StartError

_ATTEMPTS = 3
"""A file may be replaced while its values are read."""
_PATIENCE = 600.0
"""Seconds to wait for other writers of a SQLite file."""


@dataclass(frozen=True, slots=True)
class Target:
    """The experiment to import into, and where its logs are."""

    database: str = field(repr=False)
    """URL; not shown, because it may contain a password."""
    experiment_id: int
    base_dir: Path | str
    """A directory that all workers see, or a URL."""
    verify_all: bool
    layout: int = LAYOUT


@dataclass(frozen=True, slots=True, repr=False)
class Batch:
    """Runs that one worker imports, one after the other."""

    target: Target
    jobs: tuple[FoundJob, ...]
    is_repeated: bool = False
    """Whether a worker died with these runs before."""

    @property
    def nbytes(self) -> int:
        """Size of all files."""
        return sum(map(job_size, self.jobs))

    def repeated(self) -> list[Batch]:
        """A batch per run: the next one that kills a worker must not fail others."""
        return [Batch(self.target, (job,), is_repeated=True) for job in self.jobs]

    def failed(self, reason: str) -> list[RunResult]:
        """The results if no run could be imported, for a reason that may pass."""
        return [RunResult(job.train_id, failure=reason, may_pass=True) for job in self.jobs]

    def __repr__(self) -> str:
        return f"{len(self.jobs)} runs from {self.jobs[0].train_id}"


@dataclass(frozen=True, slots=True)
class RunResult:
    """The outcome of one run."""

    train_id: str
    points: int = 0
    """Scalar points added."""
    values: int = 0
    """Tensors and blob sequences added."""
    is_unchanged: bool = False
    """Whether another import had stored the same files."""
    failure: str = ""
    """Why it is not imported."""
    may_pass: bool = False
    """Whether repeating it may succeed although the files are the same."""


Report = Callable[[int, int], None]
"""Takes numbers of bytes and points."""


class Increments:
    """Turns what was read of a batch so far into increments; repeated parts count once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._bytes = self._points = 0

    def __call__(self, nbytes: int, points: int) -> None:
        """Bytes and points of the batch that were read so far."""
        more_bytes, more_points = max(0, nbytes - self._bytes), max(0, points - self._points)
        self._bytes += more_bytes
        self._points += more_points
        self._report(more_bytes, more_points)


class Workers(Protocol):
    """Imports batches in this process, in others, or on other machines."""

    def results(self, batches: Iterator[Batch], report: Report) -> Iterator[RunResult]:
        """Import all batches; `report` takes what was read since its last call.

        Raises DatabaseUnavailable, ClusterUnavailable, StartError; then some batches are not
        imported.
        """


def import_batch(batch: Batch, report: Report) -> list[RunResult]:
    """Import runs, each in one transaction; `report` takes what was read of the batch so far.

    Raises DatabaseUnavailable, StartError.
    """
    target = batch.target
    if target.layout != LAYOUT:
        raise StartError("The workers have another version of mindviz: install the same one.")
    database = _database(target.database, get_ident())
    try:
        writer = SqlWriter(database, target.experiment_id)
        progress = _Progress(report)
        results = []
        for job in batch.jobs:
            results.append(_imported(database, writer, target, job, progress))
            progress.end(job_size(job))
    finally:
        database.close()
    return results


@lru_cache(maxsize=16)
def _database(url: str, _thread: int) -> Database:
    """For the batches of one thread, which closes it after each.

    Its compiled statements stay: to compile them again takes as long as to decode a run.
    """
    return Database(url, wait=_PATIENCE)


class _Progress:
    """What has been read of a batch."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._bytes = self._points = 0
        """Of runs that ended, and of all."""

    def add(self, nbytes: int, points: int) -> None:
        """Bytes of the current run that were read, and further points."""
        self._points += points
        self._report(self._bytes + nbytes, self._points)

    def end(self, nbytes: int) -> None:
        """The current run ended."""
        self._bytes += nbytes
        self._report(self._bytes, self._points)


def _imported(
    database: Database, writer: SqlWriter, target: Target, job: FoundJob, progress: _Progress
) -> RunResult:
    attempts = 0
    while True:
        stored = stored_run(database, target.experiment_id, job.train_id)
        if stored.state is not None and stored.state == RunState.of(job, target.base_dir):
            return RunResult(job.train_id, is_unchanged=True)
        counted = _Counted(target, job, stored, progress)
        try:
            writer.write(job.train_id, stored.version, counted.parts())
        except RunChanged:
            continue  # by another import, which has made progress
        except RefusedByDatabase as error:
            return RunResult(job.train_id, failure=str(error))
        except DatabaseUnavailable:
            raise
        except LogUnreadable as error:
            attempts += 1
            if attempts < _ATTEMPTS:
                continue
            return RunResult(job.train_id, failure=str(error), may_pass=True)
        except Exception as error:  # noqa: BLE001 - an error in one log must not stop others
            return RunResult(job.train_id, failure=f"{type(error).__name__}: {error}")
        return RunResult(job.train_id, counted.points, counted.values)


class _Counted:
    """The parts of a run, and what was in them."""

    def __init__(
        self, target: Target, job: FoundJob, stored: StoredRun, progress: _Progress
    ) -> None:
        self._target = target
        self._job = job
        self._stored = stored
        self._progress = progress
        self.points = self.values = 0

    def parts(self) -> Iterator[Piece | Finished]:
        """Raises LogUnreadable."""
        target = self._target
        job = DecodedJob(self._job, target.base_dir, self._stored, verify_all=target.verify_all)
        for part in job.pieces():
            if isinstance(part, Piece):
                self.points += part.points
                self.values += len(part.tensors) + len(part.blobs)
                self._progress.add(int(job_size(self._job) * part.share), part.points)
            yield part


def job_size(job: FoundJob) -> int:
    """Bytes of all files."""
    return sum(file.identity.size for file in job.files)
