"""Runs functions in forks of a process that has imported them: most of a start is imports."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.preloaded", "tests.every_command"])


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and what it printed: the attributes of CompletedProcess."""

    returncode: int
    """Of an exception 1, of a signal negative."""
    stdout: str
    stderr: str


def run(
    directory: Path,
    function: Callable[..., object],
    *arguments: object,
    timeout: float | None = None,
) -> Ended:
    """Call a function of a module in a fork; its output goes through files of `directory`.

    Raises TimeoutExpired after `timeout` seconds.
    """
    outputs = directory / "stdout", directory / "stderr"
    process = _FORKS.Process(target=_call, args=(outputs, function, arguments))
    process.start()
    process.join(timeout)
    if process.exitcode is None:
        process.kill()
        raise subprocess.TimeoutExpired(f"{function.__name__}{arguments}", timeout or 0.0)
    return Ended(process.exitcode, *(path.read_text("utf-8", "replace") for path in outputs))


def _call(
    outputs: tuple[Path, Path], function: Callable[..., object], arguments: tuple[object, ...]
) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    stdout, stderr = (os.open(path, flags) for path in outputs)
    _redirect(stdout, stderr)
    function(*arguments)


def _redirect(stdout: int, stderr: int) -> None:
    """Give this process empty input, and these files as output."""
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), stdout, stderr)):
        os.dup2(file, number)
    # Streams remember whether their file could seek.
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)


def run_mindviz(arguments: list[str], env: Mapping[str, str]) -> None:
    """As `python -m mindviz` with these arguments and only these variables."""
    os.environ.clear()
    os.environ.update(env)
    sys.argv[1:] = arguments
    runpy.run_module("mindviz", run_name="__main__", alter_sys=True)


class MindvizFork:
    """A running mindviz, with what tests need of a Popen. Both outputs are in `stdout`."""

    def __init__(self, arguments: list[str], env: Mapping[str, str]) -> None:
        reader, writer = _FORKS.Pipe(duplex=False)
        self._process = _FORKS.Process(target=_print_to, args=(writer, arguments, dict(env)))
        self._process.start()
        writer.close()
        self.stdout = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The exit code; of a signal negative, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("mindviz", timeout or 0.0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Nothing if it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """With SIGTERM."""
        self._process.terminate()

    def kill(self) -> None:
        """With SIGKILL."""
        self._process.kill()


def _print_to(output: Connection, arguments: list[str], env: Mapping[str, str]) -> None:
    _redirect(output.fileno(), output.fileno())
    output.close()
    run_mindviz(arguments, env)
