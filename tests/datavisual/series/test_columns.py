from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.columns import (
    STATS_DTYPES,
    Batch,
    RecordColumns,
    ValueColumns,
    merged,
    shared_steps,
    stats_row,
)
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import batches

VALUES = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["float", "double", "image"]),
        st.integers(0, 9),
    ),
    max_size=20,
)


def log(values: list[tuple[str, str, int]]) -> bytes:
    records = []
    for number, (tag, kind, step) in enumerate(values):
        if kind == "float":
            value = tensorboard.scalar(tag, number / 4)
        elif kind == "double":
            value = tensorboard.scalar_tensor(tag, np.float64(number / 3))
        else:
            value = tensorboard.image_v1(tag, bytes(number), 1, 1)
        records.append(tensorboard.event(float(number), step, [value]))
    return frames(records, Framing.TFRECORD)


def points(parts: list[Batch]) -> dict[int, list[tuple[int, float, float]]]:
    """Series id -> its points in file order."""
    by_series: dict[int, list[tuple[int, float, float]]] = {}
    for batch in parts:
        for row, series in enumerate(batch.scalars.series.tolist()):
            columns = [column.tolist() for column in batch.scalars.points_of(row)]
            by_series.setdefault(series, []).extend(zip(*columns, strict=True))
    return by_series


def places(parts: list[Batch]) -> list[tuple[int, int, int]]:
    return [
        place
        for batch in parts
        for place in zip(
            batch.values.series.tolist(),
            batch.values.expanded.step.tolist(),
            batch.values.expanded.value_offset.tolist(),
            strict=True,
        )
    ]


@given(VALUES, VALUES)
def test_merged_batches_have_the_same_points_in_the_same_order(
    earlier: list[tuple[str, str, int]], later: list[tuple[str, str, int]]
) -> None:
    parts = batches(log(earlier), log(later))
    if len(parts) == 2:
        whole = merged(*parts)
        assert points([whole]) == points(parts)
        assert places([whole]) == places(parts)
        assert whole.scalars.series.tolist() == sorted(set(whole.scalars.series.tolist()))
        assert whole.scalars.points == sum(part.scalars.points for part in parts)


def test_a_merge_keeps_float32_values_narrow() -> None:
    whole = merged(*batches(log([("a", "float", 1)]), log([("a", "float", 2)])))
    assert (len(whole.scalars.values32), len(whole.scalars.values64)) == (2, 0)


@given(st.lists(st.integers(0, 5), max_size=40), st.sampled_from([1, 200]))
def test_small_and_large_batches_return_the_same_values(series: list[int], repeats: int) -> None:
    ids = np.array(series * repeats, np.int32)
    zeros = np.zeros(len(ids), np.int32)
    zero = np.zeros(1, np.int64)
    records = RecordColumns(zero, np.zeros(1), zero, zero)
    columns = ValueColumns(ids, zeros, zeros.astype(np.uint32), zeros.astype(np.uint32), records)
    for series_id in range(6):
        assert columns.rows_of(series_id).tolist() == np.flatnonzero(ids == series_id).tolist()


@given(st.lists(st.lists(st.integers(-9, 9)).map(sorted), min_size=1, max_size=5))
def test_every_step_occurs_once_in_order(lists: list[list[int]]) -> None:
    expected = sorted({step for steps in lists for step in steps})
    assert shared_steps([np.array(steps, np.int64) for steps in lists]).tolist() == expected
    assert shared_steps([np.array(steps, np.float64) for steps in lists]).tolist() == expected


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("value", "wall_time", "expected"),
    [
        ([3.0, NAN, -INF], [7.0, 5.0, 6.0], (3.0, -INF, -INF, 3.0, 4, 2, 2, 4, 1, 5.0, 7.0)),
        ([NAN, NAN, NAN], [INF, NAN, 1.0], (NAN, NAN, NAN, NAN, 4, 2, 4, 4, 3, 1.0, 1.0)),
        ([1.0, 1.0, 2.0], [NAN, NAN, NAN], (1.0, 2.0, 1.0, 2.0, 4, 2, 4, 2, 0, NAN, NAN)),
    ],
    ids=["infinity", "only NaN", "ties and no finite time"],
)
def test_statistics_of_a_series(
    value: list[float], wall_time: list[float], expected: tuple[float, ...]
) -> None:
    row = stats_row(np.array([4, 9, 2]), np.array(wall_time), np.array(value))
    np.testing.assert_equal(np.array(row, float), [*expected, False])
    assert len(row) == len(STATS_DTYPES)
