from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest

from mindviz.backend.row_selection import ReadRows
from mindviz.backend.series_encoding import (
    columns_json,
    folded_json,
    unified_json,
    values_json,
)
from mindviz.datavisual.series_view import Column, Rows


def read_of(columns: dict[str, Column], rows: int = 2, **rest: Any) -> ReadRows:
    step, wall_time = np.arange(rows) + 3, np.arange(0.5, rows)
    return ReadRows(step, wall_time, Rows(columns, **rest), 9, False, 3, ("e", 9))


def test_columns_stand_beside_the_head() -> None:
    read = read_of({"a": [1, None]}, problems={1: "damaged"}, details={"unit": "m"})
    assert orjson.loads(columns_json({"tag": "t"}, read, with_since=True)) == {
        "tag": "t",
        "total": 9,
        "reset": False,
        "truncate_from_step": 3,
        "step": [3, 4],
        "wall_time": [0.5, 1.5],
        "a": [1, None],
        "problems": [{"row": 1, "step": 4, "detail": "damaged"}],
        "details": {"unit": "m"},
    }
    assert "reset" not in orjson.loads(columns_json({}, read, with_since=False))


def test_type_and_size_are_those_of_the_newest_step_that_is_not_damaged() -> None:
    columns: dict[str, Column] = {
        "data": [[1], [2, 3], None],
        "type": ["L", "RGB", None],
        "size": [[1], [2], None],
    }
    answer = orjson.loads(values_json({}, "image", read_of(columns, 3), with_since=False))
    assert (answer["type"], answer["size"]) == ("RGB", [2])
    assert (answer["types"], answer["sizes"]) == (["L", "RGB", None], [[1], [2], None])


@pytest.mark.parametrize(
    ("data", "size"),
    [
        ([0.5, 1.0], []),
        (["a", "b"], []),
        ([[1, 2], [3, 4, 5]], [3]),
        ([np.ones((2, 3))] * 2, [2, 3]),
    ],
)
def test_without_a_size_it_is_that_of_the_data(data: Column, size: list[int]) -> None:
    answer = orjson.loads(values_json({}, "x", read_of({"data": data}), with_since=False))
    assert (answer["type"], answer["size"]) == ("x", size)


def test_the_unified_form_leaves_damaged_steps_out() -> None:
    read = read_of({"data": [None, 2.5]}, problems={0: "damaged"})
    assert orjson.loads(unified_json("t", "x", read)) == [
        [{"step_id": 4, "unix_time": 1.5, "data": 2.5}],
        [{"type": "x", "size": [], "tag": "t"}],
    ]


def test_blob_keys_stand_for_data() -> None:
    read = read_of({"blob_keys": [["k1", "k2"], ["k3"]], "size": [[4, 2], [4, 2]]})
    items, meta = orjson.loads(unified_json("t", "image", read))
    assert [item["data"] for item in items] == [["k1", "k2"], ["k3"]]
    assert meta == [{"type": "image", "size": [4, 2], "tag": "t"}]


def test_a_scalar_that_is_not_finite_is_null_in_every_form() -> None:
    read = read_of({"data": np.array([np.nan, 1.0])})
    assert orjson.loads(folded_json("scalar", read)) == [[0.5, None], [1.5, 1.0]]
    answer = orjson.loads(values_json({}, "scalar", read, with_since=False))
    assert (answer["data"], answer["non_finite"]) == ([None, 1.0], [[0, "NaN"]])


def test_a_series_of_no_steps_has_no_size() -> None:
    read = read_of({"data": []}, 0)
    assert orjson.loads(unified_json("t", "x", read)) == [
        [],
        [{"type": "x", "size": [], "tag": "t"}],
    ]
    assert orjson.loads(folded_json("x", read)) == {"values": []}
