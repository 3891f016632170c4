"""CSV: one line per row, UTF-8.

A row with lists becomes one line per element. Binary columns are omitted. Text that a spreadsheet
would evaluate as a formula is prefixed with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import orjson

from mindviz.export.json_numbers import json_safe
from mindviz.export.output_formats import OutputFormat
from mindviz.export.table import Cells, Column, Kind, Table

PIECE = 1 << 16
"""Minimum number of characters to encode at once."""
MAX_REPEATED = 64 * 1024 * 1024
"""Maximum number of characters in the repeated names of a series, per row of the table."""
_TOO_LONG = "The names are too long to repeat for every bucket: use json, npz or parquet."


def write(table: Table) -> Iterator[bytes]:
    """A header and the lines; NaN and infinities are `nan`, `inf` and `-inf`, None is empty."""
    kept = [i for i, column in enumerate(table.columns) if column.kind is not Kind.BYTES]
    columns = [table.columns[i] for i in kept]
    header = (*table.series_columns, *(column.name for column in columns))
    is_long = any(column.kind is Kind.NUMBERS for column in columns)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([inert_text(name) for name in header])
    for rows in table.rows:
        cells = [_texts(column, rows.columns[i]) for i, column in zip(kept, columns, strict=True)]
        series = [inert_text(name) for name in rows.series]
        if is_long:
            writer.writerows(_elements(series, columns, cells))
        else:
            writer.writerows((*series, *line) for line in zip(*cells, strict=True))
        if text.tell() >= PIECE:
            yield _take(text)
    yield _take(text)


_FORMULA = re.compile(r"[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")
"""First characters of formulas; some spreadsheets also accept full-width ones."""
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf)", re.IGNORECASE | re.ASCII)


def inert_text(text: str) -> str:
    """The text, prefixed with an apostrophe if a spreadsheet would evaluate it as a formula.

    Numbers such as `-0.5` are unchanged.
    """
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _elements(
    series: Sequence[str], columns: Sequence[Column], cells: Sequence[Sequence[Any]]
) -> Iterator[Sequence[Any]]:
    """A line per element of each row's lists, at least one per row."""
    lists = [i for i, column in enumerate(columns) if column.kind is Kind.NUMBERS]
    repeated = sum(map(len, series))
    for row in zip(*cells, strict=True):
        line = [*series, *row]
        listed = [row[i] if row[i] is not None else () for i in lists]
        if repeated * len(listed[0]) > MAX_REPEATED:
            listed = [() for _ in lists]
            for i, column in enumerate(columns):
                if column.name == "problem":
                    line[len(series) + i] = _TOO_LONG
        for elements in zip(*listed, strict=True) if len(listed[0]) else [(None,) * len(lists)]:
            for i, element in zip(lists, elements, strict=True):
                line[len(series) + i] = element
            yield line


def _texts(column: Column, cells: Cells) -> Sequence[Any]:
    if column.kind is Kind.FLAG:
        return [cell if cell is None else str(bool(cell)).lower() for cell in cells]
    if isinstance(cells, np.ndarray):
        plain: list[Any] = cells.tolist()
        return plain
    if column.kind is Kind.NUMBERS:
        return [cell if cell is None else cell.tolist() for cell in cells]
    if column.kind is Kind.JSON:
        return [cell if cell is None else orjson.dumps(json_safe(cell)).decode() for cell in cells]
    if column.kind is Kind.TEXT:
        return [cell if cell is None else inert_text(cell) for cell in cells]
    return cells


def _take(text: io.StringIO) -> bytes:
    taken = text.getvalue().encode("utf-8", "replace")
    text.seek(0)
    text.truncate()
    return taken


FORMAT = OutputFormat(
    name="csv",
    suffix=".csv",
    content_type="text/csv; charset=utf-8",
    is_text=True,
    write=write,
    unsupported={Kind.ARRAY: "CSV cannot store tensors; use json, npz or parquet"},
)
