"""WholeSeries: all points of many series of scalars, in the way that each database is fastest at.

SQLite is asked series by series: a question costs it microseconds, a join something per row.
PostgreSQL is asked once, and packs each series into arrays: its driver takes most of its time per
row, whatever is in it. Source of the form of an array: PostgreSQL's `array_send`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, func, select, true

from mindviz.datavisual.sql.column_transfer import Array, copied, without_null
from mindviz.datavisual.sql.queries import SeriesSet, series_table
from mindviz.datavisual.sql.tables import SCALARS

LONGEST_SERIES = 1 << 22
"""Points. A row of PostgreSQL ends at 1 GB."""

_DTYPES = {"step": np.dtype(np.int64), "wall_time": np.dtype(float), "value": np.dtype(float)}


def read_whole_series(connection: Connection, series: SeriesSet) -> tuple[Array, ...]:
    """Number of the series, step, wall time and value of each point in the range of steps.

    By series, and within a series by step, if the database goes by the key, as it mostly does.
    No series may be longer than `LONGEST_SERIES`.
    """
    if connection.dialect.name == "sqlite":
        parts = _one_by_one(connection, series)
    else:
        parts = _packed(connection, series)
    lengths = [len(step) for _, (step, *_) in parts]
    number = np.repeat(np.array([number for number, _ in parts], np.int64), lengths)
    empty = [np.empty(0, dtype) for dtype in _DTYPES.values()]
    columns = zip(empty, *(columns for _, columns in parts), strict=True)
    return number, *(np.concatenate(column) for column in columns)


_Parts = list[tuple[int, tuple[Array, ...]]]
"""Number of a series, and its columns."""


def _one_by_one(connection: Connection, series: SeriesSet) -> _Parts:
    query = (
        select(*(SCALARS.c[name] for name in _DTYPES))
        .where(
            SCALARS.c.run_id == bindparam("run_id"),
            SCALARS.c.tag_id == bindparam("tag_id"),
            series.holds(SCALARS),
        )
        .order_by(SCALARS.c.step)
    )
    compiled = query.compile(connection.engine)
    raw: Any = connection.connection.driver_connection
    parts: _Parts = []
    keys = zip(series.run_id.tolist(), series.tag_id.tolist(), strict=True)
    for number, (run_id, tag_id) in enumerate(keys):
        values = compiled.construct_params({"run_id": run_id, "tag_id": tag_id})
        arguments = [values[name] for name in compiled.positiontup or ()]
        parts.append((number, _columns(raw, str(compiled), arguments)))
    return parts


def _columns(raw: Any, query: str, arguments: list[Any]) -> tuple[Array, ...]:
    try:
        rows = np.fromiter(raw.execute(query, arguments), list(_DTYPES.items()))
    except TypeError:  # a NULL, which is NaN
        tuples = raw.execute(query, arguments).fetchall()
        columns = zip(zip(*tuples, strict=True), _DTYPES.values(), strict=True)
        return tuple(np.array(column, dtype) for column, dtype in columns)
    return tuple(rows[name] for name in _DTYPES)


def _packed(connection: Connection, series: SeriesSet) -> _Parts:
    wanted = series_table(connection, series)
    packed = (
        select(*(func.array_agg(without_null(SCALARS.c[name])).label(name) for name in _DTYPES))
        .where(
            SCALARS.c.run_id == wanted.c.c1,
            SCALARS.c.tag_id == wanted.c.c2,
            series.holds(SCALARS),
        )
        .lateral("packed")
    )
    query = select(wanted.c.c0, *packed.c).select_from(wanted.join(packed, true()))
    answer = copied(connection, query)
    parts: _Parts = []
    at = 0
    while at < len(answer):
        # Number of fields and length of the first one are known.
        number = int.from_bytes(answer[at + 6 : at + 14], "big")
        at += 14
        columns = []
        for dtype in _DTYPES.values():
            size = max(int.from_bytes(answer[at : at + 4], "big", signed=True), 0)
            columns.append(_array(answer, at + 4, size, dtype))
            at += 4 + size
        parts.append((number, tuple(columns)))
    return parts


_HEADER = 20
"""Bytes: dimensions, whether there are NULLs, type, size, lower bound."""


def _array(answer: bytes, at: int, size: int, dtype: np.dtype[Any]) -> Array:
    """One array without NULLs; empty if there is none at all."""
    if not size:
        return np.empty(0, dtype)
    element = [("length", ">i4"), ("value", dtype.newbyteorder(">").str)]
    count = (size - _HEADER) // np.dtype(element).itemsize
    return np.frombuffer(answer, element, count, at + _HEADER)["value"].astype(dtype)
