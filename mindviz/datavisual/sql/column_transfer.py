"""Moves columns in and out of a database, over the raw connection of its driver.

For millions of rows. SQLite takes many rows per statement; PostgreSQL uses the binary format of
COPY, which numpy encodes without an object per row. Source: PostgreSQL's manual, COPY, "Binary
Format".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Double,
    Integer,
    LargeBinary,
    Select,
    Table,
    cast,
    func,
    literal,
    select,
)

_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"
_PARAMETERS = 999
"""Maximum per statement, in every version of SQLite."""
_ROWS_AT_ONCE = 1000
"""Rows per fetch from SQLite; more are slower, because they exceed the processor's cache."""

Array = NDArray[Any]


def insert_columns(connection: Connection, table: Table, columns: Sequence[Array]) -> None:
    """Append the table's columns of integers and floats, sorted by key. NaN becomes NULL."""
    if connection.dialect.name == "sqlite":
        _insert_many_at_once(connection, table, columns)
        return
    formats = [_STORED[_type_name(column)] for column in table.c]
    missing = {
        place: np.isnan(column) for place, column in enumerate(columns) if column.dtype.kind == "f"
    }
    nullable = [place for place in missing if missing[place].any()]
    with _copy(connection, table) as copy:
        copy.write(_SIGNATURE)
        # A NULL has no bytes, so rows with different NULLs have different lengths.
        for nulls in product((False, True), repeat=len(nullable)):
            null = dict(zip(nullable, nulls, strict=True))
            chosen = np.ones(len(columns[0]), dtype=np.bool_)
            for place, is_null in null.items():
                chosen &= missing[place] == is_null
            if chosen.any():
                copy.write(_packed(columns, formats, null, chosen))
        copy.write(_TRAILER)


def _insert_many_at_once(connection: Connection, table: Table, columns: Sequence[Array]) -> None:
    """Insert many rows per statement: two to three times as fast as `executemany`."""
    width = len(columns)
    at_once = _PARAMETERS // width
    count = len(columns[0])
    raw: Any = connection.connection.driver_connection
    for start in range(0, count, at_once):
        rows = min(at_once, count - start)
        # The driver stores NaN as NULL.
        values: list[Any] = [None] * (rows * width)
        for place, column in enumerate(columns):
            values[place::width] = column[start : start + rows].tolist()
        raw.execute(_insertion(table, rows), values)


def _packed(
    columns: Sequence[Array],
    formats: Sequence[str],
    null: Mapping[int, bool],
    chosen: NDArray[np.bool_],
) -> bytes:
    """The chosen rows in COPY's format: the number of fields, then each field after its length."""
    fields = [("fields", ">i2")]
    for place, stored in enumerate(formats):
        fields.append((f"length {place}", ">i4"))
        if not null.get(place, False):
            fields.append((str(place), stored))
    every = bool(chosen.all())
    rows = np.empty(len(chosen) if every else int(chosen.sum()), dtype=fields)
    rows["fields"] = len(formats)
    for place, (stored, column) in enumerate(zip(formats, columns, strict=True)):
        if null.get(place, False):
            rows[f"length {place}"] = -1
        else:
            rows[f"length {place}"] = np.dtype(stored).itemsize
            rows[str(place)] = column if every else column[chosen]
    return rows.tobytes()


_STORED = {"float8": ">f8", "int8": ">i8", "int4": ">i4"}
"""Type -> numpy's dtype of its binary format."""


def insert_rows(connection: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Append complete rows of any types."""
    if connection.dialect.name == "sqlite":
        raw: Any = connection.connection.driver_connection
        raw.executemany(_insertion(table), rows)
        return
    with _copy(connection, table) as copy:
        copy.set_types([_type_name(column) for column in table.c])
        for row in rows:
            copy.write_row(row)


def _type_name(column: Column[Any]) -> str:
    if isinstance(column.type, LargeBinary):
        return "bytea"
    if isinstance(column.type, Double):
        return "float8"
    if isinstance(column.type, BigInteger):
        return "int8"
    return "int4" if isinstance(column.type, Integer) else "text"


def _copy(connection: Connection, table: Table) -> Any:
    raw: Any = connection.connection.driver_connection
    return raw.cursor().copy(f"COPY {table.name} ({_names(table)}) FROM STDIN (FORMAT BINARY)")


def _insertion(table: Table, rows: int = 1) -> str:
    marks = f"({', '.join('?' * len(table.c))})"
    values = ", ".join([marks] * rows)
    return f"INSERT INTO {table.name} ({_names(table)}) VALUES {values}"  # noqa: S608 - our names


def _names(table: Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.c)


def read_columns(connection: Connection, statement: Select[Any]) -> tuple[Array, ...]:
    """The rows as int64 and float64 columns, depending on the types of the columns.

    NULL becomes NaN; integers must not be NULL.
    """
    dtypes = [
        np.dtype(np.float64 if isinstance(column.type, Double) else np.int64)
        for column in statement.selected_columns
    ]
    if connection.dialect.name == "sqlite":
        return _read_tuples(connection, statement, dtypes)
    return _read_copy(connection, statement, dtypes)


def _read_tuples(
    connection: Connection, statement: Select[Any], dtypes: Sequence[np.dtype[Any]]
) -> tuple[Array, ...]:
    compiled = statement.compile(connection.engine, compile_kwargs={"render_postcompile": True})
    values = compiled.construct_params()
    raw: Any = connection.connection.driver_connection
    cursor = raw.execute(str(compiled), [values[name] for name in compiled.positiontup or ()])
    parts: list[list[Array]] = [[np.empty(0, dtype)] for dtype in dtypes]
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        for part, values_of, dtype in zip(parts, zip(*rows, strict=True), dtypes, strict=True):
            part.append(np.array(values_of, dtype))
    return tuple(np.concatenate(part) for part in parts)


def _read_copy(
    connection: Connection, statement: Select[Any], dtypes: Sequence[np.dtype[Any]]
) -> tuple[Array, ...]:
    inner = statement.subquery()
    answer = copied(connection, select(*(without_null(column) for column in inner.c)))
    # Without NULLs, all rows have equal lengths.
    fields = [("fields", ">i2")]
    for number, dtype in enumerate(dtypes):
        fields += [(f"length {number}", ">i4"), (str(number), dtype.newbyteorder(">").str)]
    rows = np.frombuffer(answer, dtype=fields)
    return tuple(rows[str(n)].astype(dtype) for n, dtype in enumerate(dtypes))


def without_null(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column with eight bytes per cell, NaN instead of NULL."""
    if isinstance(column.type, Double):
        return func.coalesce(cast(column, Double), literal("NaN", Double))
    return cast(column, BigInteger)


def copied(connection: Connection, statement: Select[Any]) -> bytes:
    """The rows in PostgreSQL's binary format of COPY."""
    compiled = statement.compile(connection.engine, compile_kwargs={"render_postcompile": True})
    raw: Any = connection.connection.driver_connection
    query = f"COPY ({compiled}) TO STDOUT (FORMAT BINARY)"
    with raw.cursor() as cursor, cursor.copy(query, compiled.construct_params()) as copy:
        return b"".join(copy)[len(_SIGNATURE) : -len(_TRAILER)]
