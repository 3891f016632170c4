"""AnnotationTables: the tables of annotations and saved views, and their SQL."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import fields
from types import ModuleType
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Double,
    Integer,
    MetaData,
    Numeric,
    String,
    Table,
    UniqueConstraint,
    cast,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateTable

from mindviz.errors import InvalidAnnotation, ViewNotFound
from mindviz.lineagemgr.annotation import ANNOTATION_FIELDS, Annotation
from mindviz.lineagemgr.saved_view import MAX_VIEWS, REQUIRED, SavedView

_DIALECTS: Mapping[str, ModuleType] = {"postgresql": postgresql, "sqlite": sqlite}


class AnnotationTables:
    """Statements over the rows of one log directory or experiment, on a connection of the caller.

    `changed` values are Unix seconds.
    """

    def __init__(self, owner: str, kind: type[Integer | String]) -> None:
        """`owner`: name of the first column of both keys, with its type."""
        metadata = MetaData()
        self._annotations = Table(
            "annotations",
            metadata,
            Column(owner, kind, primary_key=True, autoincrement=False),
            Column("train_id", String, primary_key=True),
            Column("tag", Integer),
            Column("remark", String),
            Column("notes", String),
            Column("hidden", Boolean),
            Column("pinned", Boolean),
            Column("colour", String),
            Column("group", String),
            Column("changed", Double, nullable=False),
            sqlite_with_rowid=False,
        )
        self._views = Table(
            "views",
            metadata,
            Column(owner, kind, primary_key=True, autoincrement=False),
            Column("view_id", String, primary_key=True),
            Column("name", String, nullable=False),
            Column("page", String, nullable=False),
            Column("query", String, nullable=False),
            Column("is_default", Boolean, nullable=False, default=False),
            Column("changed", Double, nullable=False),
            UniqueConstraint(owner, "name"),
            sqlite_with_rowid=False,
        )
        self._owner = owner

    @property
    def names(self) -> tuple[str, str]:
        """Names of the tables."""
        return self._annotations.name, self._views.name

    def create(self, connection: Connection) -> None:
        """Create missing tables."""
        for table in (self._annotations, self._views):
            connection.execute(CreateTable(table, if_not_exists=True))

    def annotations(self, connection: Connection, owner: Any) -> Mapping[str, Annotation]:
        """train_id -> annotation."""
        columns = [self._annotations.c[name] for name in ("train_id", *ANNOTATION_FIELDS)]
        query = select(*columns).where(self._of(self._annotations, owner))
        return {row[0]: Annotation(*row[1:]) for row in connection.execute(query)}

    def revision(self, connection: Connection, owner: Any) -> tuple[int, str]:
        """Differs after any change of the annotations, in whatever order changes are committed."""
        # Exact, unlike a sum of floats.
        total = func.sum(cast(self._annotations.c.changed, Numeric))
        query = select(func.count(), total).where(self._of(self._annotations, owner))
        count, changed = connection.execute(query).one()
        return count, str(changed)

    def update(
        self, connection: Connection, owner: Any, train_id: str, changes: Mapping[str, Any]
    ) -> None:
        """Set these columns of a run's row."""
        values = {**changes, "changed": time.time()}
        statement = self._insertion(connection, self._annotations).values(
            {self._owner: owner, "train_id": train_id, **values}
        )
        key = [self._owner, "train_id"]
        connection.execute(statement.on_conflict_do_update(index_elements=key, set_=values))

    def views(self, connection: Connection, owner: Any) -> list[SavedView]:
        """All views, by name."""
        columns = [self._views.c[field.name] for field in fields(SavedView)]
        query = select(*columns).where(self._of(self._views, owner)).order_by(self._views.c.name)
        return [SavedView(*row) for row in connection.execute(query)]

    def update_view(
        self, connection: Connection, owner: Any, view_id: str, changes: Mapping[str, Any]
    ) -> None:
        """Set these columns of a view; create it if it is new and the changes are complete.

        Raises ViewNotFound, InvalidAnnotation.
        """
        values = {**changes, "changed": time.time()}
        here, this = self._of(self._views, owner), self._views.c.view_id == view_id
        # The first statement writes, so other writers of a SQLite file wait until the end.
        try:
            statement = update(self._views).where(here, this).values(values)
            if not connection.execute(statement).rowcount:
                if not changes.keys() >= REQUIRED:
                    raise ViewNotFound(view_id)
                self._check_room(connection, owner)
                row = {self._owner: owner, "view_id": view_id, **values}
                connection.execute(self._insertion(connection, self._views).values(row))
        except IntegrityError as error:
            raise InvalidAnnotation(f"Another view has the name {changes['name']!r}.") from error
        if changes.get("is_default"):
            others = update(self._views).where(here, ~this, self._views.c.is_default)
            connection.execute(others.values(is_default=False))

    def _check_room(self, connection: Connection, owner: Any) -> None:
        query = select(func.count()).where(self._of(self._views, owner))
        if connection.execute(query).scalar_one() >= MAX_VIEWS:
            raise InvalidAnnotation(f"A log directory has at most {MAX_VIEWS:,} saved views.")

    def delete_view(self, connection: Connection, owner: Any, view_id: str) -> None:
        """Delete a view. Raises ViewNotFound."""
        statement = delete(self._views).where(
            self._of(self._views, owner), self._views.c.view_id == view_id
        )
        if not connection.execute(statement).rowcount:
            raise ViewNotFound(view_id)

    def _of(self, table: Table, owner: Any) -> ColumnElement[bool]:
        condition: ColumnElement[bool] = table.c[self._owner] == owner
        return condition

    def _insertion(self, connection: Connection, table: Table) -> Any:
        return _DIALECTS[connection.dialect.name].insert(table)
