"""LoadQueue: which files have to be read, and which of them next."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Callable, Iterable
from operator import itemgetter
from threading import Condition, Event
from typing import NamedTuple

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.file_loader import AHEAD_SIZE, FileLoader

SMALL_FILE = 256 * 1024
"""Bytes. Reading a smaller file is mostly Python, which two threads only hinder each other in."""


class Task(NamedTuple):
    """A file to be refreshed; the one that compares smallest is done first."""

    priority: tuple[float, int]
    """Newest job first, then as queued: no two are equal, so nothing else is compared."""
    job: CachedJob
    file: FileLoader
    is_small: bool
    """Whether it is better done while no other small one is."""


class LoadQueue:
    """Files that changed, for the threads that read them. Thread-safe.

    Files of jobs that changed last come first, but of small ones only one is read at a time. No
    file is read by two threads: one that changes while it is being read is read again afterwards.
    """

    def __init__(self, closed: Event, on_idle: Callable[[], None]) -> None:
        """Nobody waits once `closed` is set and `wake` is called.

        `on_idle` is called whenever everything has been read, while others wait for the queue.
        """
        self._closed = closed
        self._on_idle = on_idle
        self._small: list[Task] = []
        self._large: list[Task] = []
        """Both are heaps."""
        self._small_at_work = False
        self._changed = Condition()
        """Guards everything; notified when somebody may have something to do."""
        self._in_flight: dict[FileLoader, bool] = {}
        """Being read -> whether it must be read again afterwards."""
        self._sequence = itertools.count()
        self._later: list[tuple[float, int, CachedJob, FileLoader]] = []
        """A heap: files to be read again from so many monotonic seconds on."""

    def add(self, files: Iterable[tuple[CachedJob, FileLoader]]) -> None:
        """Have these files read, each at once or behind others."""
        with self._changed:
            for job, file in files:
                self._add(job, file)
            self._changed.notify_all()

    def add_later(self, job: CachedJob, file: FileLoader, seconds: float) -> None:
        """Have a file read again after so many seconds. Until then the queue may be idle."""
        with self._changed:
            due = time.monotonic() + seconds
            heapq.heappush(self._later, (due, next(self._sequence), job, file))
            self._changed.notify()

    def _add_due(self) -> float | None:
        """Add the files whose time has come; seconds until that of the next, None without any."""
        now = time.monotonic()
        while self._later and self._later[0][0] <= now:
            _, _, job, file = heapq.heappop(self._later)
            self._add(job, file)
        return self._later[0][0] - now if self._later else None

    def _add(self, job: CachedJob, file: FileLoader) -> None:
        if file in self._in_flight:
            self._in_flight[file] = True
            return
        priority = (-job.update_time, next(self._sequence))
        is_small = file.found.identity.size < SMALL_FILE
        task = Task(priority, job, file, is_small)
        job.pending += 1
        heapq.heappush(self._small if task.is_small else self._large, task)

    def take(self) -> Task | None:
        """Wait for something to do, which is ended by `end`; None when nothing more is to come."""
        with self._changed:
            while not self._closed.is_set():
                next_due = self._add_due()
                queue = self._large
                if self._small and not self._small_at_work:
                    queue = min((q for q in (self._small, self._large) if q), key=itemgetter(0))
                if not queue:
                    self._changed.wait(next_due)
                    continue
                task = heapq.heappop(queue)
                if task.file in self._in_flight:
                    self._in_flight[task.file] = True
                    task.job.pending -= 1
                    continue
                self._in_flight[task.file] = False
                if task.is_small:
                    self._small_at_work = True
                elif self._small and not self._small_at_work:
                    self._changed.notify()
                return task
            return None

    def outweighs_the_rest(self, file: FileLoader) -> bool:
        """Whether a file in flight has more bytes than all others, so threads will be idle."""
        size = file.found.identity.size
        if size < AHEAD_SIZE:
            return False
        with self._changed:
            queued = (task.file for task in (*self._small, *self._large))
            return 2 * size > sum(f.found.identity.size for f in (*self._in_flight, *queued))

    def files_left(self, task: Task) -> int:
        """Note that the file has been read; how many others of its job have not."""
        with self._changed:
            task.job.pending -= 1
            return task.job.pending

    def end(self, task: Task) -> None:
        """The file has been read, and what it held is to be seen."""
        with self._changed:
            if task.is_small:
                self._small_at_work = False
            if self._in_flight.pop(task.file):
                self._add(task.job, task.file)
            # Of what is left the thread that was at this file takes the next: to wake another one
            # for each of ten thousand files would only make the two wait for each other.
            if self._is_idle():
                self._on_idle()
                self._changed.notify_all()

    def wake(self) -> None:
        """Have everybody look again who waits here."""
        with self._changed:
            if self._is_idle():
                self._on_idle()
            self._changed.notify_all()

    def wait_until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Return when this holds, the queue is closed, or after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: condition() or self._closed.is_set(), timeout=timeout)

    def wait_until_idle(self) -> None:
        """Return when everything has been read, or the queue is closed."""
        self.wait_until(self._is_idle)

    def wait_until_retried(self, patience: float) -> None:
        """As `wait_until_idle`, also for files to be read again within so many seconds."""
        end = time.monotonic() + patience
        self.wait_until(
            lambda: self._is_idle() and (self._later[0][0] if self._later else math.inf) > end
        )

    def _is_idle(self) -> bool:
        return not (self._small or self._large or self._in_flight)
