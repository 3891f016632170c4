"""StartupReport: what `mindviz start` prints, from the banner to the totals."""

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
from mindviz.cli.missing_logs import why_no_logs
from mindviz.cli.progress import Load, show_load
from mindviz.cli.quantities import count_text, printable, seconds_text, size_text
from mindviz.cli.status_client import read_status
from mindviz.config import Config, ExperimentSource

_POLL_INTERVAL = 0.05
"""Seconds between requests until the server responds."""
_REMOTE = "From other machines"
_SHOWN = 5
"""Maximum number of unreadable directories to list."""
_LOAD_INTERVAL = 0.2
"""Seconds between requests while logs load without a progress bar."""


class StartupReport:
    """Follows a starting server through its status route, and prints its progress."""

    def __init__(
        self,
        config: Config,
        notes: Sequence[str],
        started: float,
        page: str | None = None,
        remote_page: str = "",
    ) -> None:
        """`started` is the monotonic time of the start; `notes` are lines for the banner.

        `page` is the URL to print (default: without token); `remote_page` the one for other
        machines, if any.
        """
        self._config = config
        self._page = page or url(config)
        self._remote_page = remote_page
        self._notes = notes
        self._started = started
        self._stopped = Event()

    def stop(self) -> None:
        """Print nothing more, because the server stops."""
        self._stopped.set()

    def run(self, to_open: str = "") -> None:
        """Print the report until everything is loaded; open the URL `to_open` in a browser."""
        with suppress(BrokenPipeError):  # the reader of the output may have quit
            status = self._first_status()
            if status is None:
                return
            self._print_banner(status)
            if to_open:
                import webbrowser

                webbrowser.open(to_open)
            status = self._loaded_status(status)
            if status is not None:
                click.echo(_totals(status, time.monotonic() - self._started))
                if not status["train_jobs"]:
                    self._explain_no_jobs()

    def _first_status(self) -> Mapping[str, Any] | None:
        while not self._stopped.is_set():
            status = read_status(self._config)
            if status is not None:
                return status
            self._stopped.wait(_POLL_INTERVAL)
        return None

    def _print_banner(self, status: Mapping[str, Any]) -> None:
        rows = [
            ("Page", self._page),
            *((_REMOTE, page) for page in [self._remote_page] if page),
            *(("Logs", printable(_source_text(source), 200)) for source in self._config.sources),
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

    def _explain_no_jobs(self) -> None:
        """Describe the files that are there instead: the directory may be the wrong one."""
        base_dirs = [
            source.base_dir
            for source in self._config.sources
            if source.base_dir
            and not (isinstance(source.base_dir, Path) and not source.base_dir.is_dir())
        ]
        if base_dirs and (reason := why_no_logs(base_dirs)):
            click.echo(reason)

    def _loaded_status(self, status: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Poll until all logs are loaded, with a bar on a terminal; None if the server stopped."""
        if not _is_loading(status):
            return status
        latest: Mapping[str, Any] | None = status

        def poll() -> Load | None:
            nonlocal latest
            latest = read_status(self._config)
            if latest is None or not _is_loading(latest):
                return None
            return Load(latest["train_jobs"], latest["bytes"], latest["bytes_read"])

        if sys.stdout.isatty():
            from rich.console import Console

            show_load(Console(), poll, self._stopped)
        while poll() is not None:
            if self._stopped.wait(_LOAD_INTERVAL):
                return None
        return latest


def scanner_notes(status: Mapping[str, Any]) -> Sequence[str]:
    """A line for the banner if the scanner is not compiled."""
    if status["scanner"] == "native":
        return ()
    note = "The scanner is not compiled: logs load 40 to 200 times slower."
    return (f"{note} Install a C compiler, then reinstall mindviz.",)


def _source_text(source: ExperimentSource) -> str:
    name = f"{source.experiment_id}: " if source.experiment_id else ""
    return f"{name}{source.shown}"


def _is_loading(status: Mapping[str, Any]) -> bool:
    return bool(status["load_status"] != "loaded")


def _totals(status: Mapping[str, Any], seconds: float) -> str:
    unreadable = _unreadable(status)
    if not status["train_jobs"]:
        if unreadable:
            return f"No runs yet, and {unreadable}"
        return "No runs yet: new ones appear automatically."
    line = (
        f"{count_text(status['train_jobs'], 'run')}, "
        f"{count_text(status['points'], 'scalar point')} from {size_text(status['bytes'])} in "
        f"{count_text(status['files'], 'file')}, loaded in {seconds_text(seconds)}."
    )
    problems = status["problem_count"]
    if problems:
        line += f" {count_text(problems, 'problem')}: run `mindviz inspect` for details."
    return f"{line}\nTrain jobs may be missing: {unreadable}" if unreadable else line


def _unreadable(status: Mapping[str, Any]) -> str:
    """The unreadable directories, one per line, or an empty string.

    Missing base dirs are omitted: a note in the banner reports them.
    """
    from mindviz.datavisual.series.findings import NO_BASE_DIR

    problems = [
        problem
        for problem in status.get("problems", ())
        if problem["kind"] == "unreadable" and problem["detail"] != NO_BASE_DIR
    ]
    if not problems:
        return ""
    lines = [f"{count_text(len(problems), 'directory', 'directories')} cannot be read:"]
    lines += [f"  {printable(one['path'], 200)}: {one['detail']}" for one in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        lines.append(f"  ... and {len(problems) - _SHOWN} more")
    return "\n".join(lines)
