"""LogFile: one growing file on disk. The only module of `logs` that opens files of the system.

A file is open only while it is refreshed: a base dir may have more files than a process may open.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
from dataclasses import dataclass
from typing import Self

_HEAD_SIZE = 64
"""Bytes. The first records of a log have its wall time, so two logs differ within these."""
_TAIL_SIZE = 16

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
"""O_PATH needs no permission to list the directory; systems without it do need that."""


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
    """Whether the error means that nothing is there, not that it is temporarily out of reach."""
    return isinstance(error, (FileNotFoundError, NotADirectoryError))


def is_transient(error: OSError) -> bool:
    """Whether the error may pass without a change of the file, such as EIO, ESTALE or EMFILE."""
    return not is_gone(error) and error.errno not in _LASTING_ERRORS


def reason(error: OSError) -> str:
    """Why a read failed, in a few words."""
    return error.strerror or str(error) or type(error).__name__


_IDENTITY = struct.Struct("<QQqqq")
IDENTITY_SIZE = _IDENTITY.size


def identity_bytes(status: os.stat_result) -> bytes:
    """The bytes of the `FileIdentity` of a result of `os.stat`."""
    return _IDENTITY.pack(
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    )


class FileIdentity(bytes):
    """What `stat` says about a file; any write changes it.

    The numbers are packed, as there may be 100,000 files: five integers take 160 bytes.
    """

    __slots__ = ()

    @classmethod
    def packed(cls, device: int, inode: int, size: int, mtime_ns: int, ctime_ns: int) -> Self:
        """The identity of these numbers."""
        return cls(_IDENTITY.pack(device, inode, size, mtime_ns, ctime_ns))

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """The identity in a result of `os.stat`."""
        return cls(identity_bytes(status))

    def is_of(self, status: os.stat_result) -> bool:
        """Whether it is `of` a result of `os.stat`."""
        return self == identity_bytes(status)

    @property
    def numbers(self) -> tuple[int, int, int, int, int]:
        """Device, inode, size, mtime_ns, ctime_ns."""
        return _IDENTITY.unpack(self)

    @property
    def device(self) -> int:
        """Number of the device."""
        return self.numbers[0]

    @property
    def inode(self) -> int:
        """Number of the inode."""
        return self.numbers[1]

    @property
    def size(self) -> int:
        """Bytes."""
        return self.numbers[2]

    @property
    def mtime_ns(self) -> int:
        """Time of the last write."""
        return self.numbers[3]

    @property
    def ctime_ns(self) -> int:
        """Time of the last change of anything."""
        return self.numbers[4]

    def __repr__(self) -> str:
        return f"FileIdentity{self.numbers}"


@dataclass(frozen=True, slots=True)
class ReadMark:
    """How far a file has been read, and its content around there."""

    device: int
    inode: int
    offset: int
    """Bytes read so far."""
    head: bytes
    """The first bytes before `offset`, at most 64."""
    tail: bytes
    """The last bytes before `offset`, at most 16."""
    size: int
    """Of the file, with all that was not read."""
    written: int
    """As `OpenLogFile.written`."""
    is_reserved: bool
    """Whether zeros follow `offset`, which records will replace."""


class OpenLogFile:
    """An open log file, from `LogFile.opened`; closed at the end of the `with`.

    All reads share one buffer, which grows to the largest read. A range within the previous read is
    not read again, so a small file costs one read.
    """

    __slots__ = ("_buffer", "_end", "_start", "_status", "_target", "_window", "descriptor")

    def __init__(self, descriptor: int, status: os.stat_result) -> None:
        self._status = status
        self.descriptor = descriptor
        """-1 if it is no file of the system."""
        self._buffer = memoryview(bytearray())
        self._window = self._buffer
        self._target = (self._window,)
        self._start = self._end = 0
        """The part of the file at the start of the buffer."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)
        self.descriptor = -1

    @property
    def status(self) -> os.stat_result:
        """At the time of opening. Raises OSError."""
        return self._status

    @property
    def written(self) -> int:
        """A number that any write changes, but no link, chmod or rename. Raises OSError."""
        return self.status.st_mtime_ns

    def read(self, offset: int, size: int) -> memoryview:
        """`size` bytes from `offset`, fewer at the end of the file; valid until the next read.

        Raises OSError.
        """
        if self._start <= offset and offset + size <= self._end:
            return self._buffer[offset - self._start : offset - self._start + size]
        window = self._window
        if size != len(window):
            if size > len(self._buffer):
                # A damaged log may claim any length: allocate no more than the file has.
                size = min(size, max(0, os.fstat(self.descriptor).st_size - offset))
                if size > len(self._buffer):
                    self._buffer = memoryview(bytearray(size))
            window = self._window = self._buffer[:size]
            self._target = (window,)
        self._end = self._start  # invalid until the read succeeds
        count = os.preadv(self.descriptor, self._target, offset)
        while 0 < count < size:  # network file systems may return less
            more = os.preadv(self.descriptor, (window[count:],), offset + count)
            if not more:
                break
            count += more
        self._start, self._end = offset, offset + count
        return window if count == size else window[:count]

    def mark(self, offset: int) -> ReadMark:
        """The mark of having read everything before `offset`. Raises OSError."""
        tail_start = max(0, offset - _TAIL_SIZE)
        tail = bytes(self.read(tail_start, offset - tail_start))
        head = bytes(self.read(0, min(offset, _HEAD_SIZE)))
        status = self.status
        size = status.st_size
        is_reserved = offset < size and not self._has_record(offset)
        file = status.st_dev, status.st_ino
        return ReadMark(*file, offset, head, tail, size, self.written, is_reserved)

    def continues(self, mark: ReadMark) -> bool:
        """Whether reading may continue after `mark`.

        False if the file was replaced, truncated, or written without growing, unless in reserved
        zeros. Content is compared, too, since file systems reuse inodes. Raises OSError.
        """
        status = self.status
        if (status.st_dev, status.st_ino) != (mark.device, mark.inode):
            return False
        if status.st_size < mark.offset:
            return False
        grew = status.st_size > mark.size
        is_same = (status.st_size, self.written) == (mark.size, mark.written)
        if not (grew or is_same or (mark.is_reserved and self._has_record(mark.offset))):
            return False
        head, tail = mark.head, mark.tail
        return (
            bytes(self.read(0, len(head))) == head
            and bytes(self.read(mark.offset - len(tail), len(tail))) == tail
        )

    def _has_record(self, offset: int) -> bool:
        return any(self.read(offset, _TAIL_SIZE))


