"""Places on disk for the tests of the pipeline."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def readable_path() -> Iterator[Path]:
    """A directory that every user may read, which `tmp_path` is not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
