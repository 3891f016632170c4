"""LoadQueue: files of the newest job first, each read by one thread at a time, none forgotten."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mindviz.datavisual.logs.loading import load_queue
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.load_queue import SMALL_FILE, LoadQueue, Task
from mindviz.datavisual.logs.loading.scan_options import ReadingMemory, ScanOptions
from mindviz.deadline import LongWorkAhead, Work, allow, doing
from mindviz.errors import DeadlineExceeded
from tests.mindviz_process import wait_until
from tests.written_logs import found_job, tensorboard_log, write

LARGE = 100 * SMALL_FILE
TWO_AT_ONCE = ReadingMemory(2 * LARGE, LARGE)


class Patient(Work):
    """A request without a deadline, which notes that it waits."""

    def __init__(self) -> None:
        super().__init__(0.0, 0.0)
        self.waits = threading.Event()

    def check(self) -> None:
        self.waits.set()


def in_thread(call: Callable[[], object]) -> threading.Thread:
    """A running thread."""
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    return thread


class Queue:
    """A queue, and jobs whose files may be queued."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.closed = threading.Event()
        self.idle = 0
        self.queue = LoadQueue(self.closed, self._note_idle)

    def _note_idle(self) -> None:
        self.idle += 1

    def job(
        self, name: str, mtime: float, *sizes: int
    ) -> tuple[CachedJob, list[tuple[CachedJob, FileLoader]]]:
        """A job that changed at `mtime`, with files of at least these sizes."""
        for number, size in enumerate(sizes):
            content = tensorboard_log([(1, 1.0)])
            path = write(self.base / name, f"tfevents.{number}", content.ljust(size, b"\0"))
            os.utime(path, (mtime, mtime))
        found = found_job(self.base / name)
        job = CachedJob(found, ScanOptions())
        files = job.loader.update(found)
        job.snapshot = job.loader.snapshot(1)
        return job, [(job, file) for file in files]

    def take(self) -> Task:
        """The next task."""
        task = self.queue.take()
        assert task is not None
        return task

    def end(self, task: Task) -> None:
        """Finish it."""
        self.queue.files_left(task)
        self.queue.end(task)


@pytest.fixture
def of(tmp_path: Path) -> Queue:
    return Queue(tmp_path)


def test_files_of_the_job_that_changed_last_come_first(of: Queue) -> None:
    old, old_files = of.job("old", 1_000, 0)
    new, new_files = of.job("new", 2_000, 0, 0)
    of.queue.add([*old_files, *new_files])
    done = []
    for _ in range(3):
        task = of.take()
        done.append(task.job)
        of.end(task)
    assert done == [new, new, old]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((4,), [True]),
        ((4, 4, 4, 4), [False] * 4),
        ((9, 4, 4), [True, False, False]),
        ((4, 0, 0), [True, False, False]),
    ],
    ids=["alone", "as many as threads", "larger than the rest", "among small ones"],
)
def test_a_second_thread_helps_with_a_file_that_is_larger_than_the_rest(
    of: Queue, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], expected: list[bool]
) -> None:
    monkeypatch.setattr(load_queue, "AHEAD_SIZE", SMALL_FILE)
    _, files = of.job("job", 1_000, *(size * SMALL_FILE for size in sizes))
    of.queue.add(files)
    assert [of.queue.is_most_of_the_load(file) for _, file in files] == expected
    of.take()
    assert [of.queue.is_most_of_the_load(file) for _, file in files] == expected


def test_small_files_are_read_one_at_a_time_and_large_ones_concurrently(of: Queue) -> None:
    _, small = of.job("small", 2_000, 0, 0)
    _, large = of.job("large", 1_000, SMALL_FILE)
    of.queue.add([*small, *large])
    first, second = of.take(), of.take()
    assert (first.is_small, second.is_small) == (True, False)
    of.end(first)
    assert of.take().is_small


