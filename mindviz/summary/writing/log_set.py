"""LogSet: the files of one recording, and the records that still have to get into them."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mindviz.errors import RecordingFailed
from mindviz.summary.writing.event_file import EventFile, FullLog
from mindviz.summary.writing.log_names import Log, LogNames
from mindviz.wire.encode import frame
from mindviz.wire.framing import Framing

_LOG = logging.getLogger("mindviz.summary")


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Where and how a recording writes."""

    names: Callable[[], LogNames]
    """Asked once per process, when the first file is named."""
    main: Log
    """The log whose name claims those of the others."""
    first_payload: Callable[[Log], bytes | None]
    """What a new file of a kind begins with; None: nothing."""
    max_size: int | None = None
    rotate: bool = False
    backlog: int = 256 << 20
    """Bytes of records that are kept while they cannot be written."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A record on its way into a file."""

    frame: bytes
    droppable: bool


class LogSet:
    """The write side of a recording; used by one thread at a time.

    While nothing can be written (the disk is full, the directory gone) records wait, the newest of
    them up to a bound, and every `write` tries again.
    """

    def __init__(self, settings: LogSettings) -> None:
        self._settings = settings
        self._files: dict[Log, EventFile] = {}
        self._waiting: dict[Log, deque[_Waiting]] = {}
        self._waiting_size = 0
        self._full: set[Log] = set()
        self._claim: str | None = None
        self.trouble: RecordingFailed | None = None
        """Why the latest `write` could not write everything."""
        self.lost = 0
        """Records that waited for so long that they had to go."""

    @property
    def path(self) -> Path:
        """The main log; before it is there, where it will be unless the name is taken by then."""
        file = self._files.get(self._settings.main)
        if file is not None and file.path is not None:
            return file.path
        return next(self._names.paths(self._settings.main, 1, None))[0]

    @cached_property
    def _names(self) -> LogNames:
        return self._settings.names()

    def add(self, log: Log, payload: bytes, *, droppable: bool) -> None:
        """Put a record at the end of a log, once `write` is called."""
        if log in self._full:
            return
        waiting = _Waiting(frame(payload, Framing.TFRECORD), droppable)
        self._waiting.setdefault(log, deque()).append(waiting)
        self._waiting_size += len(waiting.frame)

    def write(self) -> None:
        """Write what waits, as far as the disk allows; afterwards `trouble` says how it went."""
        before, trouble = self.trouble, None
        for log, waiting in self._waiting.items():
            if waiting and trouble is None:
                trouble = self._write_log(log, waiting)
        self.trouble = trouble  # at once: the training looks at it at any time
        if trouble is not None:
            self._keep_within_bounds()
            if before is None:
                _LOG.error("%s Training goes on; recording is tried again.", self.trouble)
        elif before is not None:
            lost = f"; {self.lost} records were lost meanwhile" if self.lost else ""
            _LOG.warning("Recording goes on in %s%s.", self.path, lost)

    def _write_log(self, log: Log, waiting: deque[_Waiting]) -> RecordingFailed | None:
        """Write what waits for one log; why not all of it, if so."""
        while waiting:
            try:
                if log is not self._settings.main:
                    self._file(self._settings.main).ensure_open()
                count = self._file(log).append([one.frame for one in waiting])
            except FullLog:
                self._stop(log)
                return None
            except OSError as error:
                return _explained(error, self._names.directory)
            for _ in range(count):
                self._waiting_size -= len(waiting.popleft().frame)
        return None

    def _stop(self, log: Log) -> None:
        """Nothing more is written into this log, as in MindSpore."""
        self._full.add(log)
        waiting = self._waiting[log]
        self._waiting_size -= sum(len(one.frame) for one in waiting)
        waiting.clear()
        _LOG.warning(
            "%s has reached max_file_size (%s bytes): nothing more is written to it. "
            "With rotate=True a further file would be begun.",
            self._file(log).path,
            self._settings.max_size,
        )

    def _keep_within_bounds(self) -> None:
        """Drop what waits beyond the bound: the oldest large values first, scalars last."""
        for scalars_too in (False, True):
            for log, waiting in self._waiting.items():
                if self._waiting_size <= self._settings.backlog:
                    return
                self._waiting[log] = self._without_oldest(waiting, scalars_too=scalars_too)

    def _without_oldest(self, waiting: Iterable[_Waiting], *, scalars_too: bool) -> deque[_Waiting]:
        kept: deque[_Waiting] = deque()
        for one in waiting:
            too_much = self._waiting_size > self._settings.backlog
            if too_much and (one.droppable or scalars_too):
                self._waiting_size -= len(one.frame)
                self.lost += 1
            else:
                kept.append(one)
        return kept

    def _file(self, log: Log) -> EventFile:
        if log not in self._files:
            self._files[log] = EventFile(
                lambda part: self._create(log, part),
                lambda: self._first_frame(log),
                self._settings.max_size,
                rotate=self._settings.rotate,
            )
        return self._files[log]

    def _create(self, log: Log, part: int) -> tuple[int, Path]:
        """Create a file that was not there; its descriptor and path. Raises OSError."""
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
        payload = self._settings.first_payload(log)
        return b"" if payload is None else frame(payload, Framing.TFRECORD)

    def close(self) -> None:
        """Close all files; what still waits is lost."""
        left = sum(map(len, self._waiting.values()))
        if left and self.trouble is not None:
            _LOG.error("%s %d records could not be written and are lost.", self.trouble, left)
        for file in self._files.values():
            file.close()


def _explained(error: OSError, directory: Path) -> RecordingFailed:
    if isinstance(error, FileNotFoundError):
        return RecordingFailed(f"The log directory {directory} has vanished.")
    return RecordingFailed(f"Nothing can be written to {directory}: {error.strerror}.")
