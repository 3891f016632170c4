from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.plugins.roc_curve import PLUGIN, area
from mindviz.datavisual.series.time_series import Tensor
from tests.store_fake import FakeStore

CURVE = np.array(
    [
        [4, 3, 2, 0],  # true positives
        [6, 3, 0, 0],  # false positives
        [0, 3, 6, 6],  # true negatives
        [0, 1, 2, 4],  # false negatives
        [9, 9, 9, 9],  # as in VisualDL, which is wrong
        [9, 9, 9, 9],
    ]
)

values = PLUGIN.values[""]
view = PLUGIN.view


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    tensor = Tensor(CURVE.astype(np.float64), "DT_FLOAT64")
    store.add("./a").add_values("roc_curve", "t", [1, 2], [tensor, b"no curve"])
    return store


def test_rates_follow_from_the_counts(store: FakeStore) -> None:
    seen = view(store, "./a", "t").whole()
    assert np.asarray(seen.columns["true_positive_rate"][0]).tolist() == [1, 0.75, 0.5, 0]
    assert np.asarray(seen.columns["false_positive_rate"][0]).tolist() == [1, 0.5, 0, 0]
    assert seen.columns["area"][0] == pytest.approx(0.5 * 0.625 + 0.5 * 0.875)
    assert list(seen.problems) == [1]


def test_values_are_counts_and_rates(store: FakeStore) -> None:
    seen = values(store, "./a", "t").whole()
    data = np.asarray(seen.columns["data"][0]).reshape(6, 4)
    assert data[:4].tolist() == CURVE[:4].tolist()
    assert data[4].tolist() == [1, 0.75, 0.5, 0]


def test_the_area_extends_to_both_corners() -> None:
    assert area(np.array([0.0, 1.0]), np.array([0.0, 1.0])) == 0.5
    assert area(np.array([1.0]), np.array([0.0])) == 1
    assert area(np.array([np.nan]), np.array([0.0])) is None
