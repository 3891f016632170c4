"""Notes in a workspace and in both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from mindviz.backend.database_annotations import DatabaseAnnotations
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.tables import EXPERIMENTS
from mindviz.lineagemgr.annotations import Annotations, WorkspaceAnnotations
from tests.postgresql import PostgreSQL, postgresql

OpenNotes = Callable[[str], Annotations]
"""Opens the notes of `logs` or `other` once more, as another server does."""


@pytest.fixture
def server() -> PostgreSQL:
    return postgresql()


@pytest.fixture(params=["workspace", "sqlite", "postgresql"])
def open_notes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenNotes]:
    with ExitStack() as at_end:
        if request.param == "workspace":

            def in_workspace(name: str) -> Annotations:
                notes = WorkspaceAnnotations(tmp_path / "workspace", tmp_path / name)
                return at_end.enter_context(closing(notes))

            yield in_workspace
            return
        if request.param == "sqlite":
            url = str(tmp_path / "x.db")
        else:
            url = request.getfixturevalue("server").new_database()
        with closing(Database(url)) as database:
            database.create()
            with database.writing() as connection:
                for name in ("logs", "other"):
                    row = {"name": name, "data_location": "", "creation_time": 1.0, "version": 1}
                    connection.execute(EXPERIMENTS.insert().values(row))

        def in_database(name: str) -> Annotations:
            return DatabaseAnnotations(at_end.enter_context(closing(Database(url))), name)

        yield in_database
