"""ScratchFile: the columns of a run that is larger than the memory limit, without a cache."""

from __future__ import annotations

import mmap
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO

from mindviz.datavisual.logs.warm.kept_file import batch_of, batch_section
from mindviz.datavisual.logs.warm.pack import decoded, encoded
from mindviz.datavisual.series.columns import Batch, MappedBatch

_PART_BYTES = 64 * 1024 * 1024
"""Of a file. Each takes a descriptor as long as one of its batches is used."""
_ALIGNMENT = 64
_SMALL = 4_096
"""Bytes of a batch that stays in memory: its objects take about as much in a file."""


class ScratchFile:
    """Batches as pages of unnamed files, which the system deletes after the last batch.

    Such pages are not private memory, and the system drops them when memory is short. Thread-safe.
    """

    def __init__(self, folder: Path) -> None:
        """Files are created in `folder` when they are needed."""
        self._folder = folder
        self._lock = Lock()
        self._part: tuple[IO[bytes], mmap.mmap] | None = None
        self._end = 0
        """Bytes that are in use in this part."""

    def moved(self, batch: Batch) -> Batch:
        """The same batch in a file; itself if it is small, or if nothing can be written."""
        if batch.nbytes < _SMALL:
            return batch
        pieces = encoded(batch_section(batch))
        with self._lock:
            try:
                data = self._written(pieces)
            except (OSError, ValueError):  # such as a full disk, or too few addresses
                self.close()
                return batch
        there = batch_of(decoded(data))
        return MappedBatch(there.segment, there.scalars, there.values)

    def close(self) -> None:
        """Write nothing more to this part; what was moved stays readable."""
        if self._part is not None:
            with suppress(OSError):  # the disk is full
                self._part[0].close()
            self._part = None

    def _written(self, pieces: list[bytes | memoryview]) -> memoryview:
        size = sum(map(len, pieces))
        start = self._end + -self._end % _ALIGNMENT
        if self._part is None or start + size > len(self._part[1]):
            self.close()
            start, self._part = 0, self._new_part(max(size, _PART_BYTES))
        file, mapped = self._part
        file.seek(start)
        for piece in pieces:
            file.write(piece)
        file.flush()  # else what is mapped would not have it
        self._end = start + size
        return memoryview(mapped)[start : self._end]

    def _new_part(self, size: int) -> tuple[IO[bytes], mmap.mmap]:
        file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - see below
        weakref.finalize(self, file.close)
        try:
            file.truncate(size)  # which takes no space yet
            return file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        except BaseException:
            file.close()
            raise
