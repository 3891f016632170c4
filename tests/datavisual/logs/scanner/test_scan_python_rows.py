from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.scanner._scan_python_rows import (
    PlaceRows,
    PointRows,
    no_places,
    no_points,
)
from mindviz.datavisual.logs.scanner._scan_python_values import Value


def number(step: int, value: float, *, wide: bool = False) -> Value:
    made = Value()
    made.step = step
    made.wall_time = step / 2
    made.set_number(value, wide=wide)
    return made


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(-5, 5), st.floats(width=32), st.booleans()),
        max_size=40,
    )
)
def test_freezing_sorts_by_series_and_keeps_the_order_within(
    rows: list[tuple[int, int, float, bool]],
) -> None:
    growing = PointRows()
    for series, step, value, wide in rows:
        growing.append(series, number(step, value, wide=wide))
    columns = growing.freeze()
    assert columns.series.tolist() == sorted({series for series, *_ in rows})
    for i, series in enumerate(columns.series.tolist()):
        mine = [row for row in rows if row[0] == series]
        count = slice(None, columns.count[i])
        assert columns.wide[i] == any(wide for *_, wide in mine)
        pool = columns.values64 if columns.wide[i] else columns.values32
        values = pool[columns.value_start[i] :][count]
        np.testing.assert_array_equal(values, [value for *_, value, _ in mine])
        steps = columns.steps[columns.step_start[i] :][count]
        assert steps.tolist() == [step for _, step, *_ in mine]
        wall_times = columns.wall_times[columns.wall_start[i] :][count]
        assert wall_times.tolist() == [step / 2 for _, step, *_ in mine]


def test_places_keep_the_order_of_the_file() -> None:
    rows = PlaceRows()
    for step in (3, 1, 2):
        value = Value()
        value.step = step
        value.set_place(1, 1000 * step + 20, 10 * step)
        rows.append(step, value, 1000 * step, 50)
    index = rows.freeze().expanded
    assert index.series.tolist() == [3, 1, 2]
    assert index.value_offset.tolist() == [3020, 1020, 2020]
    assert index.value_length.tolist() == [30, 10, 20]
    assert (index.record_offset.tolist(), index.record_length[0]) == ([3000, 1000, 2000], 50)


def test_nothing_freezes_to_empty_columns() -> None:
    assert (no_points().points, len(no_places().series)) == (0, 0)
