from __future__ import annotations

import math

import numpy as np
import pytest

from mindviz.export.output_formats import csv_file
from mindviz.export.output_formats.csv_file import FORMAT, inert_text
from mindviz.export.table import Column, Kind
from tests.exported_files import column, csv_rows, table, written

A = ("./a", "t", "")


def test_a_line_per_row_begins_with_its_series() -> None:
    columns = [Column("step", Kind.INTEGER), Column("value", Kind.NUMBER)]
    cells = [np.array([1, 2]), np.array([0.5, -1.0])]
    assert written(FORMAT, table(columns, (A, cells))) == (
        b"train_id,tag,writer,step,value\r\n./a,t,,1,0.5\r\n./a,t,,2,-1.0\r\n"
    )


def test_a_table_without_rows_has_a_header() -> None:
    assert written(FORMAT, table([Column("step", Kind.INTEGER)])) == (
        b"train_id,tag,writer,step\r\n"
    )


def test_numbers_are_exact_and_missing_cells_are_empty() -> None:
    columns = [Column("big", Kind.INTEGER), Column("value", Kind.NUMBER), Column("f", Kind.FLAG)]
    cells = [[2**63 - 1, None], [0.1 + 0.2, float("nan")], [True, None]]
    rows = csv_rows(written(FORMAT, table(columns, (A, cells))))
    assert column(rows, "big") == ["9223372036854775807", ""]
    assert column(rows, "value") == ["0.30000000000000004", "nan"]
    assert column(rows, "f") == ["true", ""]


def test_text_may_contain_separators_and_line_breaks() -> None:
    tag = 'a,"b"\r\nc\N{SNOWMAN}'
    rows = csv_rows(written(FORMAT, table([Column("x", Kind.TEXT)], (("./a", tag, ""), [[tag]]))))
    assert (rows[0]["tag"], rows[0]["x"]) == (tag, tag)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "--1",
        "=",
        "-",
        "\N{FULLWIDTH EQUALS SIGN}1",
        "-nan",
    ],
)
def test_text_that_a_spreadsheet_would_run_is_inert(text: str) -> None:
    columns = [Column("x", Kind.TEXT), Column(text, Kind.TEXT)]
    rows = csv_rows(written(FORMAT, table(columns, ((text, text, text), [[text], [None]]))))
    safe = f"'{text}"
    assert rows == [{"train_id": safe, "tag": safe, "writer": safe, "x": safe, safe: ""}]


@pytest.mark.parametrize(
    "text", ["-0.5", "+1", "-1e-3", "-.5", "-1.", "-inf", "a=1", "'=1", "", "./a", '"=1']
)
def test_other_text_and_numbers_stay_as_they_are(text: str) -> None:
    assert inert_text(text) == text


def test_numbers_are_not_text() -> None:
    columns = [Column("value", Kind.NUMBER), Column("n", Kind.INTEGER), Column("x", Kind.JSON)]
    cells = [[-0.5, -math.inf], [-1, None], [-0.5, ["=1"]]]
    assert csv_rows(written(FORMAT, table(columns, (A, cells)))) == [
        {"train_id": "./a", "tag": "t", "writer": "", "value": "-0.5", "n": "-1", "x": "-0.5"},
        {"train_id": "./a", "tag": "t", "writer": "", "value": "-inf", "n": "", "x": '["=1"]'},
    ]


def test_a_row_of_lists_is_a_line_per_element() -> None:
    columns = [
        Column("step", Kind.INTEGER),
        Column("left", Kind.NUMBERS),
        Column("count", Kind.NUMBERS),
        Column("problem", Kind.TEXT),
    ]
    cells = [
        [1, 2, 3],
        [np.array([0.0, 1.0]), np.empty(0), None],
        [np.array([5.0, 6.0]), np.empty(0), None],
        [None, None, "It is damaged."],
    ]
    rows = csv_rows(written(FORMAT, table(columns, (A, cells))))
    assert column(rows, "step") == ["1", "1", "2", "3"]
    assert column(rows, "left") == ["0.0", "1.0", "", ""]
    assert column(rows, "count") == ["5.0", "6.0", "", ""]
    assert column(rows, "problem") == ["", "", "", "It is damaged."]


def test_bytes_are_left_out() -> None:
    columns = [Column("size", Kind.INTEGER), Column("encoded", Kind.BYTES)]
    rows = csv_rows(written(FORMAT, table(columns, (A, [[3], [b"abc"]]))))
    assert "encoded" not in rows[0]
    assert rows[0]["size"] == "3"


def test_nested_values_are_json() -> None:
    cells = [[{"a": [1, float("inf")]}, None]]
    rows = csv_rows(written(FORMAT, table([Column("x", Kind.JSON)], (A, cells))))
    assert column(rows, "x") == ['{"a":[1,"Infinity"]}', ""]


def test_a_long_name_is_not_repeated_for_every_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "MAX_REPEATED", 1_000)
    columns = [Column("left", Kind.NUMBERS), Column("problem", Kind.TEXT)]
    cells = [[np.zeros(3), np.zeros(20)], [None, None]]
    rows = csv_rows(written(FORMAT, table(columns, (("./a", "t" * 100, ""), cells))))
    assert [(row["left"], bool(row["problem"])) for row in rows] == [("0.0", False)] * 3 + [
        ("", True)
    ]


def test_many_small_series_are_written_together() -> None:
    series = [((f"./{i}", "t", ""), [np.array([i])]) for i in range(100)]
    pieces = list(FORMAT.write(table([Column("step", Kind.INTEGER)], *series)))
    assert len(pieces) == 1
    assert pieces[0].splitlines()[1:] == [b"./%d,t,,%d" % (i, i) for i in range(100)]