def test_large_files_are_read_within_the_memory(of: Queue) -> None:
    size = 3 * SMALL_FILE
    of.queue = LoadQueue(of.closed, of._note_idle, 1, ReadingMemory(2 * size, size))
    _, large = of.job("large", 2_000, *[100 * SMALL_FILE] * 3)
    _, less = of.job("less", 1_000, SMALL_FILE, 0)
    of.queue.add([*large, *less])
    first, second, small = of.take(), of.take(), of.take()
    assert (first.is_small, second.is_small, small.is_small) == (False, False, True)
    found: list[Task | None] = []
    waiting = threading.Thread(target=lambda: found.append(of.queue.take()))
    waiting.start()
    of.end(small)
    assert not found
    of.end(first)
    waiting.join(30)
    assert [task and task.file for task in found] == [large[2][1]]


def test_a_file_is_read_even_if_it_takes_all_memory(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, ReadingMemory(1, 1 << 20))
    _, files = of.job("job", 1_000, SMALL_FILE, SMALL_FILE)
    of.queue.add(files)
    for _ in files:
        of.end(of.take())
    of.queue.wait_until_idle()


def test_large_files_are_read_again_before_those_that_are_queued(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, TWO_AT_ONCE)
    _, files = of.job("job", 1_000, *[LARGE] * 3)
    of.queue.add(files)
    first, _ = of.take(), of.take()
    request, order = Patient(), list[str]()

    def again() -> None:
        with doing(request), of.queue.turn(LARGE) as is_idle:
            order.append(f"again, idle: {is_idle}")

    def next_file() -> None:
        of.take()
        order.append("next")

    threads = [in_thread(again)]
    assert request.waits.wait(30)
    threads.append(in_thread(next_file))
    of.end(first)
    for thread in threads:
        thread.join(30)
    assert order == ["again, idle: False", "next"]


def test_queued_files_and_those_that_are_read_again_take_turns(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, ReadingMemory(LARGE, LARGE))
    _, files = of.job("job", 1_000, LARGE, LARGE)
    of.queue.add(files)
    order = list[str]()

    def next_file() -> None:
        task = of.take()
        order.append("next")
        of.end(task)

    def again(request: Patient) -> None:
        with doing(request), of.queue.turn(LARGE):
            order.append("again")

    first = of.take()
    threads = [in_thread(next_file)]
    wait_until(lambda: of.queue._takers_waiting, "a thread that takes files")
    for _ in range(2):
        request = Patient()
        threads.append(in_thread(partial(again, request)))
        assert request.waits.wait(30)
    of.end(first)
    for thread in threads:
        thread.join(30)
    assert order == ["again", "next", "again"]
    of.queue.wait_until_idle()


def test_a_small_reading_again_does_not_overtake_a_large_one(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, ReadingMemory(2 * LARGE - 1, LARGE))
    large, small = Patient(), Patient()
    done = list[int]()

    def again(request: Patient, size: int) -> None:
        with doing(request), of.queue.turn(size):
            done.append(size)

    with of.queue.turn(LARGE):
        threads = [in_thread(partial(again, large, LARGE))]
        assert large.waits.wait(30)
        threads.append(in_thread(partial(again, small, SMALL_FILE)))
        assert small.waits.wait(30)
    for thread in threads:
        thread.join(30)
    assert sorted(done) == [SMALL_FILE, LARGE]


def test_a_second_thread_helps_to_read_a_file_again_if_nothing_else_is_read(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, TWO_AT_ONCE)
    _, files = of.job("job", 1_000, LARGE)
    with of.queue.turn(LARGE) as is_idle:
        assert is_idle
        with of.queue.turn(0) as helps:  # small files need no turn
            assert not helps
    of.queue.add(files)
    with of.queue.turn(LARGE) as is_idle:
        assert not is_idle


def test_a_retry_is_read_while_others_wait_for_the_queue(of: Queue) -> None:
    _, files = of.job("job", 1_000, 10)
    asked = threading.Event()

    def never() -> bool:
        asked.set()
        return False

    waiting = in_thread(lambda: of.queue.wait_until(never))
    assert asked.wait(30)
    found: list[Task] = []
    taker = in_thread(lambda: found.append(of.take()))
    wait_until(lambda: of.queue._takers_waiting, "a thread that takes files")
    of.queue.add_later(*files[0], 0.0)
    taker.join(30)
    assert [task.file for task in found] == [files[0][1]]
    of.closed.set()
    of.queue.wake()
    waiting.join(30)


