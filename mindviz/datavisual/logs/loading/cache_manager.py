"""CacheManager: watches, reads and publishes all train jobs.

One thread watches, and one per core reads. A train job is published by swapping one reference to a
frozen snapshot, so readers never wait for the loader.
"""

from __future__ import annotations

import itertools
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread

from mindviz.datavisual.logs.directories.discovery import Discovery, FoundJob
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.file_loader import PUBLISH_INTERVAL, FileLoader
from mindviz.datavisual.logs.loading.keeper import Keeper
from mindviz.datavisual.logs.loading.load_queue import LoadQueue
from mindviz.datavisual.logs.loading.memory_budget import MemoryBudget, held
from mindviz.datavisual.logs.loading.recent_snapshots import RecentSnapshots
from mindviz.datavisual.logs.loading.retries import LONGEST, backoff, is_as_long, lost
from mindviz.datavisual.logs.loading.scan_options import ReadingMemory, ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.loading.unpacked_jobs import UnpackedJobs
from mindviz.datavisual.logs.loading.versions import Versions
from mindviz.datavisual.logs.log_file import is_transient
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.store import LoadStatus
from mindviz.errors import TrainJobNotFound

_LOGGER = logging.getLogger(__name__)

_STOP_SECONDS = 1.0
"""For all threads when the cache is closed; a listing of 100,000 directories takes longer."""
_RETRY_PATIENCE = 5.0
"""Seconds for which `load_once` waits for retries."""


