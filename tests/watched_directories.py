"""Polls SummaryWatchers until a condition holds, and closes them at the end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mindviz.datavisual.logs.directories.summary_watcher import Discovery, SummaryWatcher

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


@contextlib.contextmanager
def watching(base_dir: Path, **options: float | bool) -> Iterator[SummaryWatcher]:
    watcher = SummaryWatcher(base_dir, **options)  # type: ignore[arg-type]
    try:
        yield watcher
    finally:
        watcher.close()
