"""Encodes lineage as JSON columns and decodes it, for the Python API.

`{"columns": [{"name": ..., "kind": ..., "cells": [...]}, ...]}`, with a cell per train job, sorted
by id. Kinds are those of `Table`; NaN and infinities are strings. Annotations are omitted, because
they belong to a workspace, not to the logs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mindviz.datavisual.store import Store
from mindviz.deadline import check
from mindviz.errors import DamagedValue, InvalidQuery
from mindviz.export.json_numbers import json_safe
from mindviz.export.lineage_rows import ANNOTATION_COLUMNS, lineage_table, select_lineage
from mindviz.export.table import Kind, Table
from mindviz.expression import Expression
from mindviz.gc_control import gc_paused
from mindviz.lineagemgr.lineage_table import Lineages


class LineageColumn(NamedTuple):
    """One column."""

    kind: Kind
    cells: Sequence[Any]
    """None where a job has no such value."""


def lineage_json(
    store: Store, lineages: Lineages, tags: Collection[str] = (), patterns: Iterable[str] = ()
) -> bytes:
    """The lineage of all jobs, with statistics of the scalars with these tags.

    `patterns` are regular expressions for further tags. Raises InvalidQuery if one is invalid.
    """
    try:
        expressions = [Expression(pattern) for pattern in patterns]
    except InvalidQuery as error:
        raise InvalidQuery(f"tag_pattern: {error}") from None

    def is_wanted(tag: str) -> bool:
        check()
        return tag in tags or any(expression.search(tag) for expression in expressions)

    train_ids = sorted(store.list_train_ids())
    selected = select_lineage(store, lineages.table(), train_ids, is_wanted)
    table = lineage_table(selected, annotations={}, done=lambda: None)
    pieces = [rows.columns for rows in table.rows]
    return _encoded(table, pieces)


@gc_paused()
def _encoded(table: Table, pieces: Sequence[Sequence[Any]]) -> bytes:
    columns = [
        {
            "name": column.name,
            "kind": column.kind,
            "cells": _json_safe_cells(piece[number] for piece in pieces),
        }
        for number, column in enumerate(table.columns)
        if column.name not in ANNOTATION_COLUMNS
    ]
    return json.dumps({"columns": columns}).encode()


def _json_safe_cells(pieces: Iterable[Iterable[Any]]) -> list[Any]:
    check()
    return [cell if cell is None else json_safe(cell) for piece in pieces for cell in piece]


def lineage_columns(content: bytes) -> Mapping[str, LineageColumn]:
    """The columns by name, in order. Raises DamagedValue."""
    try:
        return {
            column["name"]: _column(Kind(column["kind"]), column["cells"])
            for column in json.loads(content)["columns"]
        }
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedValue(f"The lineage response is damaged: {error!r}.") from error


def _column(kind: Kind, cells: list[Any]) -> LineageColumn:
    if kind is Kind.NUMBER:
        return LineageColumn(kind, [None if cell is None else float(cell) for cell in cells])
    return LineageColumn(kind, cells)
