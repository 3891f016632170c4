"""DatabaseAnnotations: annotations and saved views next to the runs of an imported experiment."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Integer, inspect, select

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.records import storable
from mindviz.datavisual.sql.tables import EXPERIMENTS
from mindviz.errors import AnnotationsUnavailable, DatabaseUnavailable
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.annotation_tables import AnnotationTables
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.saved_view import SavedView

TABLES = AnnotationTables("experiment_id", Integer)


class DatabaseAnnotations(Annotations):
    """In the database of the runs, so that all of its servers share them.

    The first change creates the tables.
    """

    def __init__(self, database: Database, experiment_id: str) -> None:
        """The empty id means the first experiment. Reads nothing yet."""
        self._database = database
        self._experiment_id = experiment_id
        self._lock = threading.Lock()
        self._has_tables = False
        self._known: tuple[tuple[int, int, str], Mapping[str, Annotation]] | None = None

    def all(self) -> Mapping[str, Annotation]:
        """As of the last time, while the database does not respond."""
        with self._lock:
            try:
                with self._reading() as connection:
                    if not self._exist(connection):
                        return {}
                    owner = self._owner(connection)
                    revision = (owner, *TABLES.revision(connection, owner))
                    if self._known is None or self._known[0] != revision:
                        self._known = revision, TABLES.annotations(connection, owner)
            except AnnotationsUnavailable:
                if self._known is None:
                    raise
            return self._known[1]

    def _update(self, train_id: str, changes: Mapping[str, Any]) -> None:
        with self._writing() as (connection, owner):
            TABLES.update(connection, owner, train_id, changes)

    def views(self) -> list[SavedView]:
        with self._reading() as connection:
            if not self._exist(connection):
                return []
            return TABLES.views(connection, self._owner(connection))

    def _update_view(self, view_id: str, changes: Mapping[str, Any]) -> None:
        with self._writing() as (connection, owner):
            TABLES.update_view(connection, owner, view_id, changes)

    def delete_view(self, view_id: str) -> None:
        with self._writing() as (connection, owner):
            TABLES.delete_view(connection, owner, view_id)

    def _owner(self, connection: Connection) -> int:
        query = select(EXPERIMENTS.c.experiment_id).order_by(EXPERIMENTS.c.experiment_id)
        if self._experiment_id:
            query = query.where(EXPERIMENTS.c.name == storable(self._experiment_id))
        number = connection.execute(query.limit(1)).scalar()
        if number is None:
            raise AnnotationsUnavailable("The database has no runs yet.")
        return int(number)

    def _exist(self, connection: Connection) -> bool:
        if not self._has_tables:
            self._has_tables = {*TABLES.names} <= {*inspect(connection).get_table_names()}
        return self._has_tables

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._translate_errors(), self._database.reading() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, int]]:
        with self._translate_errors(), self._database.writing() as connection:
            self._database.wait_for_others(connection)
            owner = self._owner(connection)
            if not self._exist(connection):
                TABLES.create(connection)
                self._has_tables = False
            yield connection, owner

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except DatabaseUnavailable as error:
            self._has_tables = False  # the database may be another one
            raise AnnotationsUnavailable(str(error)) from error
