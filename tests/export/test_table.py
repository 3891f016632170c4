from __future__ import annotations

import numpy as np

from mindviz.export.table import Rows


def test_rows_are_as_many_as_their_columns_are_long() -> None:
    assert len(Rows(("a",), (np.arange(3), np.zeros(3)))) == 3
