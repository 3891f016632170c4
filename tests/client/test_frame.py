"""Tables with and without pandas."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from mindviz.client.frame import Columns, Labels, arrays, frame, objects

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
