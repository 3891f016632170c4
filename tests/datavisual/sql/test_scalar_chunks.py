from __future__ import annotations

import math

import numpy as np
import pytest

from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.sql.scalar_chunks import CHUNK_POINTS, chunks_of, points_of
from mindviz.errors import DamagedValue


def points(count: int, value: float | None = None) -> ScalarPoints:
    step = np.arange(count) * 2
    return ScalarPoints(step, step / 4, np.full(count, value) if value is not None else step / 8)


def test_points_are_cut_into_full_chunks() -> None:
    count = 2 * CHUNK_POINTS + 1
    every = points(count)
    chunks = list(chunks_of(7, 100, every))
    assert [(chunk.tag_id, chunk.first_rank, chunk.length) for chunk in chunks] == [
        (7, 100, CHUNK_POINTS),
        (7, 100 + CHUNK_POINTS, CHUNK_POINTS),
        (7, 100 + 2 * CHUNK_POINTS, 1),
    ]
    parts = [points_of(chunk.data, chunk.length) for chunk in chunks]
    for name in ("step", "wall_time", "value"):
        column = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(column, getattr(every, name))


def test_a_chunk_has_the_statistics_of_its_points() -> None:
    value = np.array([math.nan, 3.0, -1.0, 3.0, math.inf, -1.0, math.nan])
    (chunk,) = chunks_of(1, 0, ScalarPoints(np.arange(7) * 10, np.zeros(7), value))
    assert (chunk.length, chunk.first_step, chunk.last_step, chunk.nan_count) == (7, 0, 60, 2)
    assert (chunk.min, chunk.min_step, chunk.max, chunk.max_step) == (-1.0, 20, math.inf, 40)
    assert (chunk.first, chunk.last) == (None, None)


def test_a_chunk_of_nan_has_no_numbers() -> None:
    (chunk,) = chunks_of(1, 0, points(3, math.nan))
    assert (chunk.min, chunk.max, chunk.first, chunk.last, chunk.nan_count) == (*4 * (None,), 3)


def test_a_chunk_of_another_length_is_damaged() -> None:
    (chunk,) = chunks_of(1, 0, points(3))
    with pytest.raises(DamagedValue, match="database"):
        points_of(chunk.data, 2)
