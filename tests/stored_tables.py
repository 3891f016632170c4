"""The content of a database, without what depends on the order of imports."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.tables import EXPERIMENTS, FIELDS, LAYOUTS, METADATA, RUNS, SHAPES

_OF_IMPORT = {"version", "edition", "experiment_id", "run_id", "field_id", "shape_id"}
_OF_FILES = {"create_time", "update_time", "modified"}
"""An object store does not keep them as a disk does."""


def stored_tables(database: Database, *, of_objects: bool = False) -> dict[str, list[Any]]:
    """Table -> its sorted rows, with the train_id of their run; NaN as text."""
    omitted = _OF_IMPORT | (_OF_FILES if of_objects else set())
    content: dict[str, list[Any]] = {}
    with database.reading() as connection:
        runs = connection.execute(select(RUNS.c.run_id, RUNS.c.train_id))
        names = {row.run_id: row.train_id for row in runs}
        for table in METADATA.sorted_tables:
            if table in (EXPERIMENTS, FIELDS, LAYOUTS, SHAPES):
                continue
            rows = [
                (
                    names[row["run_id"]],
                    *(repr(value) for name, value in row.items() if name not in omitted),
                )
                for row in connection.execute(select(table)).mappings()
            ]
            content[table.name] = sorted(rows)
    return content
