"""Encodes the rows of a series as JSON: columns, unified or folded.

The unified form is that of VisualDL's design of basic visual components (2018):
`[[{step_id, unix_time, data}, ...], [{type, size, tag}]]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mindviz.backend.encoding import non_finite, plain_columns, problems_by_step, to_json
from mindviz.datavisual.series.selection import SelectedRows
from mindviz.datavisual.series.series_view import Column
from mindviz.datavisual.series.time_series import DataClass

DATA, TYPE, SIZE = "data", "type", "size"
"""Columns of a view of values."""
BLOB_KEYS = "blob_keys"
"""A column instead of `data`: the keys of each step's blobs."""


def columns_json(head: Mapping[str, Any], read: SelectedRows, *, with_since: bool) -> bytes:
    """The head as a JSON object, with the rows' columns."""
    return to_json({**head, **_facts(read, with_since=with_since), **_columns(read)})


def values_json(
    head: Mapping[str, Any], plugin_name: str, read: SelectedRows, *, with_since: bool
) -> bytes:
    """As `columns_json`, with type and size of the series."""
    kept = {name: column for name, column in _columns(read).items() if name not in (TYPE, SIZE)}
    varying = {f"{name}s": read.rows.columns[name] for name in (TYPE, SIZE) if _varies(read, name)}
    meta = _meta(read, plugin_name)
    facts = _facts(read, with_since=with_since)
    return to_json({**head, **meta, **facts, **kept, **plain_columns(varying)})


def unified_json(tag: str, plugin_name: str, read: SelectedRows) -> bytes:
    """`[[{step_id, unix_time, data}, ...], [{type, size, tag}]]`, without damaged steps.

    A step has its own `type` and `size` where they differ from those of the series.
    """
    meta = _meta(read, plugin_name)
    columns = read.rows.columns
    own = [(name, columns[name]) for name in (TYPE, SIZE) if name in columns]
    items = []
    for row, (step, wall_time, data) in _steps(read):
        item = {"step_id": step, "unix_time": wall_time, DATA: data}
        item |= {
            name: column[row]
            for name, column in own
            if column[row] is not None and column[row] != meta[name]
        }
        items.append(item)
    return to_json([items, [{**meta, "tag": tag}]])


def folded_json(data_class: DataClass, read: SelectedRows) -> bytes:
    """A scalar as `[[unix_time, value], ...]`; anything else as `[unix_time, step_id, data]`.

    The latter are `values` of an object with details of the series.
    """
    if data_class is DataClass.SCALAR:
        return to_json([[time, data] for _, (_, time, data) in _steps(read)])
    triples = [[time, step, data] for _, (step, time, data) in _steps(read)]
    return to_json({**read.rows.details, "values": triples})


INCREMENT_HEADERS = ("Mindviz-Cursor", "Mindviz-Reset", "Mindviz-Truncate-From-Step")


def increment_headers(read: SelectedRows, cursor: str, *, with_since: bool) -> dict[str, str]:
    """The cursor and its flags as headers, for forms without room for them."""
    reset = ("true" if read.reset else "false") if with_since else None
    truncate = read.truncate_from_step if with_since else None
    values = zip(INCREMENT_HEADERS, (cursor, reset, truncate), strict=True)
    return {name: str(value) for name, value in values if value is not None}


def _steps(read: SelectedRows) -> list[tuple[int, tuple[int, float, object]]]:
    """(row, (step, wall time, data)) of each undamaged row."""
    data = _data(read)
    cells = data.tolist() if isinstance(data, np.ndarray) else data
    steps = zip(read.step.tolist(), read.wall_time.tolist(), cells, strict=True)
    return [(row, one) for row, one in enumerate(steps) if row not in read.rows.problems]


def _data(read: SelectedRows) -> Column:
    columns = read.rows.columns
    return columns[DATA] if DATA in columns else columns[BLOB_KEYS]


def _facts(read: SelectedRows, *, with_since: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {"total": read.total}
    if with_since:
        facts |= {"reset": read.reset, "truncate_from_step": read.truncate_from_step}
    return facts


def _columns(read: SelectedRows) -> dict[str, Any]:
    rows = read.rows
    answer = plain_columns({"step": read.step, "wall_time": read.wall_time, **rows.columns})
    answer["problems"] = problems_by_step(read.step, rows.problems)
    answer["details"] = dict(rows.details)
    for name in ("value", DATA):
        column = rows.columns.get(name)
        if isinstance(column, np.ndarray) and column.dtype.kind == "f" and column.ndim == 1:
            answer["non_finite"] = non_finite(column.astype(np.float64))
    return answer


def _meta(read: SelectedRows, plugin_name: str) -> dict[str, Any]:
    """Type and size of the newest undamaged step."""
    columns = read.rows.columns
    size = _newest(columns[SIZE]) if SIZE in columns else _shape(_newest(_data(read)))
    kind = _newest(columns[TYPE]) if TYPE in columns else plugin_name
    return {TYPE: kind or plugin_name, SIZE: size or []}


def _newest(column: Column) -> Any:
    return next((cell for cell in reversed(list(column)) if cell is not None), None)


def _shape(data: object) -> list[int]:
    if isinstance(data, np.ndarray):
        return list(data.shape)
    return [len(data)] if isinstance(data, list) else []


def _varies(read: SelectedRows, name: str) -> bool:
    column = [cell for cell in read.rows.columns.get(name, ()) if cell is not None]
    return any(cell != column[0] for cell in column)
