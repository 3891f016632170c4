"""A Dask scheduler and workers for the tests: processes that can be killed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mindviz_process import wait_until


class DaskCluster:
    """A scheduler on a free port of this machine, and its workers."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._processes: list[subprocess.Popen[bytes]] = []
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._worker: subprocess.Popen[bytes] | None = None
        self.address = ""

    def repair(self) -> None:
        """Start the scheduler and a worker with one thread, unless they run; wait for them."""
        local = ["--dashboard-address", "127.0.0.1:0"]
        if self._scheduler is None:
            port = self.address.rpartition(":")[2] or "0"  # the same again
            options = ["--host", "127.0.0.1", "--port", port, *local]
            pattern = r"Scheduler at: +(tcp://\S+)"
            self._scheduler, self.address = self._started(pattern, "scheduler", *options)
        if self._worker is None:
            options = ["--nthreads", "1", "--no-nanny", *local]
            options += ["--local-directory", str(self._directory)]
            pattern = r"Registered to: +(\S+)"
            self._worker, _ = self._started(pattern, "worker", self.address, *options)

    def kill_scheduler(self) -> None:
        """With SIGKILL."""
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()
        self._scheduler = None

    def kill_worker(self) -> None:
        """With SIGKILL."""
        assert self._worker is not None
        self._worker.kill()
        self._worker.wait()
        self._worker = None

    def _started(self, pattern: str, *arguments: str) -> tuple[subprocess.Popen[bytes], str]:
        log = self._directory / f"dask{len(self._processes)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                stdout=output,
                stderr=output,
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
    """Not started yet."""
    pytest.importorskip("distributed", reason="needs distributed: pip install mindviz[cluster]")
    cluster = DaskCluster(directory)
    try:
        yield cluster
    finally:
        cluster.end()
