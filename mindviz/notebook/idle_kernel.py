"""IdleKernel: whether the kernel receives messages, which it does not while a cell runs."""

from __future__ import annotations

import asyncio


class IdleKernel:
    """Made in the kernel's thread; asked by others."""

    def __init__(self) -> None:
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None  # no kernel
        self._was_idle = self._loop is None
        self._asked = False

    def was_idle(self) -> bool:
        """Whether the kernel received messages since the last call."""
        if self._loop is None:
            return True
        idle, self._was_idle = self._was_idle, False
        if (idle or not self._asked) and not self._loop.is_closed():
            self._asked = True
            self._loop.call_soon_threadsafe(self._note)
        return idle

    def _note(self) -> None:
        self._was_idle = True
