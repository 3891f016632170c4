"""Images of an export as files of their own, for formats that have no place for them."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from mindviz.export.table import Column, Kind, Rows, Table

COLUMN = "file"
"""Names the file of a row, from the directory that its folder is in."""


def with_files(table: Table, folder: Path) -> Table:
    """The table with the bytes of its rows written as files into a folder, which is there.

    `<folder>/<number of the series>/<step>_<sample>.<suffix>`: tags may be too long or too odd for
    names. Raises OSError while rows are taken.
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
