"""NonSeekableWriter: a file object whose content is taken in pieces while a library writes."""

from __future__ import annotations

import io
from typing import Any


class NonSeekableWriter(io.RawIOBase):
    """Buffers written bytes until `take`."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[bytes] = []
        self.size = 0
        """Bytes written since the last `take`."""

    def writable(self) -> bool:
        """Always true; the file is neither readable nor seekable."""
        return True

    def write(self, data: Any) -> int:
        """Buffer a copy; returns its size."""
        self._waiting.append(bytes(data))
        written = len(self._waiting[-1])
        self.size += written
        return written

    def take(self) -> bytes:
        """The bytes written since the last call."""
        taken = b"".join(self._waiting)
        self._waiting.clear()
        self.size = 0
        return taken
