from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mindviz.export.output_formats import json_file
from mindviz.export.output_formats.json_file import FORMAT
from mindviz.export.table import Column, Kind
from tests.exported_files import json_rows, table, written

A, B = ("./a", "t", ""), ("./b", "t", "w")
STEP = Column("step", Kind.INTEGER)


def test_rows_are_grouped_by_series_in_any_number_of_pieces() -> None:
    columns = [STEP, Column("value", Kind.NUMBER)]
    one, two, three = ([np.array([i]), np.array([i / 2])] for i in range(3))
    content = json.loads(written(FORMAT, table(columns, (A, one), (A, two), (B, three))))
    assert content == {
        "what": "scalars",
        "series": [
            {
                "train_id": "./a",
                "tag": "t",
                "writer": "",
                "rows": [{"step": 0, "value": 0.0}, {"step": 1, "value": 0.5}],
            },
            {
                "train_id": "./b",
                "tag": "t",
                "writer": "w",
                "rows": [{"step": 2, "value": 1.0}],
            },
        ],
    }


@pytest.mark.parametrize("series_columns", [("train_id", "tag", "writer"), ()])
def test_a_table_without_rows_is_an_object_too(series_columns: tuple[str, ...]) -> None:
    content = json.loads(written(FORMAT, table([STEP], series_columns=series_columns)))
    assert content == {"what": "scalars", "series" if series_columns else "rows": []}


def test_a_table_without_series_has_rows_at_the_top_level() -> None:
    columns = [Column("train_id", Kind.TEXT), Column("x", Kind.JSON)]
    cells = [["./a", "./b"], [{"n": float("nan")}, None]]
    content = table(columns, ((), cells), series_columns=())
    assert json.loads(written(FORMAT, content))["rows"] == [
        {"train_id": "./a", "x": {"n": "NaN"}},
        {"train_id": "./b", "x": None},
    ]


def test_non_finite_numbers_are_text() -> None:
    infinity = float("inf")
    columns = [Column("value", Kind.NUMBER)]
    rows = json_rows(written(FORMAT, table(columns, (A, [np.array([1.0, np.nan, -infinity])]))))
    assert rows == [
        {"train_id": "./a", "tag": "t", "writer": "", "value": value}
        for value in (1.0, "NaN", "-Infinity")
    ]


@pytest.mark.parametrize(
    ("array", "elements"),
    [
        (np.arange(6, dtype=np.int8).reshape(2, 3), [0, 1, 2, 3, 4, 5]),
        (np.array([2**64 - 1], np.uint64), [2**64 - 1]),
        (np.array([0.1], np.float32), [0.1]),
        (np.array([1, np.inf], np.float16), [1, "Infinity"]),
        (np.array([1], ">f8"), [1]),
        (np.array([True, False]), [True, False]),
        (np.array([1 + 2j], np.complex64), ["(1+2j)"]),
        (np.array(["oak", "fir"]), ["oak", "fir"]),
        (np.array(3.5), [3.5]),
        (np.empty((0, 3)), []),
        (np.broadcast_to(np.float32(2), (2, 2)), [2, 2, 2, 2]),
    ],
    ids=[
        *("int8", "uint64", "float32", "float16", "big-endian", "bool", "complex", "text"),
        *("zero-dimensional", "empty", "broadcast"),
    ],
)
def test_an_array_is_its_elements(array: Any, elements: list[Any]) -> None:
    cells = [[1], [array]]
    file = written(FORMAT, table([STEP, Column("data", Kind.ARRAY)], (A, cells)))
    assert json_rows(file)[0]["data"] == elements


def test_a_large_array_is_written_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "ELEMENTS", 3)
    file = written(FORMAT, table([Column("data", Kind.ARRAY)], (A, [[np.arange(10)]])))
    assert json_rows(file)[0]["data"] == list(range(10))


def test_bytes_are_base64_and_missing_cells_are_null() -> None:
    cells = [[b"\x00\xff", None]]
    rows = json_rows(written(FORMAT, table([Column("encoded", Kind.BYTES)], (A, cells))))
    assert [row["encoded"] for row in rows] == ["AP8=", None]
