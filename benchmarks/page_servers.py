"""The servers whose pages are measured, and the URLs of these pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peers import mindviz_command, serving, tensorboard_command, workspace
from questions import free_port, questions, wait_until_complete

SETTLING = 4000
"""Milliseconds for a page to draw everything before the measurement."""


@contextmanager
def mindviz(
    base: Path, points: int | None, tag: str = "train/loss_0000", port: int | None = None
) -> Iterator[str]:
    """The URL of a mindviz that has loaded `points` points of the tag; None: just started."""
    port = port or free_port()
    with workspace() as home, serving(mindviz_command(base, port, home)):
        if points is not None:
            wait_until_complete(questions(base, tag)[0], port, points)
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def tensorboard(
    base: Path, points: int | None, tag: str = "train/loss_0000", port: int | None = None
) -> Iterator[str]:
    """The same for TensorBoard."""
    port = port or free_port()
    with serving(tensorboard_command(base, port)):
        if points is not None:
            wait_until_complete(questions(base, tag)[1], port, points)
        yield f"http://127.0.0.1:{port}/"


def ours(address: str, page: str = "mindviz") -> dict[str, Any]:
    """All train jobs on the page of scalars."""
    return {"page": page, "url": f"{address}#/scalar?runs=*", "settling": SETTLING}


def theirs(address: str) -> dict[str, Any]:
    """All runs on the page of time series."""
    return {"page": "tensorboard", "url": f"{address}#timeseries", "settling": SETTLING}
