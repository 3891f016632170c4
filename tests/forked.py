"""Runs functions in forks of a process that has imported them: most of a start is imports."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.every_request"])


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and what it printed."""

    returncode: int
    """Of an exception 1, of a signal negative."""
    stdout: str
    stderr: str


def run(directory: Path, function: Callable[..., object], *arguments: object) -> Ended:
    """Call a function of a module in a fork; its output goes through files of `directory`."""
    outputs = directory / "stdout", directory / "stderr"
    process = _FORKS.Process(target=_call, args=(outputs, function, arguments))
    process.start()
    process.join()
    assert process.exitcode is not None
    return Ended(process.exitcode, *(path.read_text("utf-8", "replace") for path in outputs))


def _call(
    outputs: tuple[Path, Path], function: Callable[..., object], arguments: tuple[object, ...]
) -> None:
    streams: tuple[TextIO, TextIO] = (sys.stdout, sys.stderr)
    for stream, path in zip(streams, outputs, strict=True):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, stream.fileno())
        os.close(file)
    function(*arguments)
