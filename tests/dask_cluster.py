"""A Dask scheduler and workers for the tests: processes that can be killed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mindviz_process import wait_until


class DaskCluster:
    """A scheduler on a free port of this machine, and its workers."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._processes: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.start_scheduler()

    def start_scheduler(self) -> None:
        """Wait until it listens; a second one gets the address of the first."""
        port = self.address.rpartition(":")[2] or "0"
        options = ["--host", "127.0.0.1", "--port", port, "--dashboard-address", "127.0.0.1:0"]
        self.scheduler, text = self._started(r"Scheduler at: +(tcp://\S+)", "scheduler", *options)
        self.address = text

    def start_worker(self, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """A worker with one thread; waits until the scheduler knows it."""
        folder = str(self._directory / "dask")
        options = ["--nthreads", "1", "--no-nanny", "--local-directory", folder]
        options += ["--dashboard-address", "127.0.0.1:0"]
        return self._started(r"Registered to: +(\S+)", "worker", self.address, *options, env=env)[0]

    def _started(
        self, pattern: str, *arguments: str, env: Mapping[str, str] | None = None
    ) -> tuple[subprocess.Popen[bytes], str]:
        log = self._directory / f"dask{len(self._processes)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                stdout=output,
                stderr=output,
                env={**os.environ, **(env or {})},
            )
        self._processes.append(process)

        def found() -> re.Match[str] | None:
            assert process.poll() is None, log.read_text()
            return re.search(pattern, log.read_text())

        match = wait_until(found, f"{pattern!r} in the output of dask")
        assert match is not None
        return process, match[1]

    def end(self) -> None:
        """Kill all processes."""
        for process in self._processes:
            process.kill()
            process.wait()


@contextmanager
def dask_cluster(directory: Path) -> Iterator[DaskCluster]:
    """A scheduler without workers."""
    pytest.importorskip("distributed", reason="needs distributed: pip install mindviz[cluster]")
    cluster = DaskCluster(directory)
    try:
        yield cluster
    finally:
        cluster.end()
