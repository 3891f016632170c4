"""Directories and scanners for tests of the pipeline."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.logs.scanner.scan import ScannerName, scanner_name


@pytest.fixture
def readable_path() -> Iterator[Path]:
    """A directory readable by every user, unlike `tmp_path`."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(params=["native", "python"])
def kind(request: pytest.FixtureRequest) -> ScannerName:
    name: ScannerName = request.param
    if name == "native" and scanner_name() != "native":
        pytest.skip("the native scanner was not built here")
    return name
