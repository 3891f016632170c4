"""An app with a temporary workspace, because these routes write to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from mindviz.backend.app import create_app
from mindviz.config import Config
from tests.store_fake import FakeStore


@pytest.fixture
def app(store: FakeStore, tmp_path: Path) -> Flask:
    return create_app(Config(Path("/data/summaries"), workspace=tmp_path / "workspace"), store)
