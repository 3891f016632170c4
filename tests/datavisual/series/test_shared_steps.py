from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.shared_steps import shared_steps

columns = st.lists(st.lists(st.integers(-9, 9)).map(sorted), min_size=1, max_size=5)


@given(columns)
def test_every_step_occurs_once_in_order(lists: list[list[int]]) -> None:
    expected = sorted({step for steps in lists for step in steps})
    assert shared_steps([np.array(one, np.int64) for one in lists]).tolist() == expected
    assert shared_steps([np.array(one, np.float64) for one in lists]).tolist() == expected
