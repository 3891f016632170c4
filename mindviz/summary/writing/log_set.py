"""LogSet: the files of one recording, and the records that wait to be written to them."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mindviz.errors import RecordingFailed
from mindviz.summary.writing.event_file import EventFile, FullLog
from mindviz.summary.writing.log_names import LogNames
from mindviz.summary.writing.recorded_step import Log
from mindviz.wire.encode import frame
from mindviz.wire.framing import Framing

_LOG = logging.getLogger("mindviz.summary")


@dataclass(frozen=True, slots=True)
class _Waiting:
    frame: bytes
    droppable: bool


@dataclass(eq=False)
class LogSet:
    """Appends records to the files of a recording; not thread-safe.

    While writing fails (disk full, directory deleted), up to `backlog` bytes of the newest records
    wait, and every `write` retries.
    """

    names: Callable[[], LogNames]
    """Called once per process, before the first file is created."""
    main: Log
    """Created first; its name decides those of the others."""
    first_payload: Callable[[Log], bytes | None]
    """The first record of each new file; None for none."""
    max_size: int | None = None
    rotate: bool = False
    backlog: int = 256 << 20
    """Maximum bytes of records to keep while writing fails."""
    trouble: RecordingFailed | None = field(default=None, init=False)
    """Why the latest `write` failed, if it did."""
    lost: int = field(default=0, init=False)
    """Records dropped because the backlog was full."""

    def __post_init__(self) -> None:
        self._files: dict[Log, EventFile] = {}
        self._waiting: dict[Log, deque[_Waiting]] = {}
        self._waiting_size = 0
        self._full: set[Log] = set()
        self._claim: str | None = None

    @property
    def path(self) -> Path:
        """The main log; before it exists, its first candidate path."""
        file = self._files.get(self.main)
        if file is not None and file.path is not None:
            return file.path
        return next(self._names.paths(self.main, 1, None))[0]

    @cached_property
    def _names(self) -> LogNames:
        return self.names()

    def add(self, log: Log, payload: bytes, *, droppable: bool) -> None:
        """Queue a record for the next `write`."""
        if log in self._full:
            return
        waiting = _Waiting(frame(payload, Framing.TFRECORD), droppable)
        self._waiting.setdefault(log, deque()).append(waiting)
        self._waiting_size += len(waiting.frame)

    def write(self) -> None:
        """Write the queued records as far as possible; `trouble` is the error, or None."""
        before, trouble = self.trouble, None
        for log, waiting in self._waiting.items():
            if waiting and trouble is None:
                trouble = self._write_log(log, waiting)
        self.trouble = trouble  # one assignment: other threads read it at any time
        if trouble is not None:
            self._shrink_backlog()
            if before is None:
                _LOG.error("%s Training continues; recording will be retried.", self.trouble)
        elif before is not None:
            lost = f"; {self.lost} records were lost" if self.lost else ""
            _LOG.warning("Recording resumed in %s%s.", self.path, lost)

    def _write_log(self, log: Log, waiting: deque[_Waiting]) -> RecordingFailed | None:
        while waiting:
            try:
                if log is not self.main:
                    self._file(self.main).ensure_open()
                count = self._file(log).append([record.frame for record in waiting])
            except FullLog:
                self._stop(log)
                return None
            except OSError as error:
                return _recording_failed(error, self._names.directory)
            for _ in range(count):
                self._waiting_size -= len(waiting.popleft().frame)
        return None

    def _stop(self, log: Log) -> None:
        """End this log at its maximum size, as MindSpore does."""
        self._full.add(log)
        waiting = self._waiting[log]
        self._waiting_size -= sum(len(record.frame) for record in waiting)
        waiting.clear()
        _LOG.warning(
            "%s has reached max_file_size (%s bytes); further records are not written. "
            "Use rotate=True to continue in another file.",
            self._file(log).path,
            self.max_size,
        )

    def _shrink_backlog(self) -> None:
        """Drop the oldest records beyond the bound: large values first, scalars last."""
        for scalars_too in (False, True):
            for log, waiting in self._waiting.items():
                if self._waiting_size <= self.backlog:
                    return
                self._waiting[log] = self._without_oldest(waiting, scalars_too=scalars_too)

    def _without_oldest(self, waiting: Iterable[_Waiting], *, scalars_too: bool) -> deque[_Waiting]:
        kept: deque[_Waiting] = deque()
        for record in waiting:
            is_over = self._waiting_size > self.backlog
            if is_over and (record.droppable or scalars_too):
                self._waiting_size -= len(record.frame)
                self.lost += 1
            else:
                kept.append(record)
        return kept

    def _file(self, log: Log) -> EventFile:
        if log not in self._files:
            self._files[log] = EventFile(
                lambda part: self._create(log, part),
                lambda: self._first_frame(log),
                self.max_size,
                rotate=self.rotate,
            )
        return self._files[log]

    def _create(self, log: Log, part: int) -> tuple[int, Path]:
        for path, claim in self._names.paths(log, part, self._claim):
            try:
                descriptor = os.open(
                    path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666
                )
            except FileExistsError:
                continue
            self._claim = claim
            return descriptor, path
        raise FileExistsError(17, "a file of this name exists", str(path))

    def _first_frame(self, log: Log) -> bytes:
        payload = self.first_payload(log)
        return b"" if payload is None else frame(payload, Framing.TFRECORD)

    def close(self) -> None:
        """Close all files; records that still wait are lost."""
        left = sum(map(len, self._waiting.values()))
        if left and self.trouble is not None:
            _LOG.error("%s %d records could not be written and are lost.", self.trouble, left)
        for file in self._files.values():
            file.close()


def _recording_failed(error: OSError, directory: Path) -> RecordingFailed:
    if isinstance(error, FileNotFoundError):
        return RecordingFailed(f"The log directory {directory} no longer exists.")
    return RecordingFailed(f"Cannot write to {directory}: {error.strerror}.")
