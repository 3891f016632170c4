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
    ColumnElement,
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
    key, number = pairs_of.c
    data = _joined(connection, func.int4send(key).op("||")(func.float8send(number)))
    pairs = np.frombuffer(data, [("key", ">i4"), ("number", ">f8")])
    return pairs["key"].astype(np.int64), pairs["number"].astype(np.float64)


def read_keys(connection: Connection, statement: Select[Any]) -> Array:
    """The int64 keys of a statement with one column, in its order."""
    if connection.dialect.name == "sqlite":
        return np.fromiter((row[0] for row in fetched(connection, statement)), np.int64)
    (key,) = statement.subquery().c
    return key_array(_joined(connection, func.int4send(key)))


def read_texts(
    connection: Connection, statement: Select[Any]
) -> tuple[Array, tuple[NDArray[np.uint8], Array]]:
    """The int64 keys and texts of a statement with two columns.

    The texts are in UTF-8, each followed by a line break, whose places come after them.
    """
    if connection.dialect.name == "sqlite":
        rows = [(key, text.encode()) for key, text in fetched(connection, statement)]
        keys = np.array([key for key, _ in rows], np.int64)
        lengths = np.array([len(text) for _, text in rows], np.int64)
        data = b"".join(text + b"\n" for _, text in rows)
    else:
        key, text = statement.subquery().c
        encoded = func.convert_to(text, "UTF8")
        row = func.int4send(key).op("||")(func.int4send(func.octet_length(encoded)))
        line = encoded.op("||")(literal_column("'\\x0a'::bytea"))
        joined = (func.string_agg(one, _NOTHING) for one in (row, line))
        ((rows, data),) = fetched(connection, select(*joined))
        numbers = np.frombuffer(rows or b"", ">i4").reshape(-1, 2).astype(np.int64)
        keys, lengths = numbers.T
    return keys, (np.frombuffer(data or b"", np.uint8), np.cumsum(lengths + 1) - 1)


def joined_keys(key: ColumnElement[int]) -> ColumnElement[bytes]:
    """An aggregate of PostgreSQL that `key_array` reads."""
    return func.string_agg(func.int4send(key), _NOTHING)


def key_array(data: bytes) -> Array:
    """The keys in `joined_keys`."""
    return np.frombuffer(data, ">i4").astype(np.int64)


_NOTHING: ColumnElement[bytes] = literal_column("''::bytea")


def _joined(connection: Connection, row: ColumnElement[bytes]) -> bytes:
    """The bytes of all rows. An array would have the length of each element, too."""
    ((data,),) = fetched(connection, select(func.string_agg(row, _NOTHING)))
    return data or b""
