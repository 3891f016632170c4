"""Tables with and without pandas."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mindviz.client.frame import Columns, Labels, arrays, frame, lineage_arrays, objects
from mindviz.export.lineage_columns import LineageColumn
from mindviz.export.table import Kind

COLUMNS: Columns = {
    "tag": Labels(("a", "b"), np.array([1, 0, 1], np.int32)),
    "step": np.array([3, 4, 5]),
    "value": objects([np.zeros(2), np.ones(2), b"x"]),
}


def test_labels_are_categories_of_a_data_frame() -> None:
    table = frame(COLUMNS)
    assert isinstance(table["tag"].dtype, pd.CategoricalDtype)
    assert table["tag"].tolist() == ["b", "a", "b"]
    assert table["step"].tolist() == [3, 4, 5]
    assert table["value"].iloc[1].tolist() == [1.0, 1.0]


def test_without_pandas_a_table_is_a_dict_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = frame(COLUMNS)
    assert isinstance(table, dict)
    assert list(table) == ["tag", "step", "value"]
    assert table["tag"].tolist() == ["b", "a", "b"]


def test_a_table_may_be_empty() -> None:
    empty: Columns = {"tag": Labels((), np.empty(0, np.int32)), "step": np.empty(0, np.int64)}
    assert len(frame(empty)) == 0
    assert arrays(empty)["tag"].tolist() == []


def test_arrays_of_one_shape_stay_cells() -> None:
    column = objects([np.zeros(2), np.zeros(2)])
    assert column.shape == (2,)
    assert column[1].shape == (2,)


@pytest.mark.parametrize(
    ("kind", "cells", "dtype"),
    [
        (Kind.INTEGER, [1, 1 << 60], "int64"),
        (Kind.INTEGER, [1, None], "float64"),
        (Kind.NUMBER, [0.5, math.inf, None], "float64"),
        (Kind.FLAG, [True, False], "bool"),
        (Kind.FLAG, [True, None], "object"),
        (Kind.TEXT, ["a", None], "object"),
        (Kind.JSON, [{"a": [1]}, None, [1, 2]], "object"),
        (Kind.NUMBER, [], "float64"),
    ],
)
def test_a_column_has_the_common_type_of_its_cells(
    kind: Kind, cells: list[Any], dtype: str
) -> None:
    column = lineage_arrays({"x": LineageColumn(kind, cells)})["x"]
    assert (column.dtype.name, column.shape) == (dtype, (len(cells),))
    for cell, found in zip(cells, column.tolist(), strict=True):
        missing = cell is None and dtype == "float64"
        assert np.isnan(found) if missing else found == cell