def test_no_more_is_read_at_once_than_the_memory_holds(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, TWO_AT_ONCE)
    _, files = of.job("job", 1_000, *[LARGE] * 40)
    of.queue.add(files)
    at_work, most, lock = 0, 0, threading.Lock()

    def read(share: int) -> None:
        nonlocal at_work, most
        with lock:
            at_work += share
            most = max(most, at_work)
        os.sched_yield()
        with lock:
            at_work -= share

    def load() -> None:
        while (task := of.queue.take()) is not None:
            read(1)
            of.end(task)

    def request() -> None:
        for _ in range(20):
            with of.queue.turn(LARGE) as is_idle:
                read(2 if is_idle else 1)

    threads = [in_thread(call) for call in (load, load, request, request, request)]
    of.queue.wait_until_idle()
    for thread in threads[2:]:
        thread.join(30)
    assert most == 2
    of.closed.set()
    of.queue.wake()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_waiting_to_read_a_file_again_is_long_work_with_a_deadline(of: Queue) -> None:
    of.queue = LoadQueue(of.closed, of._note_idle, 1, TWO_AT_ONCE)
    _, files = of.job("job", 1_000, *[LARGE] * 3)
    of.queue.add(files)
    first, _ = of.take(), of.take()
    with doing(allow(60.0, is_short=True)), pytest.raises(LongWorkAhead), of.queue.turn(LARGE):
        pytest.fail("It does not fit.")
    with doing(allow(0.0)), pytest.raises(DeadlineExceeded), of.queue.turn(LARGE):
        pytest.fail("It does not fit.")
    of.end(first)
    assert of.take().file is files[2][1]
    of.closed.set()
    with of.queue.turn(LARGE):  # a closed queue does not delay requests
        pass


def test_a_file_that_changes_while_it_is_read_is_read_once_more(of: Queue) -> None:
    job, files = of.job("job", 1_000, 0)
    of.queue.add(files)
    task = of.take()
    of.queue.add(files)
    of.queue.add(files)
    assert of.queue.files_left(task) == 0
    of.queue.end(task)
    assert of.idle == 0
    again = of.take()
    assert again.file is task.file
    of.end(again)
    assert (of.idle, job.pending) == (1, 0)


def test_it_counts_the_remaining_files_of_a_job(of: Queue) -> None:
    _, files = of.job("job", 1_000, 0, 0)
    of.queue.add(files)
    left = []
    for _ in files:
        task = of.take()
        left.append(of.queue.files_left(task))
        of.queue.end(task)
    assert left == [1, 0]
    of.queue.wait_until_idle()


def test_closing_the_queue_ends_waiting_workers(of: Queue) -> None:
    found: list[Task | None] = []
    waiting = threading.Thread(target=lambda: found.append(of.queue.take()))
    waiting.start()
    of.closed.set()
    of.queue.wake()
    waiting.join(30)
    assert found == [None]
    of.queue.wait_until(lambda: False)


def test_an_unread_job_is_replaced_by_its_files(of: Queue) -> None:
    job, files = of.job("job", 1_000, 0, 0, 0)
    loaders = [file for _, file in files]
    of.queue.add([(job, None)])
    taken = of.take()
    assert (taken.file, taken.size, job.pending) == (None, 3 * loaders[0].found.identity.size, 1)
    first = of.queue.begin(taken, loaders)
    assert first is not None
    assert job.pending == 3
    of.end(first)
    read = [first.file]
    for _ in range(2):
        task = of.take()
        read.append(task.file)
        of.end(task)
    assert read == loaders
    assert (of.idle, job.pending) == (1, 0)


def test_an_unread_job_without_files_to_read_is_done(of: Queue) -> None:
    job, _ = of.job("job", 1_000, 0)
    of.queue.add([(job, None)])
    assert of.queue.begin(of.take(), []) is None
    assert (of.idle, job.pending) == (1, 0)
