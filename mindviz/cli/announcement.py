"""Announcement: what `mindviz start` prints, from the first line to the line of totals."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import click

from mindviz import __version__
from mindviz.cli.address import url
from mindviz.cli.log_search import why_no_logs
from mindviz.cli.progress import Load, show_load
from mindviz.cli.quantities import count_text, printable, seconds_text, size_text
from mindviz.cli.service import read_status
from mindviz.config import Config, ExperimentSource

_ASK_INTERVAL = 0.05
"""Seconds between questions until the first answer."""
_REMOTE = "From other machines"
_SHOWN = 5
"""Unreadable directories that are listed."""
_LOAD_INTERVAL = 0.2
"""Seconds between questions while logs are read and nobody sees a bar."""


class Announcement:
    """Follows a starting mindviz from outside and tells its user."""

    def __init__(
        self,
        config: Config,
        notes: Sequence[str],
        begun: float,
        page: str | None = None,
        remote_page: str = "",
    ) -> None:
        """`begun` is the monotonic time of the start; `notes` are lines for the banner.

        `page` is the address that is printed, if not the plain one; `remote_page` is the one for
        other machines, if any.
        """
        self._config = config
        self._page = page or url(config)
        self._remote_page = remote_page
        self._notes = notes
        self._begun = begun
        self._ended = Event()

    def stop(self) -> None:
        """Say nothing more: the service ends."""
        self._ended.set()

    def run(self, to_open: str = "") -> None:
        """Print all of it, blocking until everything is loaded; open this address in a browser."""
        # Whoever reads our output may stop doing so: no reason to complain, or to end.
        with suppress(BrokenPipeError):
            self._tell(to_open)

    def _tell(self, to_open: str) -> None:
        status = self._first_status()
        if status is None:
            return
        self._print_banner(status)
        if to_open:
            import webbrowser

            webbrowser.open(to_open)
        status = self._loaded_status(status)
        if status is not None:
            click.echo(_totals(status, time.monotonic() - self._begun))
            if not status["train_jobs"]:
                self._say_why()

    def _first_status(self) -> Mapping[str, Any] | None:
        while not self._ended.is_set():
            status = read_status(self._config)
            if status is not None:
                return status
            self._ended.wait(_ASK_INTERVAL)
        return None

    def _print_banner(self, status: Mapping[str, Any]) -> None:
        rows = [
            ("Page", self._page),
            *((_REMOTE, page) for page in [self._remote_page] if page),
            *(("Logs", printable(_shown(source), 200)) for source in self._config.sources),
            *(("Note", note) for note in (*self._notes, *scanner_notes(status))),
        ]
        if not sys.stdout.isatty():
            lines = [f"mindviz {__version__}", *(f"  {name}  {text}" for name, text in rows)]
            click.echo("\n".join(lines))
            return
        from rich.console import Console
        from rich.panel import Panel
        from rich.text import Text

        body = Text()
        styles = dict.fromkeys(("Page", _REMOTE), "bold cyan underline") | {"Note": "yellow"}
        for name, text in rows:
            body.append(f"{name}  ", "dim").append(text, styles.get(name, ""))
            body.append("\n")
        body.append("Stop  ", "dim").append("Ctrl-C")
        Console().print(
            Panel(body, title=f"mindviz {__version__}", title_align="left", expand=False)
        )

    def _say_why(self) -> None:
        """What the directories hold, if not logs: they may be other ones than were meant."""
        places = [one.location for one in self._config.sources]
        base_dirs = [one for one in places if isinstance(one, Path) and one.is_dir()]
        if base_dirs and (reason := why_no_logs(base_dirs)):
            click.echo(reason)

    def _loaded_status(self, status: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Ask until all is loaded, with a bar on a terminal; None if the service went away."""
        latest: Mapping[str, Any] | None = status
        if latest is not None and not _is_loading(latest):
            return latest

        def look() -> Load | None:
            nonlocal latest
            latest = read_status(self._config)
            if latest is None or not _is_loading(latest):
                return None
            return Load(latest["train_jobs"], latest["bytes"], latest["bytes_read"])

        if sys.stdout.isatty():
            from rich.console import Console

            show_load(Console(), look, self._ended)
        while look() is not None:
            if self._ended.wait(_LOAD_INTERVAL):
                return None
        return latest


def scanner_notes(status: Mapping[str, Any]) -> Sequence[str]:
    """A line for the banner if logs load slowly because the scanner was not compiled."""
    if status["scanner"] == "native":
        return ()
    note = "The scanner is not compiled: logs load up to 24x slower."
    return (f"{note} Reinstall mindviz where there is a C compiler.",)


def _shown(source: ExperimentSource) -> str:
    name = f"{source.experiment_id}: " if source.experiment_id else ""
    return f"{name}{source.shown}"


def _is_loading(status: Mapping[str, Any]) -> bool:
    return bool(status["load_status"] != "loaded")


def _totals(status: Mapping[str, Any], seconds: float) -> str:
    unreadable = _unreadable(status)
    if not status["train_jobs"]:
        if unreadable:
            return f"No train jobs yet, and {unreadable}"
        return "No train jobs yet: they appear by themselves once there are logs."
    line = (
        f"{count_text(status['train_jobs'], 'train job')}, "
        f"{count_text(status['points'], 'scalar point')} from {size_text(status['bytes'])} in "
        f"{count_text(status['files'], 'file')}, ready {seconds_text(seconds)} after the start."
    )
    problems = status["problem_count"]
    if problems:
        line += f" {count_text(problems, 'problem')}: `mindviz inspect` tells where."
    return f"{line}\nTrain jobs may be missing: {unreadable}" if unreadable else line


def _unreadable(status: Mapping[str, Any]) -> str:
    """The directories that cannot be read, one per line; empty if there are none.

    Without missing base dirs: a note says that mindviz waits for them.
    """
    from mindviz.datavisual.series.findings import NO_BASE_DIR

    problems = [one for one in status.get("problems", ()) if one["kind"] == "unreadable"]
    found = [one for one in problems if one["detail"] != NO_BASE_DIR]
    if not found:
        return ""
    lines = [f"  {printable(one['path'], 200)}: {one['detail']}" for one in found[:_SHOWN]]
    if len(found) > _SHOWN:
        lines.append(f"  ... and {len(found) - _SHOWN} more")
    return "\n".join(
        [f"{count_text(len(found), 'directory', 'directories')} cannot be read:", *lines]
    )
