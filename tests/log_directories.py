"""Directories of logs on disk, and what it takes to look at them as an ordinary user."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from mindviz.datavisual.logs.formats import log_formats

EVENTS = "events.out.tfevents.1700000000.host"
RECORD = bytes.fromhex("1800000000000000")


def write_log(directory: Path, name: str = EVENTS) -> Path:
    """Write what looks like a log; its path."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(RECORD)
    return directory / name


def append(path: Path) -> None:
    """Let a log grow."""
    with path.open("ab") as file:
        file.write(RECORD)


@contextlib.contextmanager
def as_ordinary_user() -> Iterator[None]:
    """Root may read everything; some tests are about what may not be read."""
    log_formats()  # imported while everything can be read
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Take all permissions from a file or directory, and look at it as an ordinary user."""
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        with as_ordinary_user():
            yield
    finally:
        path.chmod(mode)
