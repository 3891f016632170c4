"""Rows: columns combined into JSON objects, natively and in Python."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend import rows
from mindviz.backend.rows import rows_json, weave

_rows: Any = vars(rows)["_rows"]
native = pytest.mark.skipif(_rows is None, reason="_rows is not compiled here")

elements = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
tables = st.integers(0, 12).flatmap(
    lambda height: st.dictionaries(
        st.text("abcdefgh_", min_size=1, max_size=9),
        st.lists(elements, min_size=height, max_size=height),
        min_size=1,
        max_size=5,
    )
)


@given(tables)
def test_rows_equal_json_of_dicts(table: dict[str, list[Any]]) -> None:
    dicts = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    columns = {name: orjson.dumps(column) for name, column in table.items()}
    assert rows_json(columns) == orjson.dumps(dicts)
    assert json.loads(weave([name.encode() for name in table], list(columns.values()))) == dicts


@native
@given(tables)
def test_the_native_implementation_is_equal(table: dict[str, list[Any]]) -> None:
    names = [name.encode() for name in table]
    columns = [orjson.dumps(column) for column in table.values()]
    assert _rows.weave(names, columns) == weave(names, columns)


@pytest.mark.parametrize("function", [weave, pytest.param("native", marks=native)])
def test_columns_of_different_lengths_are_an_error(function: Any) -> None:
    function = _rows.weave if function == "native" else function
    with pytest.raises(ValueError):
        function([b"a", b"b"], [b"[1,2]", b"[1]"])
    with pytest.raises(ValueError):
        function([b"a", b"b"], [b"[]", b"[1]"])


@native
@pytest.mark.parametrize("text", [b"", b"[", b"[1", b"1,2", b"[1,2"])
def test_invalid_arrays_are_an_error(text: bytes) -> None:
    with pytest.raises(ValueError):
        _rows.weave([b"a"], [text])


@native
def test_too_many_columns_are_an_error() -> None:
    with pytest.raises(ValueError):
        _rows.weave([b"a"] * 17, [b"[1]"] * 17)
    with pytest.raises(ValueError):
        _rows.weave([], [])


def test_numpy_columns_keep_all_digits() -> None:
    values = np.array([0.1, 1e300, -0.0, 1.7e9 + 0.123456], dtype=np.float64)
    text = orjson.dumps(values, option=orjson.OPT_SERIALIZE_NUMPY)
    found = [row["value"] for row in json.loads(rows_json({"value": text}))]
    assert found == values.tolist()
