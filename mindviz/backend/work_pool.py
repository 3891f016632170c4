"""WorkPool: a few threads with a bounded queue, whose results an event loop awaits.

Its threads are daemons: unlike those of `concurrent.futures`, they don't hold up the exit.
"""

from __future__ import annotations

import asyncio
import queue
import threading
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
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, work: Work, function: Callable[[], Result], *, must_wait: bool = False
    ) -> asyncio.Future[Result]:
        """What the function returns, called in a thread with `work` as its current work.

        Raises ServerBusy if too many wait already, unless this one must.
        """
        if not must_wait and self._tasks.qsize() >= self._max_waiting:
            raise ServerBusy(f"{self._max_waiting} long questions are waiting already.")
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._tasks.put(_Task(function, work, future))
        return future

    def close(self) -> None:
        """End the threads once they are done with what they do; doesn't wait for them."""
        for _ in self._threads:
            self._tasks.put(None)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
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
