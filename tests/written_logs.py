"""Writes small logs for tests and reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mindviz.config import Config
from mindviz.datavisual.logs.directories.discovery import ExaminedJob, FoundFile, FoundJob
from mindviz.datavisual.logs.directories.log_entry import recognize
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.logs.formats.tensorboard import EVENT
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.log_file import FileIdentity, LogFile, OpenLogFile
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.logs.scanner.scan import Scanner, ScannerName, make_scanner
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.series.columns import Batch
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

Points = Iterable[tuple[int, float]]
"""(step, value) in write order."""


def events(points: Points, *, tag: str = "loss", start: float = 1_000.0) -> bytes:
    """Records of one scalar each, a second apart."""
    return frames(
        [
            tensorboard.event(start + i, step, [tensorboard.scalar(tag, value)])
            for i, (step, value) in enumerate(points)
        ],
        Framing.TFRECORD,
    )


def tensorboard_log(points: Points, *, tag: str = "loss", start: float = 1_000.0) -> bytes:
    """A whole event file."""
    version = frames([tensorboard.version_event(start)], Framing.TFRECORD)
    return version + events(points, tag=tag, start=start)


def overwritten(path: Path, content: bytes, *, by_rename: bool = False) -> None:
    """Replace a file, in place or not, and move its mtime, as the clock may not have ticked."""
    moved = path.stat().st_mtime_ns + 10**9
    target = path.with_name(f"new.{path.name}.tmp") if by_rename else path
    with target.open("w+b" if by_rename else "r+b") as file:
        file.write(content)
        file.truncate()
    os.utime(target, ns=(moved, moved))
    target.replace(path)


def write(directory: Path, name: str, content: bytes) -> Path:
    """A file in a directory, which is created if necessary."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_bytes(content)
    return path


def loaded(
    directory: Path | str, *, scanner: ScannerName | None = None, **settings: object
) -> LogStore:
    """A store that has read everything below a directory."""
    config = Config(summary_base_dir=directory, inotify=False, **settings)  # type: ignore[arg-type]
    store = LogStore(config, scanner=scanner)
    store.load_once()
    return store


def rows(series: ScalarTimeSeries) -> list[tuple[int, float]]:
    """(step, value) of each point."""
    return list(zip(series.step.tolist(), series.value.tolist(), strict=True))


def fed(scanner: Scanner, log: bytes) -> Scanner:
    """The scanner after all of a log."""
    more = True
    while more:
        offset, size = scanner.wanted
        more = scanner.feed(log[offset : offset + size], offset, len(log))
    return scanner


def batches(*pieces: bytes) -> list[Batch]:
    """A scanner's result for a log that grew piece by piece."""
    scanner = make_scanner(EVENT, "log")
    log = b""
    taken: list[Batch] = []
    for piece in pieces:
        log += piece
        taken += fed(scanner, log).take().batches
    return taken


def found_file(path: Path) -> FoundFile:
    """Discovery's result for a file, from its name alone."""
    for log_format in log_formats():
        kind = log_format.file_kind(path.name)
        if kind is not None:
            identity = FileIdentity.of(path.stat())
            return FoundFile(str(path.parent), "", path.name, log_format, kind, identity)
    raise AssertionError(f"{path.name} is not named like a log")


def found_job(directory: Path) -> FoundJob:
    """A train job with all logs of a directory, without other files next to them."""
    files = tuple(found_file(path) for path in sorted(directory.iterdir()) if recognize(path.name))
    return ExaminedJob("./", str(directory), files, ())


def snapshot_of(path: Path) -> FileSnapshot:
    """Everything in one log file."""
    loader = FileLoader(found_file(path), ScanOptions())
    loader.refresh(lambda: None)
    return loader.snapshot


@contextmanager
def counted_reads() -> Iterator[list[str]]:
    """Paths of the log files that are opened meanwhile."""
    paths: list[str] = []
    opened = LogFile.opened

    def count(self: LogFile, expected: int = 0) -> OpenLogFile:
        paths.append(self.path)
        return opened(self, expected)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LogFile, "opened", count)
        yield paths
