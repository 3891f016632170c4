"""Notes in a database while it does not respond."""

from __future__ import annotations

from contextlib import closing

import pytest

from mindviz.backend.database_annotations import DatabaseAnnotations
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.tables import EXPERIMENTS
from mindviz.errors import AnnotationsUnavailable
from mindviz.lineagemgr.annotation import Annotation
from tests.postgresql import postgresql


def test_known_notes_are_shown_while_the_database_is_away() -> None:
    server = postgresql()
    with closing(Database(server.new_database())) as database:
        database.create()
        notes = DatabaseAnnotations(database, "")
        assert notes.all() == {}
        with pytest.raises(AnnotationsUnavailable, match="has no runs yet"):
            notes.update("./a", {"tag": 1})
        row = {"name": "x", "data_location": "", "creation_time": 1.0, "version": 1}
        with database.writing() as connection:
            connection.execute(EXPERIMENTS.insert().values(row))
        notes.update("./a", {"tag": 1})
        assert notes.all() == {"./a": Annotation(tag=1)}
        server.stop()
        try:
            assert notes.all() == {"./a": Annotation(tag=1)}
            with pytest.raises(AnnotationsUnavailable):
                notes.update("./a", {"tag": 2})
        finally:
            server.start()
        notes.update("./a", {"tag": 3})
        assert notes.all() == {"./a": Annotation(tag=3)}


def test_a_role_that_may_only_read_sees_notes() -> None:
    url = postgresql().new_database()
    row = {"name": "x", "data_location": "", "creation_time": 1.0, "version": 1}
    with closing(Database(url)) as database:
        database.create()
        with database.writing() as connection:
            connection.execute(EXPERIMENTS.insert().values(row))
        DatabaseAnnotations(database, "x").update("./a", {"tag": 1})
        with database.writing() as connection:
            connection.exec_driver_sql("CREATE ROLE reader LOGIN")
            connection.exec_driver_sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    with closing(Database(url.replace("postgres@", "reader@"))) as database:
        notes = DatabaseAnnotations(database, "x")
        assert notes.all() == {"./a": Annotation(tag=1)}
        with pytest.raises(AnnotationsUnavailable, match="permission denied"):
            notes.update("./a", {"tag": 2})
