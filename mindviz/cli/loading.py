"""Loads all logs of a directory, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from mindviz.cli.progress import Load, delayed_progress
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.gc_control import gc_paused


def load_all(store: LogStore) -> None:
    """Load everything once."""

    def poll() -> Load:
        status = store.status()
        return Load(status.train_jobs, status.bytes, status.bytes_read)

    with progress(poll), gc_paused():
        store.load_once()


def progress(poll: Callable[[], Load], action: str = "Loading") -> AbstractContextManager[object]:
    """A progress bar on stderr for long work, if that is a terminal."""
    return delayed_progress(poll, action) if sys.stderr.isatty() else nullcontext()
