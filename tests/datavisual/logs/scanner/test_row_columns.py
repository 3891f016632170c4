from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.scanner.row_columns import scalar_columns, value_columns


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.integers(-5, 5),
            st.integers(0, 2).map(float),
            st.floats(width=32),
            st.booleans(),
        ),
        max_size=40,
    )
)
def test_points_are_sorted_by_series_and_keep_their_order_within_each(
    rows: list[tuple[int, int, float, float, bool]],
) -> None:
    columns = scalar_columns(rows)
    assert columns.series.tolist() == sorted({series for series, *_ in rows})
    for i, series in enumerate(columns.series.tolist()):
        steps, wall_times, values = columns.points_of(i)
        expected = [row[1:4] for row in rows if row[0] == series]
        assert columns.wide[i] == any(row[4] for row in rows)
        assert steps.tolist() == [step for step, _, _ in expected]
        assert wall_times.tolist() == [wall_time for _, wall_time, _ in expected]
        np.testing.assert_array_equal(values, [value for _, _, value in expected])


def test_values_keep_the_order_of_the_file() -> None:
    records = [(step, 0.5, 1000 * step, 50) for step in (3, 1, 2)]
    index = value_columns([(i, i, 20, 10 + i) for i in range(3)], records).expanded
    assert index.series.tolist() == [0, 1, 2]
    assert index.step.tolist() == [3, 1, 2]
    assert index.value_offset.tolist() == [3020, 1020, 2020]
    assert index.value_length.tolist() == [10, 11, 12]
    assert (index.record_offset.tolist(), index.record_length[0]) == ([3000, 1000, 2000], 50)


def test_a_length_beyond_four_bytes_widens_both_columns() -> None:
    columns = value_columns([(0, 0, 20, 1 << 32)], [(1, 0.5, 0, 1 << 33)])
    assert [one.dtype.name for one in (columns.place, columns.length)] == ["int64"] * 2


def test_without_rows_the_columns_are_empty() -> None:
    assert (scalar_columns([]).points, len(value_columns([], []))) == (0, 0)
