from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mindviz.datavisual.analysis import nearest_points as module
from mindviz.datavisual.analysis.nearest_points import DISTANCES, nearest_points

COORDINATES = st.one_of(
    st.integers(-3, 3).map(float), st.sampled_from([np.nan, np.inf, -np.inf, 3.4e38])
)


def _one_by_one(vectors: np.ndarray, point: int, distance: str) -> list[tuple[float, int]]:
    """Distance and number of each other point, by definition."""
    exact = vectors.astype(np.float64)
    found = []
    with np.errstate(all="ignore"):
        for other, vector in enumerate(exact):
            if distance == "euclidean":
                apart = np.sqrt(np.sum((vector - exact[point]) ** 2))
            else:
                cosine = np.sum(vector * exact[point])
                apart = 1 - cosine / np.sqrt(np.sum(vector**2) * np.sum(exact[point] ** 2))
            if other != point and np.isfinite(apart):
                found.append((float(apart), other))
    return sorted(found)


@settings(max_examples=60, deadline=None)
@given(
    vectors=arrays.arrays(
        np.float32, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=COORDINATES
    ),
    most=st.integers(1, 13),
    block=st.integers(1, 20),
    distance=st.sampled_from(DISTANCES),
)
def test_neighbors_equal_those_of_an_exhaustive_search(
    vectors: np.ndarray, most: int, block: int, distance: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found = nearest_points(vectors, 0, distance, most)
    expected = _one_by_one(vectors, 0, distance)
    np.testing.assert_allclose(
        found.distance, [apart for apart, _ in expected[:most]], rtol=1e-12, atol=1e-12
    )
    known = {other: apart for apart, other in expected}
    np.testing.assert_allclose(
        found.distance, [known[index] for index in found.index.tolist()], rtol=1e-12, atol=1e-12
    )
    assert len(set(found.index.tolist())) == len(found.index)


def test_ties_are_in_log_order() -> None:
    square = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]], np.float32)
    assert nearest_points(square, 0, "euclidean", 3).index.tolist() == [1, 2, 3]
