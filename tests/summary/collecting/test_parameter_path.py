from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.collecting.parameter_path import ParameterPath

PARAMETERS = {"w": np.arange(6.0).reshape(2, 3), "b": np.array([7, 8], np.float16)}


@pytest.fixture
def path(tmp_path: Path) -> Iterator[ParameterPath]:
    path = ParameterPath(tmp_path)
    yield path
    path.close()


def test_parameters_keep_their_shapes_and_types(path: ParameterPath) -> None:
    path.store(3, PARAMETERS.items())
    vector = path.read(3)
    assert vector.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]
    for name, array in path.by_name(vector).items():
        np.testing.assert_array_equal(array, PARAMETERS[name])
        assert array.dtype == PARAMETERS[name].dtype


def test_storing_a_step_again_replaces_it(path: ParameterPath) -> None:
    for number, value in [(1, 0.0), (2, 1.0), (1, 2.0)]:
        path.store(number, [("w", np.full(2, value))])
    assert path.numbers == [2, 1]
    assert path.read(1).tolist() == [2, 2]


def test_views_write_to_the_vector(path: ParameterPath) -> None:
    path.store(1, PARAMETERS.items())
    vector = path.read(1)
    path.views(vector)[1][...] = 0
    assert vector.tolist() == [0, 1, 2, 3, 4, 5, 0, 0]


@pytest.mark.parametrize("parameters", [[], [("w", np.zeros((3, 2)))], [("v", np.zeros((2, 3)))]])
def test_changed_parameters_are_an_error(
    path: ParameterPath, parameters: list[tuple[str, object]]
) -> None:
    path.store(1, PARAMETERS.items())
    with pytest.raises(InvalidValue, match="parameters"):
        path.store(2, parameters)
    assert path.numbers == [1]


def test_close_deletes_the_folder(tmp_path: Path) -> None:
    path = ParameterPath(tmp_path)
    path.store(1, PARAMETERS.items())
    assert len(list(tmp_path.iterdir())) == 1
    path.close()
    assert list(tmp_path.iterdir()) == []
