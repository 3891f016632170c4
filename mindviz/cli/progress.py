"""Progress bars on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Self

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


def show_load(
    console: Console, poll: Callable[[], Load | None], done: Event, action: str = "Loading"
) -> None:
    """Show a bar until `done` is set or `poll` returns None; then remove it."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(action, total=None)
        while True:
            load = poll()
            if load is None:
                return
            bar.update(
                task,
                total=load.bytes or None,
                completed=load.bytes_read,
                description=f"{action} {count_text(load.train_jobs, 'train job')}",
            )
            if done.wait(_POLL_INTERVAL):
                return


class DelayedProgress:
    """A bar on stderr during a `with` block, if that takes longer than `delay` seconds."""

    def __init__(
        self, poll: Callable[[], Load], action: str = "Loading", delay: float = 0.5
    ) -> None:
        self._poll = poll
        self._action = action
        self._delay = delay
        self._done = Event()
        self._thread = Thread(target=self._run, name="mindviz-progress", daemon=True)

    def _run(self) -> None:
        if self._done.wait(self._delay):
            return
        from rich.console import Console

        show_load(Console(stderr=True), self._poll, self._done, self._action)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()
