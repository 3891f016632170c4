"""Progress: a bar on a terminal while logs are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mindviz.cli.quantities import count_text

if TYPE_CHECKING:
    from rich.console import Console

_LOOK_INTERVAL = 0.1
"""Seconds between looks at how far it is."""


@dataclass(frozen=True, slots=True)
class Load:
    """How far loading is."""

    train_jobs: int
    bytes: int
    bytes_read: int


def show_load(
    console: Console, look: Callable[[], Load | None], done: Event, doing: str = "Loading"
) -> None:
    """Draw a bar from what `look` says until `done` is set or it says None; then remove it."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(doing, total=None)
        while True:
            load = look()
            if load is None:
                return
            bar.update(
                task,
                total=load.bytes or None,
                completed=load.bytes_read,
                description=f"{doing} {count_text(load.train_jobs, 'train job')}",
            )
            if done.wait(_LOOK_INTERVAL):
                return


class PatientProgress:
    """A bar on stderr around work in this process, once it has taken longer than `patience`."""

    def __init__(
        self, look: Callable[[], Load], doing: str = "Loading", patience: float = 0.5
    ) -> None:
        self._look = look
        self._doing = doing
        self._patience = patience
        self._done = Event()
        self._thread = Thread(target=self._run, name="mindviz-progress", daemon=True)

    def _run(self) -> None:
        if self._done.wait(self._patience):
            return
        from rich.console import Console

        show_load(Console(stderr=True), self._look, self._done, self._doing)

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
