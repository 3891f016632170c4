"""WorkPool: a few threads with a bounded queue, whose results an event loop awaits.

Its threads are daemons: unlike those of `concurrent.futures`, they don't hold up the exit.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
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
    """Runs functions in threads; `submit` and `close` are called in the event loop."""

    def __init__(self, name: str, threads: int, max_waiting: int) -> None:
        self._max_waiting = max_waiting
        self._tasks: deque[_Task] = deque()
        self._changed = threading.Condition()
        self._closed = False
        for number in range(threads):
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True).start()

    def submit(
        self, work: Work, function: Callable[[], Result], *, goes_on: bool = False
    ) -> asyncio.Future[Result]:
        """What the function returns, called in a thread with `work` as its current work.

        Work that `goes_on` precedes all that has not begun: an answer of many pieces waits once.
        Raises ServerBusy if too many wait already, and this does not go on.
        """
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        task = _Task(function, work, future)
        with self._changed:
            if goes_on:
                self._tasks.appendleft(task)
            elif len(self._tasks) < self._max_waiting:
                self._tasks.append(task)
            else:
                raise ServerBusy(f"{self._max_waiting} long questions are waiting already.")
            self._changed.notify()
        return future

    def close(self) -> None:
        """End the threads once nothing is left to do; doesn't wait for them."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _next(self) -> _Task | None:
        with self._changed:
            while not self._tasks:
                if self._closed:
                    return None
                self._changed.wait()
            return self._tasks.popleft()

    def _run(self) -> None:
        while (task := self._next()) is not None:
            result: Any = None
            error: BaseException | None = None
            try:
                with doing(task.work):
                    result = task.function()
            except BaseException as raised:  # noqa: BLE001 -- it is the awaiting coroutine's to handle
                error = raised
            try:
                task.future.get_loop().call_soon_threadsafe(_finish, task.future, result, error)
            except RuntimeError:
                return  # the loop is closed
            # A waiting thread must not keep the last answer alive.
            del task, result, error


def _finish(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
