"""Both databases, empty, for every test that requests one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.sql.database import Database
from tests.postgresql import PostgreSQL, postgresql


@pytest.fixture
def server() -> PostgreSQL:
    return postgresql()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        database = Database(str(tmp_path / "x.db"))
    else:
        database = Database(request.getfixturevalue("server").new_database())
    yield database
    database.close()


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    directory = tmp_path / "logs"
    directory.mkdir()
    return directory
