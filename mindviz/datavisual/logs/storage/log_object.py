"""LogObject: a log in an object store, read in ranges."""

from __future__ import annotations

import errno
import os
import posixpath
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

from mindviz.datavisual.logs.log_file import LogFile, OpenLogFile
from mindviz.datavisual.logs.storage.bucket import Bucket, ObjectState, located
from mindviz.deadline import waiting

FIRST_READ = 128 * 1024
"""Bytes of the first request, unless more are expected."""
WHOLE_READ = 8 * 1024 * 1024
"""An object of up to this size that will be read as a whole takes one request."""
_FAR_READ = 32 * 1024
"""Least bytes of a request at a new position."""
BLOCK = 4 * 1024 * 1024
"""Bytes of a request while an object is read in order. Each request is four times the previous one
until then."""
_BLOCKS_AHEAD = 2
"""Blocks that are requested before they are needed."""
_KEPT_BEHIND = 64 * 1024
"""Bytes kept before a position: the marks of what has been read lie there."""
_REQUESTS = 32
"""Requests ahead of the readers at a time, of all objects."""

_NOTHING = memoryview(b"")


class LogObject(LogFile):
    """One object, by URL."""

    __slots__ = ()

    def opened(self, expected: int = 0) -> OpenObject:
        """For reading it; the first read asks the store. Raises OSError."""
        return OpenObject(self._url(), expected)

    def status(self) -> os.stat_result:
        """As of the last listing. Raises OSError."""
        bucket, key = located(self._url())
        return bucket.state(key).status(self.path)

    def _url(self) -> str:
        """Without '.' and '..'. Raises OSError: EXDEV if it is outside the boundary."""
        scheme, _, place = self.path.partition("://")
        url = f"{scheme}://{posixpath.normpath(place)}"
        if self.boundary is not None and not url.startswith(f"{self.boundary}/"):
            raise OSError(errno.EXDEV, "Outside the base dir", self.path)
        return url


class OpenObject(OpenLogFile):
    """An object that is being read; all bytes are of one version.

    Reads in order fetch ever larger blocks, the next ones before they are needed.
    """

    __slots__ = (
        "_ahead",
        "_bucket",
        "_data",
        "_first",
        "_first_read",
        "_key",
        "_pending",
        "_state",
        "_url",
    )

    def __init__(self, url: str, expected: int = 0) -> None:
        self.descriptor = -1
        self._url = url
        self._bucket: Bucket
        self._bucket, self._key = located(url)
        self._state: ObjectState | None = None
        self._first_read = max(FIRST_READ, expected if expected <= WHOLE_READ else BLOCK)
        self._first = _NOTHING
        """The first bytes of the object, if they were read."""
        self._data = _NOTHING
        self._start = self._end = 0
        """The range of `_data`."""
        self._ahead = _FAR_READ
        self._pending: deque[tuple[int, Future[memoryview]]] = deque()
        """Offset and block, in order."""

    def __exit__(self, *_: object) -> None:
        self._cancel()
        self._first = self._data = _NOTHING

    @property
    def status(self) -> os.stat_result:
        """As of the first read. Raises OSError."""
        if self._state is None:
            self._read_first()
        assert self._state is not None
        return self._state.status(self._url)

    @property
    def written(self) -> int:
        """As in `OpenLogFile`: with the version. Raises OSError."""
        return self.status.st_ctime_ns

    def read(self, offset: int, size: int) -> memoryview:
        """`size` bytes from `offset`, fewer at the end of the object. Raises OSError."""
        if self._state is None and offset + size <= self._first_read:
            self._read_first()
        end = self._within(offset + size)
        if end <= offset:
            return _NOTHING
        if end <= len(self._first):
            return self._first[offset:end]
        if offset < self._start and end - offset < _FAR_READ:
            return self._get(offset, end)  # rare, and reading goes on where it was
        if offset < self._start or end > self._end:
            self._fill(offset, end)
        return self._data[offset - self._start : end - self._start]

    def _within(self, end: int) -> int:
        return end if self._state is None else min(end, self._state.size)

    def _read_first(self) -> None:
        self._data = self._get(0, self._first_read)
        self._first = self._data[:FIRST_READ]
        self._end, self._ahead = len(self._data), min(self._first_read, BLOCK)

    def _fill(self, offset: int, end: int) -> None:
        """Read a range and what is likely to follow."""
        in_order = self._start <= offset <= self._end + self._ahead
        self._ahead = min(4 * self._ahead, BLOCK) if in_order else _FAR_READ
        kept, position = _NOTHING, offset
        if in_order and offset <= self._end:
            kept, position = self._data[max(0, offset - _KEPT_BEHIND - self._start) :], self._end
        elif not in_order:
            self._cancel()
        start = position - len(kept)
        pieces = [kept]
        while position < self._within(end):
            block = self._block(position, max(end - position, self._ahead))
            if not block:
                break
            pieces.append(block)
            position += len(block)
        self._data = memoryview(b"".join(pieces)) if kept or len(pieces) != 2 else pieces[1]
        self._start, self._end = start, position
        if not start:
            self._first = self._data[:FIRST_READ]
        if self._ahead == BLOCK:
            self._request_ahead()

    def _block(self, offset: int, size: int) -> memoryview:
        """The bytes from `offset`, requested earlier if possible."""
        while self._pending:
            start, future = self._pending.popleft()
            with waiting():
                block = future.result()
            if start <= offset < start + len(block):
                return block[offset - start :]
        return self._get(offset, offset + size)

    def _request_ahead(self) -> None:
        assert self._state is not None
        start = self._pending[-1][0] + BLOCK if self._pending else self._end
        while len(self._pending) < _BLOCKS_AHEAD and start < self._state.size:
            future = _requests().submit(self._get, start, start + BLOCK)
            self._pending.append((start, future))
            start += BLOCK

    def _get(self, start: int, stop: int) -> memoryview:
        version = None if self._state is None else self._state.version
        state, data = self._bucket.get(self._key, start, stop, version)
        if self._state is None:
            self._state = state
        return data

    def _cancel(self) -> None:
        for _, future in self._pending:
            future.cancel()
        self._pending.clear()


@cache
def _requests() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_REQUESTS, "mindviz-objects")
