from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from mindviz.summary.collecting.landscape_survey import LandscapeSurvey
from mindviz.summary.collecting.parameter_path import ParameterPath
from mindviz.summary.values.arrays import Array


def bowl(parameters: Mapping[str, Array]) -> float:
    """Deepest, 1, where all parameters are 0."""
    return 1 + float(sum((array**2).sum() for array in parameters.values()))


@pytest.fixture
def path(tmp_path: Path) -> Iterator[ParameterPath]:
    path = ParameterPath(tmp_path)
    yield path
    path.close()


def walk(path: ParameterPath, places: list[list[float]]) -> None:
    for number, place in enumerate(places, 1):
        path.store(number, [("w", np.array([[*place, 0.0]]))])


def test_a_path_in_a_plane_is_projected_without_loss(path: ParameterPath) -> None:
    walk(path, [[4, 0], [4, 3], [0, 3], [0, 0]])
    surface = LandscapeSurvey(path, bowl, size=5).along([1, 2, 3, 4])
    assert surface.path is not None
    x, y, z = (np.asarray(axis) for axis in surface.path)
    np.testing.assert_allclose(np.hypot(x, y), [4, 5, 3, 0], atol=1e-5)
    np.testing.assert_allclose(z, [17, 26, 10, 1], atol=1e-4)
    assert surface.convergence_point == (0.0, 0.0, 1.0)
    assert surface.intervals == (1, 2, 3, 4)


def test_the_surface_extends_beyond_the_path(path: ParameterPath) -> None:
    walk(path, [[4, 0], [4, 3], [0, 0]])
    surface = LandscapeSurvey(path, bowl, size=7, unit="epoch", step_per_epoch=9).along([1, 2, 3])
    assert surface.path is not None
    for axis, places in zip((surface.x, surface.y), surface.path, strict=False):
        numbers, reached = np.asarray(axis), np.asarray(places)
        assert numbers[0] < reached.min()
        assert numbers[-1] > reached.max()
    x, y = np.meshgrid(np.asarray(surface.x), np.asarray(surface.y))
    np.testing.assert_allclose(np.asarray(surface.z), 1 + x**2 + y**2, rtol=1e-4)
    assert (surface.decomposition, surface.unit, surface.step_per_epoch) == ("PCA", "epoch", 9)


@pytest.mark.parametrize("places", [[[1, 1], [2, 2], [3, 3]], [[1, 1], [1, 1], [1, 1]]])
def test_a_degenerate_path_still_has_a_landscape(
    path: ParameterPath, places: list[list[float]]
) -> None:
    walk(path, places)
    surface = LandscapeSurvey(path, bowl, size=3).along([1, 2, 3])
    assert np.isfinite(np.asarray(surface.z)).all()
    assert (np.diff(np.asarray(surface.x)) > 0).all()
    assert (np.diff(np.asarray(surface.y)) > 0).all()


@pytest.mark.parametrize("filter_axis", [0, -1])
def test_random_directions_are_as_large_as_each_filter(
    path: ParameterPath, filter_axis: int
) -> None:
    generator = np.random.default_rng(4)
    weights = generator.normal(size=(3, 4, 3)) * np.array([1.0, 10.0, 0.0])
    weights = np.moveaxis(weights, -1, filter_axis)
    path.store(1, [("w", weights), ("b", np.ones(3))])
    seen: list[Mapping[str, Array]] = []

    def loss_at(parameters: Mapping[str, Array]) -> float:
        seen.append(parameters)
        return 0.0

    survey = LandscapeSurvey(path, loss_at, size=3, filter_axis=filter_axis)
    surface = survey.around(1, generator)
    assert np.asarray(surface.x).tolist() == np.asarray(surface.y).tolist() == [-1, 0, 1]
    assert (surface.decomposition, surface.intervals, surface.path) == ("Random", (), None)
    along_x = seen[1 + 3 + 2]  # behind the middle itself and the first row: y = 0, x = 1
    moved = np.moveaxis(along_x["w"] - weights, filter_axis, 0)
    norms = np.linalg.norm(np.moveaxis(weights, filter_axis, 0).reshape(3, -1), axis=1)
    np.testing.assert_allclose(np.linalg.norm(moved.reshape(3, -1), axis=1), norms, rtol=1e-4)
    np.testing.assert_array_equal(along_x["b"], np.ones(3))
