from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.plugins.pr_curve import PLUGIN, average_precision
from mindviz.datavisual.series.time_series import Tensor, Value
from tests.store_fake import FakeStore

#                  thresholds 0, 1/4, 1/2, 3/4 and 1
CURVE = np.array(
    [
        [4, 3, 2, 0, 0],  # true positives
        [6, 2, 0, 0, 0],  # false positives
        [0, 4, 6, 6, 6],  # true negatives
        [0, 1, 2, 4, 4],  # false negatives
        [0.4, 0.6, 1, 0, 0],  # precision
        [1, 0.75, 0.5, 0, 0],  # recall
    ]
)

values = PLUGIN.values[""]
view = PLUGIN.view


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    nothing = Tensor(np.zeros((6, 3)), "DT_FLOAT64")
    tensors: list[Value] = [Tensor(CURVE, "DT_FLOAT64"), b"no curve", nothing]
    store.add("./a").add_values("pr_curve", "t", [1, 2, 3], tensors)
    return store


def test_trailing_thresholds_without_positives_are_omitted(store: FakeStore) -> None:
    seen = view(store, "./a", "t").whole()
    column = {name: np.asarray(cells[0]).tolist() for name, cells in seen.columns.items()}
    assert column["thresholds"] == [0, 0.25, 0.5]
    assert column["true_positives"] == [4, 3, 2]
    assert column["precision"] == [0.4, 0.6, 1]
    assert column["recall"] == [1, 0.75, 0.5]
    assert column["average_precision"] == pytest.approx(0.25 * 0.4 + 0.25 * 0.6 + 0.5 * 1)
    assert list(seen.problems) == [1]
    assert len(np.asarray(seen.columns["thresholds"][2])) == 1


def test_values_are_the_whole_tensor(store: FakeStore) -> None:
    seen = values(store, "./a", "t").whole()
    assert np.asarray(seen.columns["data"][0]).tolist() == CURVE.ravel().tolist()
    assert seen.columns["size"] == [[6, 5], None, [6, 3]]


def test_nan_is_ignored_in_the_average() -> None:
    assert average_precision(np.array([np.nan, 1.0]), np.array([1.0, 0.5])) == 0.5
    assert average_precision(np.array([np.nan]), np.array([1.0])) is None
    assert average_precision(np.empty(0), np.empty(0)) is None
