"""An app with a fake store, and a client for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from tests.store_fake import FakeStore


@pytest.fixture
def store() -> FakeStore:
    return FakeStore("/data/summaries")


@pytest.fixture
def app(store: FakeStore) -> Flask:
    return create_app(Config(Path("/data/summaries")), store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(params=["mindviz", "mindinsight"])
def prefix(request: pytest.FixtureRequest) -> str:
    """Each of the two prefixes of the contract's routes."""
    return f"/v1/{request.param}"
