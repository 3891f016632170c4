"""Moves rows in and out of a database, over the raw connection of its driver.

SQLAlchemy would take a multiple of the time per row, and fetch bytes from PostgreSQL as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Integer,
    LargeBinary,
    Select,
    Table,
    cast,
    func,
    literal_column,
    select,
)

Array = NDArray[Any]


def insert_rows(connection: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Append complete rows of any types."""
    if connection.dialect.name == "sqlite":
        raw: Any = connection.connection.dbapi_connection
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
    if isinstance(column.type, Boolean):
        return "bool"
    return "int4" if isinstance(column.type, Integer) else "text"


def _copy(connection: Connection, table: Table) -> Any:
    raw: Any = connection.connection.dbapi_connection
    return raw.cursor().copy(f"COPY {table.name} ({_names(table)}) FROM STDIN (FORMAT BINARY)")


def _insertion(table: Table) -> str:
    marks = ", ".join("?" * len(table.c))
    return f"INSERT INTO {table.name} ({_names(table)}) VALUES ({marks})"  # noqa: S608 - our names


def _names(table: Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.c)


def fetched(connection: Connection, statement: Select[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows, in the order of the statement; bytes are not converted through text."""
    compiled = statement.compile(connection.engine, compile_kwargs={"render_postcompile": True})
    values = compiled.construct_params()
    raw: Any = connection.connection.dbapi_connection
    if connection.dialect.name == "sqlite":
        cursor = raw.execute(str(compiled), [values[name] for name in compiled.positiontup or ()])
        yield from cursor
        return
    with raw.cursor(binary=True) as cursor:
        yield from cursor.execute(str(compiled), values)


def read_columns(connection: Connection, statement: Select[Any]) -> tuple[Array, ...]:
    """The rows as int64 and float64 columns, depending on the types of the columns.

    NULL becomes NaN; integers must not be NULL.
    """
    dtypes = [
        np.dtype(np.float64 if isinstance(column.type, Double) else np.int64)
        for column in statement.selected_columns
    ]
    columns = list(zip(*fetched(connection, statement), strict=True)) or [()] * len(dtypes)
    return tuple(np.array(column, dtype) for column, dtype in zip(columns, dtypes, strict=True))


def read_pairs(connection: Connection, statement: Select[Any]) -> tuple[Array, Array]:
    """The int64 keys and float64 numbers of a statement with two columns; NULL becomes NaN.

    There is no object per row, so a million rows are fast.
    """
    key, number = statement.selected_columns
    if connection.dialect.name == "sqlite":
        pairs = np.fromiter(fetched(connection, statement), [("key", "i8"), ("number", "f8")])
        return pairs["key"].copy(), pairs["number"].copy()
    pairs_of = statement.with_only_columns(
        cast(key, Integer).label("key"),
        func.coalesce(cast(number, Double), literal_column("'NaN'::float8")).label("number"),
    ).subquery()
    arrays = (func.array_send(func.array_agg(column)) for column in pairs_of.c)
    ((keys, numbers),) = fetched(connection, select(*arrays))
    return _array(keys, ">i4", np.int64), _array(numbers, ">f8", np.float64)


def read_keys(connection: Connection, statement: Select[Any]) -> Array:
    """The int64 keys of a statement with one column, in its order."""
    if connection.dialect.name == "sqlite":
        return np.fromiter((row[0] for row in fetched(connection, statement)), np.int64)
    (key,) = statement.subquery().c
    ((data,),) = fetched(connection, select(func.array_send(func.array_agg(cast(key, Integer)))))
    return key_array(data)


def key_array(data: bytes | None) -> Array:
    """The numbers of `array_send(array_agg(integers))` of PostgreSQL."""
    return _array(data, ">i4", np.int64)


def _array(data: bytes | None, stored: str, dtype: Any) -> Array:
    """The elements of an array in PostgreSQL's binary format; None if it is empty."""
    if data is None:
        return np.empty(0, dtype)
    elements = np.frombuffer(data, [("length", ">i4"), ("value", stored)], offset=_ARRAY_HEAD)
    return elements["value"].astype(dtype)


_ARRAY_HEAD = 20
"""Bytes before the elements: dimensions, flags, type, length and lower bound."""
