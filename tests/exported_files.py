"""Exports of made-up and real logs, read with other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.store import Store
from mindviz.export.exports import export_query, open_export
from mindviz.export.output_formats import OutputFormat
from mindviz.export.table import Column, Rows, Table
from mindviz.lineagemgr.lineage_table import Lineages

Row = dict[str, Any]


def exported(store: Store, what: str, output_format: str, **options: Any) -> bytes:
    """The whole file."""
    noted = options.pop("annotations", {})
    query = export_query(what, output_format, **options)
    return b"".join(open_export(store, Lineages(store), query, noted).pieces())


def table(
    columns: Sequence[Column],
    *series: tuple[tuple[str, ...], Sequence[Any]],
    series_columns: tuple[str, ...] = ("train_id", "tag", "writer"),
) -> Table:
    """A table in pieces: series and their columns."""
    rows = [Rows(name, tuple(cells)) for name, cells in series]
    return Table("scalars", series_columns, tuple(columns), iter(rows))


def written(output_format: OutputFormat, content: Table) -> bytes:
    """The whole file."""
    return b"".join(output_format.write(content))


def csv_rows(file: bytes) -> list[dict[str, str]]:
    """Read with Python's csv module."""
    return list(csv.DictReader(io.StringIO(file.decode(), newline="")))


def json_rows(file: bytes) -> list[Row]:
    """All rows with the keys of their series; the text must be strict JSON."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    content = json.loads(file, parse_constant=refuse)
    if "series" not in content:
        rows: list[Row] = content["rows"]
        return rows
    return [
        {name: one[name] for name in one if name != "rows"} | row
        for one in content["series"]
        for row in one["rows"]
    ]


def npz_arrays(file: bytes) -> dict[str, NDArray[Any]]:
    """Read with numpy, without pickles."""
    with np.load(io.BytesIO(file), allow_pickle=False) as archive:
        return dict(archive)


def npz_texts(arrays: Mapping[str, NDArray[Any]], name: str, series: str = "") -> list[str]:
    """Texts of a column, of a series or of the keys of series."""
    content = arrays[f"{name}{series}"].tobytes()
    ends = arrays[f"{name}_offsets{series}"].tolist()
    return [content[start:end].decode() for start, end in pairwise(ends)]


def parquet_rows(file: bytes) -> list[Row]:
    """Read with pyarrow."""
    import pyarrow.parquet

    rows: list[Row] = pyarrow.parquet.read_table(io.BytesIO(file)).to_pylist()
    return rows


def numbers(texts: Iterable[Any]) -> list[float]:
    """Numbers that may be text."""
    return [float(text) for text in texts]


def column(rows: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """One cell of each row."""
    return [row[name] for row in rows]
