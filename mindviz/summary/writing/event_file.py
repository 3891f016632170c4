"""EventFile: an append-only log that always ends with a whole record."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

WRITE_SIZE = 1 << 20
"""Bytes per write. On a full disk, the records of earlier writes are kept."""


class FullLog(Exception):
    """No further record fits into the log."""


class EventFile:
    """An append-only file; not thread-safe.

    After every call, failed ones included, the file ends with a whole record, unless the process
    is killed during a write.
    """

    def __init__(
        self,
        create: Callable[[int], tuple[int, Path]],
        first_frame: Callable[[], bytes],
        max_size: int | None = None,
        *,
        rotate: bool = False,
    ) -> None:
        """Opens nothing before the first record.

        `create(part)` creates the n-th file and returns its descriptor and path. Every file starts
        with `first_frame()`. With `rotate`, the next part starts when `max_size` bytes are reached.
        """
        self._create = create
        self._first_frame = first_frame
        self._max_size = max_size
        self._rotate = rotate
        self._descriptor = -1
        self._size = 0
        self._part = 0
        self.path: Path | None = None

    def append(self, frames: Sequence[bytes]) -> int:
        """Write records; returns how many were written before an error, if any.

        Raises OSError or FullLog (`max_size` reached) if none was written.
        """
        written = 0
        while written < len(frames):
            try:
                written += self._append_some(frames[written:])
            except (OSError, FullLog):
                if written:
                    return written
                raise
        return written

    def _append_some(self, frames: Sequence[bytes]) -> int:
        self.ensure_open()
        room = None if self._max_size is None else self._max_size - self._size
        count = size = 0
        for frame in frames:
            if count and size + len(frame) > WRITE_SIZE:
                break
            if room is not None and size + len(frame) > room:
                if not count:
                    return self._append_to_next_part(frame)
                break
            count += 1
            size += len(frame)
        self._write(frames[0] if count == 1 else b"".join(frames[:count]))
        return count

    def _append_to_next_part(self, frame: bytes) -> int:
        first = self._first_frame()
        if not self._rotate or len(first) + len(frame) > (self._max_size or 0):
            raise FullLog
        self.close()
        self.ensure_open()
        self._write(frame)
        return 1

    def ensure_open(self) -> None:
        """Open a file, or another one if the current file was deleted or moved. Raises OSError."""
        if self._descriptor >= 0 and not self._is_linked():
            self.close()
        if self._descriptor < 0:
            self._descriptor, self.path = self._create(self._part + 1)
            self._size = 0
            try:
                self._write(self._first_frame())
            except OSError:
                self.close()
                self.path.unlink(missing_ok=True)
                raise
            self._part += 1

    def _is_linked(self) -> bool:
        """Whether the path still names the open file."""
        assert self.path is not None
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(self._descriptor))

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            if len(view) < len(data):
                self._truncate()
            raise
        self._size += len(data)

    def _truncate(self) -> None:
        """Remove a half-written record; if that fails, continue in another file."""
        try:
            os.ftruncate(self._descriptor, self._size)
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file; the next record would start the next part."""
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)
