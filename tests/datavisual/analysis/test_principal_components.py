from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mindviz.datavisual.analysis import principal_components as module
from mindviz.datavisual.analysis.principal_components import principal_components


def cloud(points: int, dimensions: int, spread: tuple[float, ...]) -> NDArray[np.float32]:
    random = np.random.default_rng(7)
    axes = np.linalg.qr(random.normal(size=(dimensions, dimensions)))[0]
    coordinates = random.normal(size=(points, dimensions)) * 0.01
    coordinates[:, : len(spread)] += random.normal(size=(points, len(spread))) * spread
    vectors: NDArray[np.float32] = (coordinates @ axes + 3).astype(np.float32)
    return vectors


@pytest.mark.parametrize(("points", "dimensions"), [(200, 12), (12, 200), (30, 3)])
def test_distances_survive_if_three_dimensions_explain_nearly_all_variance(
    points: int, dimensions: int
) -> None:
    vectors = cloud(points, dimensions, (9.0, 5.0, 2.0))
    projection = principal_components(vectors)
    assert projection.points.shape == (points, 3)
    assert list(projection.explained) == sorted(projection.explained, reverse=True)
    assert sum(projection.explained) == pytest.approx(1, abs=0.01)
    assert np.linalg.norm(projection.points[0] - projection.points[1]) == pytest.approx(
        np.linalg.norm(vectors[0] - vectors[1]), rel=0.01
    )


def test_iteration_converges_to_the_exact_result(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = cloud(300, 40, (9.0, 5.0, 2.0))
    exact = principal_components(vectors)
    monkeypatch.setattr(module, "EXACT_DIMENSIONS", 10)
    iterated = principal_components(vectors)
    assert np.allclose(exact.points, iterated.points, atol=1e-3)


def test_points_are_processed_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = cloud(300, 40, (9.0, 5.0, 2.0))
    vectors[7, 3] = np.nan
    at_once = principal_components(vectors)
    monkeypatch.setattr(module, "_BLOCK", 41 * 40)
    in_pieces = principal_components(vectors)
    np.testing.assert_allclose(in_pieces.points, at_once.points, atol=1e-4)
    assert in_pieces.explained == pytest.approx(at_once.explained)


def test_missing_dimensions_are_zeros() -> None:
    projection = principal_components(np.array([[0, 0], [0, 2]], np.float32))
    assert projection.points.tolist() == [[-1, 0, 0], [1, 0, 0]]
    assert projection.explained == (1, 0, 0)


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (3, 0), (1, 5), (4, 2)])
def test_identical_points_are_at_the_origin(shape: tuple[int, int]) -> None:
    projection = principal_components(np.ones(shape, np.float32))
    assert projection.points.tolist() == [[0, 0, 0]] * shape[0]
    assert projection.explained == (0, 0, 0)


def test_points_with_nonfinite_coordinates_are_not_placed() -> None:
    vectors = np.array([[0, 0], [np.nan, 1], [4, 0], [0, np.inf]], np.float32)
    points = principal_components(vectors).points
    assert np.isnan(points[[1, 3]]).all()
    assert np.isfinite(points[[0, 2]]).all()
