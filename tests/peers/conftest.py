"""Shared parts of the peer tests, which run with the interpreters of the peers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

LOGS = os.environ.get("MINDVIZ_PEER_LOGS", "")
"""Set by environments.py, which `make test-peers` runs; otherwise nothing is collected."""

collect_ignore_glob = [] if LOGS else ["test_*.py"]

IMPORT_EVERYTHING = """
import importlib, pkgutil, mindviz
for module in pkgutil.walk_packages(mindviz.__path__, "mindviz."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            # What adapters and extras are for.
            if error.name.split(".")[0] not in {
                "IPython", "anywidget", "keras", "lightning", "mcp", "mindspore", "torch",
                "transformers"
            }:
                raise
"""


@pytest.fixture
def our_logs() -> Path:
    """What mindviz's own encoders wrote, one directory per format."""
    return Path(LOGS)


@pytest.fixture
def expected(our_logs: Path) -> Any:
    """Their contents: format -> description by `write_logs.py`."""
    return json.loads((our_logs / "expected.json").read_text("utf-8"))


@pytest.fixture
def read() -> Iterator[Callable[[Path], LogStore]]:
    """Load a directory with mindviz, completely."""
    from mindviz.config import Config
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

    opened: list[LogStore] = []

    def load(directory: Path) -> LogStore:
        store = LogStore(Config(summary_base_dir=directory, inotify=False))
        opened.append(store)
        store.load_once()
        return store

    yield load
    for store in opened:
        store.close()


@pytest.fixture
def import_beside() -> Callable[[str], None]:
    """Import all of mindviz and then the statement's modules in one process, and the reverse."""

    def run(statement: str) -> None:
        for order in ((IMPORT_EVERYTHING, statement), (statement, IMPORT_EVERYTHING)):
            result = subprocess.run(
                [sys.executable, "-c", "\n".join(order)],
                capture_output=True,
                text=True,
                check=False,
            )
            assert result.returncode == 0, result.stderr

    return run
