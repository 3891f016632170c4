"""Loading all logs below a directory in this process, with a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from mindviz.cli.progress import Load, PatientProgress
from mindviz.datavisual.data_transform.answers.log_directory_experiment import (
    LogDirectoryExperiment,
)
from mindviz.datavisual.data_transform.garbage import no_collections


def load_all(experiment: LogDirectoryExperiment) -> None:
    """Read everything once."""

    def look() -> Load:
        status = experiment.status()
        return Load(status.train_jobs, status.bytes, status.bytes_read)

    with progress(look), no_collections():
        experiment.load_once()


def progress(look: Callable[[], Load], doing: str = "Loading") -> AbstractContextManager[object]:
    """A bar on stderr for what takes its time, if that is a terminal."""
    return PatientProgress(look, doing) if sys.stderr.isatty() else nullcontext()
