"""Loading all logs below a directory in this process, with a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from mindviz.cli.progress import Load, PatientProgress
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.gc_control import gc_paused


def load_all(experiment: LogStore) -> None:
    """Read everything once."""

    def look() -> Load:
        status = experiment.status()
        return Load(status.train_jobs, status.bytes, status.bytes_read)

    with progress(look), gc_paused():
        experiment.load_once()


def progress(look: Callable[[], Load], doing: str = "Loading") -> AbstractContextManager[object]:
    """A bar on stderr for what takes its time, if that is a terminal."""
    return PatientProgress(look, doing) if sys.stderr.isatty() else nullcontext()
