from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mindviz.client.lineage_cells import lineage_arrays
from mindviz.export.lineage_columns import LineageColumn
from mindviz.export.table import Kind


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
