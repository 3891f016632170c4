"""`mindviz watch`: runs, last values, sparklines and events, live in a terminal."""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from mindviz.cli.log_reading import Reading, config_for, reading_options
from mindviz.cli.options import LOGS, option, rules_option

if TYPE_CHECKING:
    from rich.console import Console

    from mindviz.cli.watch_screen import WatchScreen
    from mindviz.cli.watched_logs import WatchedLogs
    from mindviz.datavisual.logs.log_store import LogStore

_REDRAW_SECONDS = 1.0
"""Ages of runs change without new data."""
_PAGE = 100
"""Runs in memory while all are printed."""
_KEY_SECONDS = 0.25
"""Maximum delay until a resized terminal is redrawn."""


@click.command()
@click.argument("directory", metavar="DIR", type=LOGS)
@click.option("--tag", metavar="REGEX", help="Only scalars whose tag matches.")
@click.option("--once", is_flag=True, help="Print the current state and exit.")
@rules_option("DIR")
@option(
    "--reload-interval",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=3.0,
    help="Polling interval.",
)
@reading_options()
def watch(
    *,
    directory: Path | str,
    tag: str | None,
    once: bool,
    rules_file: Path | None,
    reload_interval: float,
    **reading: Unpack[Reading],
) -> None:
    """Show the runs in DIR in the terminal: last values, sparklines and events.

    The most recently updated runs come first. Arrow keys, PgUp, PgDn, Home and End scroll, `q`
    quits. If the output is not a terminal, the current state is printed once.
    """
    settings = {"reload_interval": reload_interval, "inotify": True, "rules_file": rules_file}
    config = config_for(directory, settings, **reading)
    from rich.console import Console

    from mindviz.cli.watch_screen import WatchScreen
    from mindviz.cli.watched_logs import WatchedLogs
    from mindviz.datavisual.health.rules_file import read_rules
    from mindviz.datavisual.logs.log_store import LogStore
    from mindviz.expression import Expression

    rules = read_rules(rules_file, directory)
    expression = None if tag is None else Expression(tag)
    console = Console(highlight=False, markup=False, emoji=False)
    screen = WatchScreen(str(directory), ascii=not console.encoding.startswith("utf"))
    store = LogStore(config)
    logs = WatchedLogs(store, rules, expression)
    # Leaves the alternate screen.
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        if once or not console.is_terminal:
            _print_once(console, screen, logs, store)
        elif console.is_dumb_terminal:
            _print_changes(console, screen, logs, store)
        else:
            _show_live(console, screen, logs, store)
    finally:
        store.close()
        signal.signal(signal.SIGTERM, before)


def _print_once(console: Console, screen: WatchScreen, logs: WatchedLogs, store: LogStore) -> None:
    from mindviz.cli.loading import load_all
    from mindviz.cli.watch_screen import print_lines

    load_all(store)
    pages = logs.pages(_PAGE)
    print_lines(console, screen.all_lines(store.status(), pages, time.time(), console.width))


def _print_changes(
    console: Console, screen: WatchScreen, logs: WatchedLogs, store: LogStore
) -> None:
    """For terminals that cannot move the cursor: the state, then runs that changed."""
    from mindviz.cli.watch_screen import print_lines

    store.start()
    store.wait_until_loaded(threading.TIMEOUT_MAX)
    version, watched = store.version, logs.look()
    print_lines(console, screen.lines(watched, time.time(), console.width, None))
    while True:
        while store.version == version:
            time.sleep(_KEY_SECONDS)
        seen = {run.train_id: run.version for run in watched.runs}
        version, watched = store.version, logs.look()
        changed = [run for run in watched.runs if seen.get(run.train_id) != run.version]
        print_lines(console, screen.run_lines(changed, time.time(), console.width))


def _show_live(console: Console, screen: WatchScreen, logs: WatchedLogs, store: LogStore) -> None:
    from rich.console import Group
    from rich.live import Live

    from mindviz.cli.keyboard import Keyboard, keys_of
    from mindviz.cli.watch_screen import scrolled

    keyboard = Keyboard()
    store.start()
    with (
        keyboard.unbuffered(),
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        drawn: tuple[object, ...] = ()
        first = shown = 0
        while True:
            width, height = console.size
            state = (store.version, width, height, int(time.time() / _REDRAW_SECONDS), first)
            if state != drawn:
                watched = logs.look(height // 2 + 1, first)
                lines = screen.lines(watched, time.time(), width, height)
                live.update(Group(*lines), refresh=True)
                shown = screen.layout(watched, height).runs
                first = watched.first
                drawn = state
            for key in keys_of(keyboard.wait(_KEY_SECONDS)):
                if key == "quit":
                    return
                first = scrolled(key, first, shown, watched.status.train_jobs)
