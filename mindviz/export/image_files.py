"""Writes the images of an export as separate files, for formats without binary columns."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from mindviz.export.table import Column, Kind, Rows, Table

COLUMN = "file"
"""The column with the path of each file, relative to the parent of its folder."""


def with_files(table: Table, folder: Path) -> Table:
    """The table with file names instead of bytes; iterating its rows writes the files.

    `<folder>/<number of the series>/<step>_<sample>.<suffix>`: tags may be invalid as file names.
    The folder must exist. Iterating raises OSError.
    """
    names = [column.name for column in table.columns]
    step, sample, kind = (names.index(name) for name in ("step", "sample", "mimetype"))
    place = next(i for i, column in enumerate(table.columns) if column.kind is Kind.BYTES)

    def written(rows: Rows, series: int) -> list[str | None]:
        files: list[str | None] = []
        for row, content in enumerate(rows.columns[place]):
            if content is None:
                files.append(None)
                continue
            suffix = mimetypes.guess_extension(rows.columns[kind][row]) or ".bin"
            name = f"{rows.columns[step][row]}_{rows.columns[sample][row]}{suffix}"
            path = folder / str(series) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            files.append(path.relative_to(folder.parent).as_posix())
        return files

    def with_names() -> Iterator[Rows]:
        numbers: dict[tuple[str, ...], int] = {}
        for rows in table.rows:
            cells = list(rows.columns)
            cells[place] = written(rows, numbers.setdefault(rows.series, len(numbers)))
            yield Rows(rows.series, tuple(cells))

    columns = list(table.columns)
    columns[place] = Column(COLUMN, Kind.TEXT)
    return replace(table, columns=tuple(columns), rows=with_names())
