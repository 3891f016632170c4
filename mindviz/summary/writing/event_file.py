"""EventFile: one log that grows by whole records, whatever the disk does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

WRITE_SIZE = 1 << 20
"""Bytes. Records are handed to the system in pieces of about this size, so that some of them are
kept when not all of them fit on the disk."""


class FullLog(Exception):
    """No further record fits into the log."""


class EventFile:
    """A file that is appended to; not thread-safe.

    After every call it ends with a whole record, also when the call failed, unless the process
    dies meanwhile.
    """

    def __init__(
        self,
        claim: Callable[[int], tuple[int, Path]],
        first_frame: Callable[[], bytes],
        max_size: int | None = None,
        *,
        rotate: bool = False,
    ) -> None:
        """Nothing is opened before the first record.

        `claim(part)` creates the n-th file and answers with its descriptor and path;
        `first_frame()` is what each of them begins with. With `rotate`, a further part is begun
        when `max_size` bytes are reached.
        """
        self._claim = claim
        self._first_frame = first_frame
        self._max_size = max_size
        self._rotate = rotate
        self._descriptor = -1
        self._size = 0
        self._part = 0
        self.path: Path | None = None

    def append(self, frames: Sequence[bytes]) -> int:
        """Write records; how many, which is all of them unless an error has something to say.

        Raises OSError if nothing could be written, FullLog if `max_size` is reached.
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
        """Have a file open that is still where it was made. Raises OSError."""
        if self._descriptor >= 0 and not self._is_there():
            self.close()
        if self._descriptor < 0:
            self._descriptor, self.path = self._claim(self._part + 1)
            self._size = 0
            try:
                self._write(self._first_frame())
            except OSError:
                self.close()
                self.path.unlink(missing_ok=True)
                raise
            self._part += 1

    def _is_there(self) -> bool:
        """Whether the path still leads to the open file: a deleted one would be written in vain."""
        assert self.path is not None
        try:
            named = self.path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(self._descriptor))

    def _write(self, data: bytes) -> None:
        """Append all of it or nothing."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            if len(view) < len(data):
                self._cut_back()
            raise
        self._size += len(data)

    def _cut_back(self) -> None:
        """Drop the beginning of what did not fit; if even that fails, go on in another file."""
        try:
            os.ftruncate(self._descriptor, self._size)
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file; a further record would begin the next part."""
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)