class CacheManager:
    """Keeps the jobs of a base dir up to date and their columns within a budget."""

    unpacked_jobs = 500
    """Others are packed while they are idle."""

    def __init__(
        self,
        watcher: SummaryWatcher,
        *,
        options: ScanOptions,
        max_memory: int = 1 << 62,
        reload_interval: float = 3.0,
        workers: int | None = None,
        scratch_folder: Path | None = None,
    ) -> None:
        """`max_memory` bounds columns and what reading takes (bytes).

        With `reload_interval` 0, it polls only once. `workers` (default: as the watcher says, else
        one per core) read at a time. `scratch_folder` as in `MemoryBudget`.
        """
        self._watcher = watcher
        self._reload_interval = reload_interval
        self._workers = workers or watcher.readers or len(os.sched_getaffinity(0))
        memory = ReadingMemory.within(max_memory, self._workers)
        self._options = options = replace(options, memory=memory)
        self.jobs: Mapping[str, CachedJob] = {}
        """train_id -> job; replaced as a whole when jobs appear or disappear."""
        self.findings: tuple[Finding, ...] = ()
        """Findings of the base dir itself."""
        self._look_lock = Lock()
        self._polled = Event()
        self._loaded = Event()
        self._closed = options.closed
        self._versions = Versions()
        self._queue = LoadQueue(self._closed, self._settle, watcher.readers or 1, memory)
        warm = options.warm
        self.keeper: Keeper | None = None
        if warm is not None:
            self.keeper = Keeper(warm, self._closed, self._count, lambda: [*self.jobs.values()])
        # Without a cache, heaps have free memory between all columns, not just those being read.
        free = 0 if self.keeper is not None else max_memory // 8
        self.budget = MemoryBudget(max_memory - memory.total - free, self.keeper, scratch_folder)
        self._unpacked = UnpackedJobs(self.unpacked_jobs)
        self._recent = RecentSnapshots(self.unpacked_jobs)
        self._threads: list[Thread] = []

    # Watching -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to watch and load in the background."""
        self._start_workers()
        self._spawn(self._watch, "mindviz-watch")
        self._spawn(self._prepare, "mindviz-prepare")

    def load_once(self) -> None:
        """Discover and load everything, then return."""
        self._start_workers()
        self.refresh()
        end = time.monotonic() + _RETRY_PATIENCE
        for failures in itertools.count(1):
            self._queue.wait_until_retried(end - time.monotonic())
            pause = backoff(failures)
            if not self._watcher.unsettled or time.monotonic() + pause > end:
                break
            self._watcher.wait(pause)
            self.refresh()
        self.close()

    def refresh(self) -> None:
        """Poll the disk and return when all changes are read, or the cache is closed."""
        self.look()
        self._queue.wait_until_idle()

    def wait_until_loaded(self, timeout: float) -> None:
        """Return when `load_status` is LOADED, the cache is closed, or after `timeout` seconds."""
        self._queue.wait_until(self._loaded.is_set, timeout)

    def close(self) -> None:
        """Stop all threads; loaded data stays readable."""
        self._closed.set()
        self._watcher.close()
        self._queue.wake()
        end = time.monotonic() + _STOP_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        self._threads.clear()
        if self.keeper is not None:
            self.keeper.finish()

    def _spawn(self, target: object, name: str) -> None:
        thread = Thread(target=target, name=name, daemon=True)  # type: ignore[arg-type]
        thread.start()
        self._threads.append(thread)  # last, so that no thread that failed to start is joined

    def _start_workers(self) -> None:
        for number in range(self._workers):
            self._spawn(self._work, f"mindviz-load-{number}")
        if self.keeper is not None:
            self.keeper.start()

    def _watch(self) -> None:
        failures = 0
        while not self._closed.is_set():
            try:
                self.look()
            except Exception as error:  # otherwise the server would silently serve stale data
                _LOGGER.exception("Looking at the base dir failed")
                detail = f"Internal error while looking for changes ({error!r}). Please report it."
                self.findings = (Finding(FindingKind.UNREADABLE, "./", detail=detail),)
            failures = failures + 1 if self._watcher.unsettled else 0
            if self._reload_interval:
                self._watcher.wait(max(self._reload_interval, self._watcher.rest_seconds))
            elif failures:
                self._watcher.wait(backoff(failures))
            else:
                return

    def _prepare(self) -> None:
        """Prepare the listing of jobs: 10,000 take a second."""
        self._queue.wait_until(self._loaded.is_set)
        for job in self.jobs.values():
            if self._closed.is_set():
                return
            with suppress(Exception):  # the request reports it
                _ = job.packed or job.listed

    def look(self) -> None:
        """Poll the disk and queue the changes."""
        with self._look_lock:
            self._look()

    def _look(self) -> None:
        discovery = self._watcher.poll()
        self.findings = discovery.findings
        self._follow(discovery)
        self._unpacked.pack_idle(self.jobs)
        if not self._polled.is_set():
            self._polled.set()
            self._queue.wake()

    def _follow(self, discovery: Discovery) -> None:
        if discovery.removed or any(train_id not in self.jobs for train_id in discovery.changed):
            jobs = {
                train_id: self.jobs.get(train_id) or self._new_job(found)
                for train_id, found in discovery.jobs.items()
            }
            self.budget.follow(jobs)  # first, since only followed jobs are counted
            self.jobs = jobs
            self._versions.bump()
        tasks: list[tuple[CachedJob, FileLoader | None]] = []
        for train_id in discovery.changed:
            job, found = self.jobs[train_id], discovery.jobs[train_id]
            if job.packed is not None and job.found is found:
                continue  # as the warm cache has it
            if not job.find_again(found):
                tasks += [(job, file) for file in self._update(job, found)]
            elif not job.pending:
                tasks.append((job, None))
        self._queue.add(tasks)

    def _update(self, job: CachedJob, found: FoundJob | None = None) -> Sequence[FileLoader]:
        """Sync the job's loader with the listing; its files that must be read."""
        with job.commit_lock:
            stale = job.loader.update(found or job.found)
            job.begun |= bool(job.loader.files) and not stale
        if not stale or job.begun:  # a new job is first committed with its first file
            self._commit(job)
        return stale

    def _new_job(self, found: FoundJob) -> CachedJob:
        warm = self._options.warm
        kept = None if warm is None else warm.find_job(found)
        version = 0 if kept is None else self._versions.new()
        return CachedJob(found, self._options, self._recent, kept, version)

    # Loading ------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (taken := self._queue.take()) is not None:
            task = taken if taken.file else self._queue.begin(taken, self._begin(taken.job))
            if task is None or task.file is None:
                continue
            self._refresh(task.job, task.file)
            self._retry_later(task.job, task.file)
            task.job.uncounted += task.file.snapshot.read_bytes
            is_last = not self._queue.files_left(task)
            # Not after every file: a job may have thousands, and a commit looks at all of them.
            is_due = time.monotonic() > task.job.committed + PUBLISH_INTERVAL
            if is_last or is_due or task.job.uncounted > self._options.memory.spill_bytes:
                self._commit(task.job)
            self._queue.end(task)

    def _begin(self, job: CachedJob) -> Sequence[FileLoader]:
        """The files of an unread job."""
        try:
            return self._update(job)
        except Exception as error:  # the worker thread must survive
            _LOGGER.exception("Reading %s failed", job.train_id)
            _fail(job, error)
            return ()

    def _refresh(self, job: CachedJob, file: FileLoader) -> None:
        job.begun = True
        try:
            # The second thread's results stay in memory until the first one is done.
            is_small = 4 * file.found.identity.size <= self.budget.max_bytes
            two_threads = is_small and self._queue.is_most_of_the_load(file)
            file.refresh(lambda: self._commit(job), two_threads=two_threads)
        except Exception as error:  # no log may stop the others
            _LOGGER.exception("Reading %s failed", file.found.path)
            detail = f"Internal error while reading this file ({error!r}). Please report it."
            job.report(Finding(FindingKind.UNREADABLE, file.found.relative_path, detail=detail))
            file.finished_once = True

    def _retry_later(self, job: CachedJob, file: FileLoader) -> None:
        """Queue a file again that could not be read, if its job still has it."""
        error = file.error
        if error is None or self.jobs.get(job.train_id) is not job:
            return
        if job.loader.holds(file):
            seconds = backoff(file.failures) if is_transient(error) else LONGEST
            self._queue.add_later(job, file, seconds)

    def _settle(self) -> None:
        if self._polled.is_set() and not self._loaded.is_set():
            self._loaded.set()

    def _commit(self, job: CachedJob) -> None:
        """Publish the loader's state of a job; on an error, the previous snapshot stays."""
        is_new = False
        try:
            with job.commit_lock:
                is_new = not job.snapshot.complete
                version = self._versions.new()
                job.snapshot = job.loader.snapshot(version).with_catalog_of(job.snapshot)
                job.committed, job.uncounted = time.monotonic(), 0
        except Exception as error:  # the worker thread must survive
            _LOGGER.exception("Publishing %s failed", job.train_id)
            _fail(job, error)
        self._versions.bump()
        self._count(job)
        self._unpacked.committed(job, is_new=is_new)
        if self.keeper is not None:
            self.keeper.mark(job)

    def _count(self, job: CachedJob) -> None:
        try:
            self.budget.count(job)
        except Exception:  # the worker thread must survive
            _LOGGER.exception("Dropping columns to make room for %s failed", job.train_id)

    @property
    def version(self) -> int:
        """Grows with every commit and across restarts."""
        return self._versions.latest

    def when_changed(self, version: int, call: Callable[[], None]) -> Callable[[], None]:
        """As `Store.when_changed`."""
        return self._versions.when_changed(version, call)

    # Reading ------------------------------------------------------------------------------------

    def resident(self, train_id: str) -> TrainJobSnapshot:
        """The job's snapshot with its columns, reloaded if they were dropped.

        Raises TrainJobNotFound, LogUnreadable.
        """
        return self.resident_of(self.job(train_id))

    def resident_of(self, job: CachedJob) -> TrainJobSnapshot:
        """Like `resident`, for a job that may be gone by now.

        A job that alone exceeds the budget is read into a scratch file. If less can be read than
        before, raises LogUnreadable and keeps the published snapshot.
        """
        job.last_used = time.monotonic()
        if job.packed is not None:
            mapped = job.map_columns()
            if mapped is not None:
                return mapped
        # Read once: another thread may drop the columns.
        snapshot = job.snapshot
        if snapshot.resident:
            return snapshot
        with held(job.extras.reload_lock):
            at_hand = job.snapshot if job.snapshot.resident else job.map_columns()
            if at_hand is not None:
                self._count(job)
                return at_hand
            job.extras.reload.check()
            with self.budget.reserved(snapshot.column_bytes) as scratch:
                reloaded = self._reload(job, scratch)
            self._count(job)
            return reloaded

    def summarized(self, job: CachedJob) -> TrainJobSnapshot:
        """A snapshot whose `summaries` can be computed. Raises LogUnreadable.

        Reloads a job that restarted after its columns were dropped.
        """
        snapshot = job.snapshot
        if snapshot.has_summaries:
            return snapshot
        reloaded = self.resident_of(job)
        if reloaded is not job.snapshot and is_as_long(reloaded, snapshot):
            # Too large to keep: only the summaries are kept.
            snapshot.with_summaries(reloaded.summaries)
        return reloaded

    def _reload(self, job: CachedJob, scratch: ScratchFile | None) -> TrainJobSnapshot:
        # The cache may be closed while this job is requested.
        options = replace(self._options, closed=Event(), scratch=scratch)
        loader = TrainJobLoader(job.loader.found, options)
        for file in loader.update(job.loader.found):
            with self._queue.turn(file.found.identity.size) as is_idle:
                file.refresh(lambda: None, two_threads=is_idle and scratch is None)
        snapshot = loader.snapshot(self._versions.new()).with_catalog_of(job.snapshot)
        missing = lost(job.snapshot, snapshot)
        if missing is not None:
            raise job.extras.reload.failed(missing)
        job.extras.reload.succeeded()
        if snapshot.nbytes > self.budget.max_bytes:
            return snapshot
        with job.commit_lock:
            # Files that appeared meanwhile were registered with the old loader.
            stale = loader.update(job.loader.found)
            job.loader.abandon()
            job.loader, job.snapshot = loader, snapshot
        self._queue.add((job, file) for file in stale)
        for file in loader.failing:
            self._retry_later(job, file)
        if self.keeper is not None:
            self.keeper.mark(job)
        return snapshot

    def job(self, train_id: str) -> CachedJob:
        """The job by id. Raises TrainJobNotFound."""
        try:
            return self.jobs[train_id]
        except KeyError:
            raise TrainJobNotFound(train_id, self.jobs) from None

    @property
    def load_status(self) -> LoadStatus:
        """INIT before the first poll, LOADED once everything found is read."""
        if self._loaded.is_set():
            return LoadStatus.LOADED
        return LoadStatus.LOADING if self._polled.is_set() else LoadStatus.INIT


def _fail(job: CachedJob, error: Exception) -> None:
    detail = f"Internal error in this job ({error!r}). Please report it."
    job.report(Finding(FindingKind.UNREADABLE, job.train_id, detail=detail))
