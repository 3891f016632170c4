from __future__ import annotations

from contextlib import closing

from sqlalchemy import Integer

from mindviz.datavisual.sql.database import Database
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.annotation_tables import AnnotationTables
from tests.postgresql import PostgreSQL

TABLES = AnnotationTables("experiment_id", Integer)


def test_the_revision_differs_after_changes_that_are_committed_out_of_order(
    server: PostgreSQL,
) -> None:
    with closing(Database(server.new_database())) as database:
        with database.writing() as connection:
            TABLES.create(connection)

        def revision() -> tuple[int, str]:
            with database.reading() as connection:
                return TABLES.revision(connection, 1)

        seen = [revision()]
        with database.writing() as slow:
            TABLES.update(slow, 1, "./a", {"tag": 1})
            with database.writing() as fast:
                TABLES.update(fast, 1, "./b", {"tag": 2})
            seen.append(revision())
        seen.append(revision())
        with database.writing() as connection:
            TABLES.update(connection, 1, "./a", {"tag": None})
            TABLES.update(connection, 2, "./a", {"tag": 3})
        seen.append(revision())
        assert len(set(seen)) == len(seen)
        with database.reading() as connection:
            assert TABLES.annotations(connection, 1) == {"./a": Annotation(), "./b": Annotation(2)}
            assert TABLES.annotations(connection, 2) == {"./a": Annotation(3)}
