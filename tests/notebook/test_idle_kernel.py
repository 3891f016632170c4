"""Whether a kernel receives messages."""

from __future__ import annotations

import asyncio

from mindviz.notebook.idle_kernel import IdleKernel


def test_a_kernel_is_idle_once_its_loop_ran() -> None:
    async def cell() -> None:
        kernel = IdleKernel()
        for _ in range(2):
            assert not kernel.was_idle()
            assert not kernel.was_idle()
            await asyncio.sleep(0)
            assert kernel.was_idle()

    asyncio.run(cell())


def test_without_a_loop_nothing_is_waited_for() -> None:
    assert IdleKernel().was_idle()


def test_a_loop_that_ended_is_not_idle() -> None:
    async def cell() -> IdleKernel:
        return IdleKernel()

    kernel = asyncio.run(cell())
    assert not kernel.was_idle()
    assert not kernel.was_idle()
