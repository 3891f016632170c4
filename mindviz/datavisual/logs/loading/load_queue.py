"""LoadQueue: the files to be read, by priority."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from threading import Condition, Event, RLock
from typing import NamedTuple

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.later_part import AHEAD_SIZE
from mindviz.datavisual.logs.loading.scan_options import ReadingMemory
from mindviz.deadline import SHORT_WAIT, begin_long_work

SMALL_FILE = 256 * 1024
"""Bytes. Reading a smaller file is mostly Python, where two threads hinder each other."""


class Task(NamedTuple):
    """A file to be refreshed; the smallest task comes first."""

    priority: tuple[float, int]
    """Newest job first, then as queued; unique, so nothing else is compared."""
    job: CachedJob
    file: FileLoader | None
    """None: all files of an unread job, whose loaders are created when the task is taken."""
    size: int
    """Bytes."""

    @property
    def target(self) -> FileLoader | CachedJob:
        """What no other thread may read meanwhile."""
        return self.job if self.file is None else self.file

    @property
    def is_small(self) -> bool:
        """Whether few such files are read at a time."""
        return self.size < SMALL_FILE


class LoadQueue:
    """Changed files, for the threads that read them. Thread-safe.

    Files of the most recently changed jobs come first; few small files are read at a time. A
    file that changes while it is read is read again afterwards, never by two threads.
    """

    def __init__(
        self,
        closed: Event,
        on_idle: Callable[[], None],
        small_files: int = 1,
        memory: ReadingMemory | None = None,
    ) -> None:
        """After `closed` is set and `wake` is called, all waits end.

        `on_idle` is called, with the queue locked, whenever everything has been read. At most
        `small_files` small files are read at a time, and large ones within `memory`.
        """
        self._memory = memory or ReadingMemory()
        self._reserved = 0
        """Bytes for the large files that are being read."""
        self._rereads: deque[object] = deque()
        """Threads that wait to read a large file again, in the order of their arrival."""
        self._is_turn_of_rereads = False
        """Which of the two goes first if both wait: it is the other's turn after each start."""
        self._takers_waiting = 0
        self._closed = closed
        self._on_idle = on_idle
        self._small: list[Task] = []
        self._large: list[Task] = []
        """Both are heaps."""
        self._small_files = small_files
        self._small_at_work = 0
        lock = RLock()
        self._changed = Condition(lock)
        """Guards everything; all that wait for it are notified."""
        self._takers = Condition(lock)
        """Threads that wait in `take`: a notification of one of them reaches no other thread."""
        self._in_flight: dict[FileLoader | CachedJob, bool] = {}
        """Being read -> whether it must be read again afterwards."""
        self._sequence = itertools.count()
        self._later: list[tuple[float, int, CachedJob, FileLoader]] = []
        """A heap of files to retry, by monotonic seconds."""

    def add(self, files: Iterable[tuple[CachedJob, FileLoader | None]]) -> None:
        """Queue files; None: all files of an unread job, which is queued once."""
        with self._changed:
            for job, file in files:
                self._add(job, file)
            self._notify_all()

    def add_later(self, job: CachedJob, file: FileLoader, seconds: float) -> None:
        """Queue a file after `seconds`. Until then the queue may be idle."""
        with self._changed:
            due = time.monotonic() + seconds
            heapq.heappush(self._later, (due, next(self._sequence), job, file))
            self._takers.notify()

    def _add_due(self) -> float | None:
        """Queue the due retries; seconds until the next one, None if there is none."""
        now = time.monotonic()
        while self._later and self._later[0][0] <= now:
            _, _, job, file = heapq.heappop(self._later)
            self._add(job, file)
        return self._later[0][0] - now if self._later else None

    def _add(self, job: CachedJob, file: FileLoader | None) -> None:
        if file is None:
            size = sum(found.identity.size for found in job.found.files)
        else:
            if file in self._in_flight:
                self._in_flight[file] = True
                return
            size = file.found.identity.size
        priority = (-job.update_time, next(self._sequence))
        task = Task(priority, job, file, size)
        job.pending += 1
        heapq.heappush(self._small if task.is_small else self._large, task)

    def take(self) -> Task | None:
        """Wait for a task, which `end` finishes; None once the queue is closed."""
        with self._changed:
            while not self._closed.is_set():
                next_due = self._add_due()
                queue = large = self._large if self._has_room() else []
                if self._small and self._small_at_work < self._small_files:
                    queue = min((q for q in (self._small, large) if q), key=itemgetter(0))
                if not queue:
                    self._takers_waiting += 1
                    self._takers.wait(next_due)
                    self._takers_waiting -= 1
                    continue
                task = heapq.heappop(queue)
                if task.target in self._in_flight:
                    self._in_flight[task.target] = True
                    task.job.pending -= 1
                    continue
                self._in_flight[task.target] = False
                if task.is_small:
                    self._small_at_work += 1
                else:
                    self._is_turn_of_rereads = True
                    self._reserved += self._memory.needed(task.size)
                if self._small and self._small_at_work < self._small_files:
                    self._takers.notify()
                return task
            return None

    def _has_room(self) -> bool:
        """Whether the next large file may be read now."""
        if not self._large or (self._rereads and self._is_turn_of_rereads):
            return False
        return self._fits(self._memory.needed(self._large[0].size))

    @contextmanager
    def turn(self, size: int) -> Iterator[bool]:
        """Read a file of this size again during the `with` block, within the same memory.

        Waits until that is free, as long work. Files that are queued and files that are read again
        take turns. Whether nothing else is read, so that a second thread may help.
        """
        if size < SMALL_FILE:
            yield False
            return
        needed = self._memory.needed(size)
        this = object()
        with self._changed:
            self._rereads.append(this)
            try:
                while not self._may_read_again(this, needed) and not self._closed.is_set():
                    if not self._changed.wait(SHORT_WAIT):
                        begin_long_work()
            finally:
                self._rereads.remove(this)
                self._notify_all()
            is_idle = self._is_idle() and self._reserved + 2 * needed <= self._memory.total
            needed *= 2 if is_idle else 1
            self._is_turn_of_rereads = False
            self._reserved += needed
        try:
            yield is_idle
        finally:
            with self._changed:
                self._reserved -= needed
                self._notify_all()

    def _may_read_again(self, this: object, needed: int) -> bool:
        if self._rereads[0] is not this:
            return False
        if self._large and self._takers_waiting and not self._is_turn_of_rereads:
            return False
        return self._fits(needed)

    def _fits(self, needed: int) -> bool:
        # A file is read even if it takes more than there is.
        return not self._reserved or self._reserved + needed <= self._memory.total

    def begin(self, task: Task, files: Sequence[FileLoader]) -> Task | None:
        """Replace the task of an unread job by those of its files.

        The first of them, which `end` finishes; None if there is nothing to read.
        """
        with self._changed:
            first = next((file for file in files if file not in self._in_flight), None)
            if first is None:
                self.files_left(task)
                self.end(task)
                return None
            del self._in_flight[task.job]
            self._in_flight[first] = False
            for file in files:
                if file is not first:
                    self._add(task.job, file)
            if len(files) > 1:
                self._notify_all()
            return task._replace(file=first)

    def is_most_of_the_load(self, file: FileLoader) -> bool:
        """Whether a file in flight has more bytes than all others, so threads will be idle."""
        size = file.found.identity.size
        if size < AHEAD_SIZE:
            return False
        with self._changed:
            queued = sum(task.size for task in (*self._small, *self._large))
            return 2 * size > queued + sum(_size(target) for target in self._in_flight)

    def files_left(self, task: Task) -> int:
        """Record that the file has been read; the number of unread files of its job."""
        with self._changed:
            task.job.pending -= 1
            return task.job.pending

    def end(self, task: Task) -> None:
        """Finish a task whose results are published."""
        with self._changed:
            if task.is_small:
                self._small_at_work -= 1
            else:
                if self._rereads or (self._large and not self._has_room()):
                    self._notify_all()
                self._reserved -= self._memory.needed(task.size)
            if self._in_flight.pop(task.target):
                self._add(task.job, task.file)
            # The current thread takes the next task: waking another one for each of 10,000 files
            # would only make them wait for each other.
            if self._is_idle():
                self._on_idle()
                self._notify_all()

    def _notify_all(self) -> None:
        self._changed.notify_all()
        self._takers.notify_all()

    def wake(self) -> None:
        """Make all waiting threads check their conditions."""
        with self._changed:
            if self._is_idle():
                self._on_idle()
            self._notify_all()

    def wait_until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Return when the condition holds, the queue is closed, or after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: condition() or self._closed.is_set(), timeout=timeout)

    def wait_until_idle(self) -> None:
        """Return when everything has been read, or the queue is closed."""
        self.wait_until(self._is_idle)

    def wait_until_retried(self, patience: float) -> None:
        """Like `wait_until_idle`, including retries that are due within `patience` seconds."""
        end = time.monotonic() + patience
        self.wait_until(
            lambda: self._is_idle() and (self._later[0][0] if self._later else math.inf) > end
        )

    def _is_idle(self) -> bool:
        return not (self._small or self._large or self._in_flight)


def _size(target: FileLoader | CachedJob) -> int:
    if isinstance(target, FileLoader):
        return target.found.identity.size
    return sum(file.identity.size for file in target.found.files)
