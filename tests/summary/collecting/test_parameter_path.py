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


def test_parameters_come_back_in_their_shapes_and_types(path: ParameterPath) -> None:
    path.keep(3, PARAMETERS.items())
    vector = path.read(3)
    assert vector.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]
    for name, array in path.named(vector).items():
        np.testing.assert_array_equal(array, PARAMETERS[name])
        assert array.dtype == PARAMETERS[name].dtype


def test_a_step_that_comes_again_counts_as_it_came_last(path: ParameterPath) -> None:
    for number, value in [(1, 0.0), (2, 1.0), (1, 2.0)]:
        path.keep(number, [("w", np.full(2, value))])
    assert path.numbers == [2, 1]
    assert path.read(1).tolist() == [2, 2]


def test_what_is_written_to_a_view_is_written_to_the_vector(path: ParameterPath) -> None:
    path.keep(1, PARAMETERS.items())
    vector = path.read(1)
    path.views(vector)[1][...] = 0
    assert vector.tolist() == [0, 1, 2, 3, 4, 5, 0, 0]


@pytest.mark.parametrize("parameters", [[], [("w", np.zeros((3, 2)))], [("v", np.zeros((2, 3)))]])
def test_another_network_is_refused(
    path: ParameterPath, parameters: list[tuple[str, object]]
) -> None:
    path.keep(1, PARAMETERS.items())
    with pytest.raises(InvalidValue, match="parameters"):
        path.keep(2, parameters)
    assert path.numbers == [1]


def test_nothing_is_left_on_the_disk(tmp_path: Path) -> None:
    path = ParameterPath(tmp_path)
    path.keep(1, PARAMETERS.items())
    assert len(list(tmp_path.iterdir())) == 1
    path.close()
    assert list(tmp_path.iterdir()) == []
