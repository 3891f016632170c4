"""Progress bars on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING

from mindviz.cli.quantities import count_text

if TYPE_CHECKING:
    from rich.console import Console

_POLL_INTERVAL = 0.1
"""Seconds between updates."""


@dataclass(frozen=True, slots=True)
class Load:
    """The progress of loading."""

    train_jobs: int
    bytes: int
    bytes_read: int
    points: int | None = None
    """Shown per second; None if unknown."""


def show_load(
    console: Console, poll: Callable[[], Load | None], done: Event, action: str = "Loading"
) -> None:
    """Show a bar until `done` is set or `poll` returns None; then remove it."""
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    started = time.monotonic()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(action, total=None, rate="")
        while True:
            load = poll()
            if load is None:
                return
            bar.update(
                task,
                total=load.bytes or None,
                completed=load.bytes_read,
                description=f"{action} {count_text(load.train_jobs, 'run')}",
                rate=_rate(load.points, time.monotonic() - started),
            )
            if done.wait(_POLL_INTERVAL):
                return


def _rate(points: int | None, seconds: float) -> str:
    return f"{points / max(seconds, 0.1) / 1e6:.2f} M points/s" if points else ""


@contextmanager
def delayed_progress(
    poll: Callable[[], Load], action: str = "Loading", delay: float = 0.5
) -> Iterator[None]:
    """A bar on stderr during the `with` block, if that takes longer than `delay` seconds."""
    done = Event()

    def show() -> None:
        if not done.wait(delay):
            from rich.console import Console

            show_load(Console(stderr=True), poll, done, action)

    thread = Thread(target=show, name="mindviz-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