class LogFile:
    """One log file, by path; not open."""

    __slots__ = ("boundary", "path")

    def __init__(self, path: str, boundary: str | None = None) -> None:
        self.path = path
        self.boundary = boundary
        """The real path of a directory that symbolic links must not leave; None for any target."""

    def opened(self, expected: int = 0) -> OpenLogFile:  # noqa: ARG002 - for objects
        """Open the file for reading: `with log_file.opened() as file: ...`.

        `expected`: bytes from the start that are likely to be read, in order.
        Raises OSError: gone, unreadable, not a regular file, or outside the boundary. Does
        not block on a pipe.
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

    def status(self) -> os.stat_result:
        """Its size and times. Raises OSError, as `opened` does."""
        with self.opened() as file:
            return file.status

    def head(self, size: int) -> bytes:
        """The first `size` bytes, or fewer. Raises OSError."""
        with self.opened() as file:
            return bytes(file.read(0, size))


def _open_within(boundary: str, path: str) -> int:
    """A descriptor of the file at `path`, which is below `boundary` despite concurrent changes.

    Links are resolved first; then the real path is opened without following links, so a link that
    appears in between is refused. Raises OSError: EXDEV if the file is outside.
    """
    try:
        return _open_without_links(boundary, path)
    except OSError:  # perhaps because of a link in the path
        real = os.path.realpath(path)
        if real == path:
            raise
        return _open_without_links(boundary, real)


def _open_without_links(boundary: str, path: str) -> int:
    root = boundary.rstrip("/") + "/"
    names = path[len(root) :].split("/")
    if not path.startswith(root) or ".." in names:
        raise OSError(errno.EXDEV, "Outside the base dir", path)
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
    """Whether a file that starts with `head` is text, such as a git-lfs pointer or an error page.

    A log starts with a length in 8 bytes; eight text characters would mean 10^17 bytes.
    """
    return len(head) >= 8 and _TEXT.issuperset(head[:8])
