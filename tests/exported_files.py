"""Exports of made-up and real logs, and how other programs read them."""

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
    """A table made of pieces: which series, and its columns."""
    rows = [Rows(name, tuple(cells)) for name, cells in series]
    return Table("scalars", series_columns, tuple(columns), iter(rows))


def written(output_format: OutputFormat, content: Table) -> bytes:
    """The whole file."""
    return b"".join(output_format.write(content))


def csv_rows(file: bytes) -> list[dict[str, str]]:
    """As Python reads them."""
    return list(csv.DictReader(io.StringIO(file.decode(), newline="")))


def json_rows(file: bytes) -> list[Row]:
    """All rows, with what tells their series apart; the text must be JSON by the book."""

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
    """As numpy reads them, without pickles."""
    with np.load(io.BytesIO(file), allow_pickle=False) as archive:
        return dict(archive)


def npz_texts(arrays: Mapping[str, NDArray[Any]], name: str, series: str = "") -> list[str]:
    """The texts of a column, of a series or of what tells series apart."""
    content = arrays[f"{name}{series}"].tobytes()
    ends = arrays[f"{name}_offsets{series}"].tolist()
    return [content[start:end].decode() for start, end in pairwise(ends)]


def parquet_rows(file: bytes) -> list[Row]:
    """As pyarrow reads them."""
    import pyarrow.parquet

    rows: list[Row] = pyarrow.parquet.read_table(io.BytesIO(file)).to_pylist()
    return rows


def numbers(texts: Iterable[Any]) -> list[float]:
    """Numbers that are perhaps text."""
    return [float(text) for text in texts]


def column(rows: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """One cell of each row."""
    return [row[name] for row in rows]
