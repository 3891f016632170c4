from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.bucket_grid import (
    EMPTY,
    BucketGrid,
    GridCounts,
    common_grid,
    counts_of_buckets,
    counts_of_values,
)
from mindviz.datavisual.series.time_series import Histogram

NUMBERS = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20)


def assert_counted(counts: GridCounts, values: list[float], grid: BucketGrid) -> None:
    """Every value is in the bucket whose edges enclose it."""
    edges, found = grid.edges, counts.on(grid)
    # The last bucket may end at the largest float, and includes it.
    expected = np.minimum(np.searchsorted(edges, values, side="right") - 1, grid.count - 1)
    assert found.tolist() == np.bincount(expected, minlength=grid.count).tolist()


@given(values=NUMBERS)
def test_every_number_is_counted_between_its_edges(values: list[float]) -> None:
    counts = counts_of_values(np.array(values))
    assert counts.grid.count <= 66
    assert_counted(counts, values, counts.grid)


@given(parts=st.lists(NUMBERS, min_size=1, max_size=4))
def test_counts_stay_exact_on_the_grid_that_is_common_to_all(parts: list[list[float]]) -> None:
    counted = [counts_of_values(np.array(part)) for part in parts]
    grid = common_grid(counts.grid for counts in counted)
    assert grid.count <= 80
    for counts, part in zip(counted, parts, strict=True):
        assert_counted(counts, part, grid)


@given(parts=st.lists(NUMBERS, min_size=1, max_size=4))
def test_a_grid_keeps_its_edges_and_has_a_token(parts: list[list[float]]) -> None:
    counted = [counts_of_values(np.array(part)) for part in parts]
    grid = common_grid(counts.grid for counts in counted)
    assert BucketGrid.of(grid.token) == grid
    assert common_grid([grid, *(counts.grid for counts in counted)]) == grid


@pytest.mark.parametrize("token", ["", "x", "1,2", "1,2,3,4", "9999,0,4", "0,0,-1", "0,0,99999"])
def test_an_invalid_token_is_an_empty_grid(token: str) -> None:
    assert BucketGrid.of(token) == EMPTY


def test_data_that_grows_a_little_keeps_its_grid_for_most_steps() -> None:
    grid, changes = EMPTY, 0
    for step in range(1, 1000):
        wider = common_grid([grid, counts_of_values(np.array([0.0, step])).grid])
        changes += wider != grid
        grid = wider
    assert changes < 80


def test_non_finite_values_are_counted_separately() -> None:
    counts = counts_of_values(np.array([np.nan, np.inf, np.inf, -np.inf, 1.0]))
    assert counts.count.tolist() == [1.0]
    assert (counts.nan_count, counts.positive_infinity_count) == (1, 2)
    assert counts.negative_infinity_count == 1
    assert counts_of_values(np.array([np.nan])).grid == EMPTY


def test_logged_buckets_are_shared_out_and_lose_nothing() -> None:
    logged = Histogram(np.array([[0.0, 1.0, 8.0], [1.0, 1.0, 2.0], [1.0, 5.0, 4.0]]), nan_count=3)
    counts = counts_of_buckets(logged)
    assert counts.count.sum() == pytest.approx(14)
    assert counts.nan_count == 3
    edges = counts.grid.edges
    assert counts.count[edges[:-1] < 1].sum() == pytest.approx(8)
    assert np.allclose(counts.buckets[:, 1], edges[1:])


def test_empty_buckets_do_not_affect_the_grid() -> None:
    logged = Histogram(np.array([[-1e300, 0.0, 0.0], [0.0, 1.0, 8.0], [1.0, np.inf, 0.0]]))
    assert counts_of_buckets(logged).grid.edges[-1] < 2
    assert counts_of_buckets(Histogram(np.empty((0, 3)))).grid == EMPTY
