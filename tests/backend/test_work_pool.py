"""A few threads, a bounded queue, and an event loop that awaits them."""

from __future__ import annotations

import asyncio
import threading

import pytest

from mindviz.backend.work_pool import WorkPool
from mindviz.deadline import allow, check
from mindviz.errors import Cancelled, ServerBusy


def test_results_and_errors_reach_the_loop() -> None:
    async def use() -> None:
        pool = WorkPool("test", 1, 8)
        try:
            name = await pool.submit(allow(60), lambda: threading.current_thread().name)
            assert name == "test-0"
            cancelled = allow(60)
            cancelled.cancelled = True
            with pytest.raises(Cancelled):
                await pool.submit(cancelled, check)
            assert await pool.submit(allow(60), lambda: 7) == 7
        finally:
            pool.close()

    asyncio.run(use())


def test_a_full_queue_refuses_all_but_what_goes_on_which_comes_first() -> None:
    async def use() -> None:
        done: list[str] = []
        begun, go = threading.Event(), threading.Event()
        pool = WorkPool("test", 1, 1)

        def wait() -> None:
            begun.set()
            assert go.wait(30)
            done.append("first")

        try:
            first = pool.submit(allow(60), wait)
            await asyncio.to_thread(begun.wait, 30)
            second = pool.submit(allow(60), lambda: done.append("second"))
            with pytest.raises(ServerBusy):
                pool.submit(allow(60), lambda: done.append("refused"))
            third = pool.submit(allow(60), lambda: done.append("third"), goes_on=True)
            go.set()
            await asyncio.gather(first, second, third)
            assert done == ["first", "third", "second"]
        finally:
            go.set()
            pool.close()

    asyncio.run(use())
