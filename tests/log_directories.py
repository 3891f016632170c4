"""Directories of logs, and access to them as an ordinary user."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from mindviz.datavisual.logs.formats import log_formats

EVENTS = "events.out.tfevents.1700000000.host"
RECORD = bytes.fromhex("1800000000000000")


def write_log(directory: Path, name: str = EVENTS) -> Path:
    """Write a file that looks like a log; its path."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(RECORD)
    return directory / name


def append(path: Path) -> None:
    """Append to a log."""
    with path.open("ab") as file:
        file.write(RECORD)


@contextlib.contextmanager
def as_ordinary_user() -> Iterator[None]:
    """Drop root's rights: root may read everything."""
    log_formats()  # imported while everything is readable
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
    """Remove all permissions of a file or directory, and act as an ordinary user."""
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        with as_ordinary_user():
            yield
    finally:
        path.chmod(mode)
