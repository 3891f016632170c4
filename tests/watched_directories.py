"""Polls SummaryWatchers until a condition holds, and closes them at the end."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories import summary_watcher
from mindviz.datavisual.logs.directories.summary_watcher import Discovery, SummaryWatcher

needs_inotify = pytest.mark.skipif(sys.platform != "linux", reason="inotify is a part of Linux")

PATIENCE = 60.0
"""Timeout in seconds; only a hang reaches it."""


def polled_until(
    watcher: SummaryWatcher, holds: Callable[[Discovery], bool], *, interval: float = 0.05
) -> Discovery:
    """The first poll for which `holds`, within a deadline."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        discovery = watcher.poll()
        if holds(discovery):
            return discovery
        watcher.wait(interval)
    raise AssertionError(discovery)


def fill_the_systems_queue(directory: Path) -> None:
    """Make more inotify events in a watched directory than the system keeps."""
    files = [directory / "odd", directory / "even"]
    for file in files:
        file.touch()
    length = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text("ascii"))
    for number in range(length):
        os.utime(files[number % 2], (number, number))  # equal events in a row would be one


@contextlib.contextmanager
def watching(base_dir: Path, **options: float | bool) -> Iterator[SummaryWatcher]:
    watcher = SummaryWatcher(base_dir, **options)  # type: ignore[arg-type]
    try:
        yield watcher
    finally:
        watcher.close()


@contextlib.contextmanager
def hinted(base_dir: Path, **options: bool) -> Iterator[SummaryWatcher]:
    """A watcher whose polls check only what hints name."""
    with (
        pytest.MonkeyPatch.context() as patch,
        watching(base_dir, hot_seconds=-1e9, **options) as watcher,
    ):
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        patch.setattr(summary_watcher, "_ALL_DIRECTORIES", 0)
        patch.setattr(summary_watcher, "_LEAST_SWEPT", 0)
        patch.setattr(summary_watcher, "_HINTED_SWEEP", -1.0)
        yield watcher


def wait_for_the_truth(watcher: SummaryWatcher, base_dir: Path, **options: bool) -> None:
    """Wait until it knows what a new watcher finds."""

    def is_true() -> bool:
        found = watcher.poll()
        with watching(base_dir, inotify=False, **options) as fresh:
            truth = fresh.poll()
        return found.jobs == truth.jobs and found.findings == truth.findings

    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline
        watcher.wait(0.05)


def watched_inodes() -> set[int]:
    """Inodes of this process's inotify watches."""
    inodes = set()
    for information in Path("/proc/self/fdinfo").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found = re.findall(r"(?m)^inotify .*\bino:(\w+)", information.read_text("ascii"))
            inodes |= {int(inode, 16) for inode in found}
    return inodes


def wait_until_watched(watcher: SummaryWatcher, directories: Iterable[Path]) -> None:
    """Wait until exactly these are watched: threads of earlier watchers may still end."""
    expected = {directory.stat().st_ino for directory in directories}
    deadline = time.monotonic() + PATIENCE
    while watched_inodes() != expected:
        assert time.monotonic() < deadline
        watcher.wait(0.05)
