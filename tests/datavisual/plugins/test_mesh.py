from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.plugins.mesh import tags, values, view
from mindviz.datavisual.series.time_series import Tensor
from mindviz.errors import TagNotFound
from tests.store_fake import FakeStore


def tensor(points: int, value: float) -> Tensor:
    return Tensor(np.full((1, points, 3), value, np.float32), "DT_FLOAT32")


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    job = store.add("./a")
    job.add_values("mesh", "m_VERTEX", [0, 5, 9], [tensor(4, 0), tensor(4, 1), tensor(4, 2)])
    job.add_values("mesh", "m_FACE", [0], [tensor(2, 7)])
    job.add_values("mesh", "m_COLOR", [5, 9], [tensor(4, 8), b"no color"])
    job.add_values("mesh", "n_VERTEX", [0], [Tensor(np.zeros((2, 3)), "DT_FLOAT64")])
    job.add_values("mesh", "stray_FACE", [0], [tensor(2, 7)])
    return store


def test_three_series_are_one_mesh(store: FakeStore) -> None:
    assert tags(store, "./a") == ["m", "n"]
    seen = view(store, "./a", "m").whole()
    assert seen.step.tolist() == [0, 5, 9]
    assert seen.columns["dims"] == [[1, 4, 3], [1, 4, 3], None]
    assert seen.columns["faces"] == [{"step": 0, "dims": [1, 2, 3]}] * 2 + [None]
    assert seen.columns["colors"] == [None, {"step": 5, "dims": [1, 4, 3]}, None]
    assert list(seen.problems) == [2]


def test_any_name_of_a_mesh_finds_it(store: FakeStore) -> None:
    assert view(store, "./a", "m_COLOR").step.tolist() == [0, 5, 9]
    assert values(store, "./a", "m").step.tolist() == [0, 5, 9]
    assert values(store, "./a", "m_FACE").whole().columns["size"] == [[1, 2, 3]]


def test_a_wrong_shape_is_a_damaged_mesh(store: FakeStore) -> None:
    seen = view(store, "./a", "n").whole()
    assert seen.columns["faces"] == [None]
    assert list(seen.problems) == [0]


def test_without_vertices_there_is_no_mesh(store: FakeStore) -> None:
    with pytest.raises(TagNotFound):
        view(store, "./a", "stray")
