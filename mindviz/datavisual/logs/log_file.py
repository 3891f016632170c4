"""LogFile: one growing file on disk. The only place of the pipeline that opens files.

Files are opened for a refresh and closed behind it: a base dir may hold more files than the
system lets a process open.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from types import TracebackType
from typing import Self

_HEAD_SIZE = 64
"""Bytes. The first records of a log hold its wall time, so logs differ within so many."""
_TAIL_SIZE = 16

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
"""O_PATH takes no permission to list a directory; systems without it ask for that, too."""


_LASTING_ERRORS = frozenset(
    {
        errno.EACCES,
        errno.EPERM,
        errno.EINVAL,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.EXDEV,
    }
)


def is_gone(error: OSError) -> bool:
    """Whether an error says that nothing is there, not just that it cannot be reached now."""
    return isinstance(error, (FileNotFoundError, NotADirectoryError))


def is_transient(error: OSError) -> bool:
    """Whether an error may end without a change of the file: EIO, ESTALE, EMFILE, and the like."""
    return not is_gone(error) and error.errno not in _LASTING_ERRORS


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """What the system tells about a file without opening it; any write changes it."""

    device: int
    inode: int
    size: int
    """Bytes."""
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """The identity in the answer of `os.stat`."""
        return cls(
            status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
        )


@dataclass(frozen=True, slots=True)
class ReadMark:
    """How far a file has been read, and what it looked like up to there."""

    device: int
    inode: int
    offset: int
    """Bytes read so far."""
    head: bytes
    """The first bytes before `offset`, at most 64."""
    tail: bytes
    """The last bytes before `offset`, at most 16."""


class OpenLogFile:
    """A log file that is open for the length of a `with`; what `LogFile.opened` gives.

    Reads go straight into one buffer, which grows to the largest read and is reused by each. What
    lies within the read before is not read again: a small file costs one read.
    """

    __slots__ = ("_buffer", "_end", "_start", "_target", "_window", "descriptor", "status")

    def __init__(self, descriptor: int, status: os.stat_result) -> None:
        self.status = status
        """As it was when the file was opened."""
        self.descriptor = descriptor
        self._buffer = memoryview(bytearray())
        self._window = self._buffer
        self._target = (self._window,)
        self._start = self._end = 0
        """What part of the file the buffer begins with."""

    def __enter__(self) -> Self:
        """The file itself; it is closed at the end of the `with`."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        os.close(self.descriptor)
        self.descriptor = -1

    def read(self, offset: int, size: int) -> memoryview:
        """The file's bytes from `offset`: `size` of them, or fewer at the end of the file.

        The view is valid until the next read. Raises OSError.
        """
        if self._start <= offset and offset + size <= self._end:
            return self._buffer[offset - self._start : offset - self._start + size]
        window = self._window
        if size != len(window):
            if size > len(self._buffer):
                # A length that a damaged log claims must not decide how much is allocated.
                size = min(size, max(0, os.fstat(self.descriptor).st_size - offset))
                if size > len(self._buffer):
                    self._buffer = memoryview(bytearray(size))
            window = self._window = self._buffer[:size]
            self._target = (window,)
        self._end = self._start  # should the read fail, nothing is known of the buffer
        count = os.preadv(self.descriptor, self._target, offset)
        while 0 < count < size:  # network file systems return less than there is
            more = os.preadv(self.descriptor, (window[count:],), offset + count)
            if not more:
                break
            count += more
        self._start, self._end = offset, offset + count
        return window if count == size else window[:count]

    def mark(self, offset: int) -> ReadMark:
        """Remember that everything before `offset` has been read. Raises OSError."""
        tail_start = max(0, offset - _TAIL_SIZE)
        tail = bytes(self.read(tail_start, offset - tail_start))
        head = bytes(self.read(0, min(offset, _HEAD_SIZE)))
        return ReadMark(self.status.st_dev, self.status.st_ino, offset, head, tail)

    def continues(self, mark: ReadMark) -> bool:
        """Whether this is the file that `mark` was made of, so that reading on makes sense.

        False if it was replaced, truncated or rewritten: file systems give the inode of a deleted
        file to the next new one, so inodes alone don't tell. Raises OSError.
        """
        status = self.status
        if (status.st_dev, status.st_ino) != (mark.device, mark.inode):
            return False
        if status.st_size < mark.offset:
            return False
        head, tail = mark.head, mark.tail
        return (
            bytes(self.read(0, len(head))) == head
            and bytes(self.read(mark.offset - len(tail), len(tail))) == tail
        )


class LogFile:
    """One log file, by path. Holds no descriptor; `opened` does, for the length of a `with`."""

    __slots__ = ("boundary", "path")

    def __init__(self, path: str, boundary: str | None = None) -> None:
        self.path = path
        self.boundary = boundary
        """The directory, without symbolic links in its path, that no link may lead out of; None:
        links may lead anywhere."""

    def opened(self) -> OpenLogFile:
        """Open the file for reading: `with log_file.opened() as file: ...`.

        Raises OSError: it is gone, unreadable, no regular file or outside the boundary. Never
        waits for a pipe's writer.
        """
        if self.boundary is None:
            descriptor = os.open(self.path, _READ)
        else:
            descriptor = _open_within(self.boundary, self.path)
        try:
            status = os.fstat(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "Not a regular file", self.path)
        return OpenLogFile(descriptor, status)

    def head(self, size: int) -> bytes:
        """The first `size` bytes, or all there are. Raises OSError."""
        with self.opened() as file:
            return bytes(file.read(0, size))


def _open_within(boundary: str, path: str) -> int:
    """A descriptor of the file at `path`, which is below `boundary` whatever changes meanwhile.

    Links are resolved first and the result is opened without following any: a link that appears
    between the two steps is refused. Raises OSError, EXDEV for what is outside.
    """
    try:
        return _open_without_links(boundary, path)
    except OSError:  # perhaps for a link on the way
        real = os.path.realpath(path)
        if real == path:
            raise
        return _open_without_links(boundary, real)


def _open_without_links(boundary: str, path: str) -> int:
    root = boundary.rstrip("/") + "/"
    names = path[len(root) :].split("/")
    if not path.startswith(root) or ".." in names:
        raise OSError(errno.EXDEV, "It is outside the base dir", path)
    directory = os.open(root, _ENTER)
    try:
        for name in names[:-1]:
            parent = directory
            directory = os.open(name or ".", _ENTER | os.O_NOFOLLOW, dir_fd=parent)
            os.close(parent)
        return os.open(names[-1], _READ | os.O_NOFOLLOW, dir_fd=directory)
    finally:
        os.close(directory)


_TEXT = frozenset(range(0x20, 0x7F)) | {0x09, 0x0A, 0x0D}


def is_text(head: bytes) -> bool:
    """Whether a file that begins so is text (a git-lfs pointer, an error page), and no log.

    Records begin with their length, 8 bytes little-endian: eight characters would be 10^17 bytes.
    """
    return len(head) >= 8 and _TEXT.issuperset(head[:8])
