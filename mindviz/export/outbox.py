"""Outbox: a file that cannot seek, for libraries that write files: what they write is passed on."""

from __future__ import annotations

import io
from typing import Any


class Outbox(io.RawIOBase):
    """What is written waits here until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[bytes] = []
        self.size = 0
        """Bytes written since the last `take`."""

    def writable(self) -> bool:
        """It is, and nothing else."""
        return True

    def write(self, data: Any) -> int:
        """Keep it."""
        self._waiting.append(bytes(data))
        written = len(self._waiting[-1])
        self.size += written
        return written

    def take(self) -> bytes:
        """What was written since the last call."""
        taken = b"".join(self._waiting)
        self._waiting.clear()
        self.size = 0
        return taken
