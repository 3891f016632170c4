"""Numbers as JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.encoding import (
    non_finite,
    object_json,
    objects_json,
    problems_by_step,
    rows_of_view,
    to_json,
)
from mindviz.datavisual.plugins import SeriesView


@given(st.lists(st.floats()))
def test_null_and_its_name_represent_a_non_finite_value(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    served = json.loads(to_json(array))
    for index, name in non_finite(array):
        assert served[index] is None
        served[index] = float(name)
    assert repr(served) == repr(values)


def test_arrays_of_all_kinds_are_encoded() -> None:
    answer = {
        "strided": np.arange(6)[::2],
        "half": np.array([0.5, math.nan], dtype=np.float16),
        "flags": np.array([True, False]),
        "number": np.int64(3),
        "text": b"caf\xc3\xa9 \xff",
        "nested": [np.array([[1.0, 2.0]])],
    }
    assert json.loads(to_json(answer)) == {
        "strided": [0, 2, 4],
        "half": [0.5, None],
        "flags": [True, False],
        "number": 3,
        "text": "café \N{REPLACEMENT CHARACTER}",
        "nested": [[[1.0, 2.0]]],
    }
    with pytest.raises(TypeError):
        to_json({"set": {1}})


def test_encoded_points_are_inserted_into_an_object() -> None:
    assert object_json({}, "rows", b"[1]") == b'{"rows":[1]}'
    assert object_json({"a": 1}, "rows", b"[]") == b'{"a":1,"rows":[]}'
    assert objects_json({}, "all", []) == b'{"all":[]}'
    items = [({"a": 1}, b"[1]"), ({}, b"{}")]
    assert (
        objects_json({"b": 2}, "all", items)
        == b'{"b":2,"all":[{"a":1,"values":[1]},{"values":{}}]}'
    )


def test_rows_of_a_view_omit_damaged_steps() -> None:
    view = SeriesView(
        step=np.array([1, 2]),
        wall_time=np.array([0.5, 1.5]),
        columns={"width": [3, None]},
        epoch="e",
        problems={1: "It is damaged."},
    )
    assert rows_of_view(view, ["width"]) == [{"wall_time": 0.5, "step": 1, "width": 3}]
    assert problems_by_step(view.step, view.problems) == [
        {"row": 1, "step": 2, "detail": "It is damaged."}
    ]
