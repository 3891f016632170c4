from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.plugins import embedding
from mindviz.datavisual.plugins.embedding import PLUGIN, find_points
from mindviz.datavisual.series.time_series import Embedding
from mindviz.errors import DamagedValue, TensorTooLarge
from tests.store_fake import FakeStore

values = PLUGIN.values[""]
view = PLUGIN.view

POINTS = np.array([[0, 0, 5], [4, 0, 5], [0, 2, 5], [4, 2, 5]], np.float32)


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    labeled = Embedding(POINTS, (("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")), ("name", "no"))
    store.add("./a").add_values("embedding", "t", [0, 1], [labeled, b"no embedding"])
    return store


def test_the_view_describes_the_points(store: FakeStore) -> None:
    seen = view(store, "./a", "t").whole()
    assert seen.columns["dims"] == [[4, 3], None]
    assert seen.columns["header"][0] == ["name", "no"]
    assert list(seen.problems) == [1]


def test_points_are_projected_and_labeled(store: FakeStore) -> None:
    found = find_points(store, "./a", "t", 0)
    assert found.projection.points.tolist() == [[-2, -1, 0], [2, -1, 0], [-2, 1, 0], [2, 1, 0]]
    assert found.projection.explained == pytest.approx((0.8, 0.2, 0))
    assert found.labels == (("name", ("a", "b", "c", "d")), ("no", ("1", "2", "3", "4")))
    with pytest.raises(DamagedValue):
        find_points(store, "./a", "t", 1)


def test_values_are_the_coordinates_point_by_point(store: FakeStore) -> None:
    seen = values(store, "./a", "t").whole()
    assert np.asarray(seen.columns["data"][0]).tolist() == POINTS.ravel().tolist()
    assert seen.columns["size"] == [[4, 3], None]


def test_too_large_projections_are_refused(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "MAX_COORDINATES", 11)
    with pytest.raises(TensorTooLarge):
        find_points(store, "./a", "t", 0)
