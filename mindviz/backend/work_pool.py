"""WorkPool: a few threads with a bounded queue, for use in an event loop.

Its threads are daemons, which don't delay the exit, unlike those of `concurrent.futures`.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from mindviz.deadline import Work, doing
from mindviz.errors import ServerBusy

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Task:
    function: Callable[[], Any]
    work: Work
    future: asyncio.Future[Any]


class WorkPool:
    """Runs functions in threads; `submit` and `close` are called in the event loop.

    At most `threads` functions run at once. A function inside `deadline.waiting` does not count;
    when it continues, new ones have to wait until the number is below the limit again.
    """

    def __init__(self, name: str, threads: int, max_waiting: int) -> None:
        self._name = name
        self._max_waiting = max_waiting
        self._tasks: deque[_Task] = deque()
        self._changed = threading.Condition()
        self._places = self._most_places = threads
        """Number of free places; negative after functions that waited have continued."""
        self._threads = self._waiting = 0
        self._numbers = itertools.count()
        self._closed = False
        with self._changed:
            for _ in range(threads):
                self._start_thread()

    def submit(
        self, work: Work, function: Callable[[], Result], *, goes_on: bool = False
    ) -> asyncio.Future[Result]:
        """Call the function in a thread, with `work` as its current work.

        Work that `goes_on` precedes all queued work, so a response in many pieces waits only once.
        Other work raises ServerBusy if the queue is full.
        """
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        work.waiting = self._wait
        task = _Task(function, work, future)
        with self._changed:
            if goes_on:
                self._tasks.appendleft(task)
            elif len(self._tasks) + self._waiting < self._max_waiting:
                self._tasks.append(task)
            else:
                raise ServerBusy(f"{self._max_waiting} long requests are already waiting.")
            self._changed.notify()
        return future

    def close(self) -> None:
        """End the threads after all queued work; does not wait for them."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _start_thread(self) -> None:
        self._threads += 1
        name = f"{self._name}-{next(self._numbers)}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    @contextmanager
    def _wait(self) -> Iterator[None]:
        """Implements `deadline.waiting` in a thread of this pool."""
        with self._changed:
            if self._waiting >= self._max_waiting:
                raise ServerBusy(f"{self._max_waiting} long requests are already waiting.")
            self._waiting += 1
            self._places += 1
            if self._threads - self._waiting < self._most_places:
                self._start_thread()
            elif self._tasks:
                self._changed.notify()
        try:
            yield
        finally:
            # Don't wait for a free place: others may wait for a lock of this function.
            with self._changed:
                self._places -= 1
                self._waiting -= 1

    def _next(self) -> _Task | None:
        """The next task, after taking a place; None if the thread should end."""
        with self._changed:
            while not self._tasks or self._places <= 0:
                is_spare = self._threads - self._waiting > self._most_places
                if is_spare or (self._closed and not self._tasks):
                    self._threads -= 1
                    return None
                self._changed.wait()
            self._places -= 1
            return self._tasks.popleft()

    def _run(self) -> None:
        while (task := self._next()) is not None:
            result: Any = None
            error: BaseException | None = None
            try:
                with doing(task.work):
                    result = task.function()
            except BaseException as raised:  # noqa: BLE001 -- raised by the future
                error = raised
            with self._changed:
                self._places += 1
            try:
                task.future.get_loop().call_soon_threadsafe(_finish, task.future, result, error)
            except RuntimeError:
                return  # the loop is closed
            # An idle thread must not keep the last result alive.
            del task, result, error


def _finish(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
