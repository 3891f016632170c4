"""WorkPool: a few threads with a bounded queue, used by an event loop."""

from __future__ import annotations

import asyncio
import threading

import pytest

from mindviz.backend.work_pool import WorkPool
from mindviz.deadline import allow, check, waiting
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


def test_a_full_queue_accepts_only_work_that_goes_on() -> None:
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


def test_waiting_functions_free_their_place_until_they_continue() -> None:
    async def use() -> None:
        done: list[str] = []
        enough, go = threading.Event(), threading.Event()
        waited = threading.Semaphore(0)
        pool = WorkPool("test", 1, 8)

        def wait() -> None:
            with waiting():
                assert enough.wait(60)
            waited.release()
            assert go.wait(60)
            done.append("waited")

        try:
            waits = [pool.submit(allow(60), wait) for _ in range(3)]
            await pool.submit(allow(60), lambda: done.append("meanwhile"))
            enough.set()
            for _ in waits:
                assert await asyncio.to_thread(waited.acquire, timeout=60)
            last = pool.submit(allow(60), lambda: done.append("last"))
            go.set()
            await asyncio.gather(*waits, last)
            assert done == ["meanwhile", "waited", "waited", "waited", "last"]
        finally:
            go.set()
            enough.set()
            pool.close()

    asyncio.run(use())


def test_functions_that_wait_count_as_waiting() -> None:
    async def use() -> None:
        begun, enough = threading.Semaphore(0), threading.Event()
        pool = WorkPool("test", 1, 2)

        def wait() -> None:
            with waiting():
                begun.release()
                assert enough.wait(60)

        try:
            waits = [pool.submit(allow(60), wait) for _ in range(2)]
            for _ in waits:
                assert await asyncio.to_thread(begun.acquire, timeout=60)
            with pytest.raises(ServerBusy):
                pool.submit(allow(60), wait)
            third = pool.submit(allow(60), wait, goes_on=True)
            with pytest.raises(ServerBusy):
                await third
            enough.set()
            await asyncio.gather(*waits)
        finally:
            enough.set()
            pool.close()

    asyncio.run(use())
