"""ScratchFile: arrays and bytes in unnamed files that are mapped."""

from __future__ import annotations

import mmap
import tempfile
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

_PART_BYTES = 64 * 1024 * 1024
"""Of a file. Each takes a descriptor as long as a piece of it is used."""
_ALIGNMENT = 64
SMALL = 4_096
"""Bytes. What is smaller stays in memory: its objects take about as much in a file."""


class ScratchFile:
    """Pages of unnamed files, which the system deletes after the last piece of them.

    Such pages are not private memory, and the system drops them when memory is short. Thread-safe.
    """

    def __init__(self, folder: Path, part_bytes: int = _PART_BYTES) -> None:
        """Files are created in `folder` when they are needed."""
        self._folder = folder
        self._part_bytes = part_bytes
        self._lock = Lock()
        self._part: tuple[IO[bytes], mmap.mmap] | None = None
        self._close_file: Callable[[], Any] = lambda: None
        self.has_failed = False
        """Whether nothing could be written the last time."""
        self._end = 0
        """Bytes that are in use in this part."""

    def moved(self, array: NDArray[Any]) -> NDArray[Any]:
        """An equal array in a file; itself if it is small, or if nothing can be written."""
        if array.nbytes < SMALL:
            return array
        data = self.written([np.ascontiguousarray(array).data.cast("B")])
        return array if data is None else np.frombuffer(data, array.dtype)

    def written(self, pieces: Sequence[bytes | memoryview]) -> memoryview | None:
        """The pieces together, in a file; None if nothing can be written."""
        with self._lock:
            try:
                data = self._written(pieces)
            except (OSError, ValueError):  # such as a full disk, or too few addresses
                self.close()
                self.has_failed = True
                return None
            self.has_failed = False
            return data

    def close(self) -> None:
        """Write nothing more to this part; what was moved stays readable."""
        with suppress(OSError):  # the disk is full
            self._close_file()
        self._part = None

    def _written(self, pieces: Sequence[bytes | memoryview]) -> memoryview:
        size = sum(map(len, pieces))
        start = self._end + -self._end % _ALIGNMENT
        if self._part is None or start + size > len(self._part[1]):
            self.close()
            start, self._part = 0, self._new_part(max(size, self._part_bytes))
        file, mapped = self._part
        file.seek(start)
        for piece in pieces:
            file.write(piece)
        file.flush()  # else what is mapped would not have it
        self._end = start + size
        return memoryview(mapped)[start : self._end]

    def _new_part(self, size: int) -> tuple[IO[bytes], mmap.mmap]:
        file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - see below
        self._close_file = weakref.finalize(self, file.close)
        try:
            file.truncate(size)  # which takes no space yet
            return file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        except BaseException:
            file.close()
            raise
