from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.analysis.tensor_statistics import statistics
from mindviz.datavisual.plugins import tensor
from mindviz.datavisual.plugins.tensor import PLUGIN, read_slice, view_histograms, view_statistics
from mindviz.datavisual.series.time_series import Tensor, Value
from mindviz.errors import (
    AnswerTooLarge,
    StepNotFound,
    TagNotFound,
    TensorTooLarge,
)
from tests.store_fake import FakeStore

view = PLUGIN.view
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    values: list[Value] = [
        Tensor(CUBE, "DT_FLOAT32"),
        b"noise",
        Tensor(np.array([True, False]), "DT_BOOL"),
    ]
    store.add("./a").add_values("tensor", "t", [0, 10, 20], values)
    return store


# -------------------------------------------------------------------------------- views


def test_the_view_gives_shape_and_type_of_every_step(store: FakeStore) -> None:
    seen = view(store, "./a", "t").whole()
    assert seen.step.tolist() == [0, 10, 20]
    assert list(seen.columns["dims"]) == [[2, 3, 4], None, [2]]
    assert list(seen.columns["data_type"]) == ["DT_FLOAT32", None, "DT_BOOL"]
    assert list(seen.problems) == [1]


def test_statistics_come_with_shape_and_type(store: FakeStore) -> None:
    facts = view_statistics(store, "./a", "t").columns["statistics"]
    assert facts[0] == statistics(CUBE, CUBE)
    assert facts[1] is None
    assert facts[2] == {"overall_count": 2, "overall_true_count": 1, "overall_false_count": 1}


def test_histograms_of_all_steps_have_the_same_buckets(store: FakeStore) -> None:
    listed, histograms = view_histograms(store, "./a", "t")
    assert len(histograms.step) == len(listed.step) == 3
    # 24 values: ceil(24 / 10) + 1 buckets.
    assert histograms.count.shape == (3, 4)
    assert histograms.count[0].tolist() == [6, 6, 6, 6]
    assert histograms.count[1].tolist() == [0, 0, 0, 0]


def test_a_large_tensor_is_listed_but_not_read(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensor, "MAX_ELEMENTS", 23)
    assert view(store, "./a", "t").whole().columns["dims"][0] == [2, 3, 4]
    facts = view_statistics(store, "./a", "t").columns["statistics"]
    assert facts[0] is None
    assert facts[2] is not None
    with pytest.raises(TensorTooLarge):
        view_histograms(store, "./a", "t")
    with pytest.raises(TensorTooLarge):
        read_slice(store, "./a", "t", 0, "[0,0,0]")


# -------------------------------------------------------------------------------- slices


def test_a_slice_has_its_own_statistics_and_those_of_the_whole(store: FakeStore) -> None:
    part = read_slice(store, "./a", "t", 0, "[1, :, -1]")
    assert part.data.tolist() == [15, 19, 23]
    assert (part.dims, part.data_type) == ((2, 3, 4), "DT_FLOAT32")
    assert part.statistics is not None
    assert (part.statistics["min"], part.statistics["overall_min"]) == (15, 0)


def test_a_number_is_the_slice_of_a_scalar(store: FakeStore) -> None:
    scalar = Tensor(np.array(2.5), "DT_FLOAT64")
    store.jobs["./a"].add_values("tensor", "scalar", [0], [scalar])
    part = read_slice(store, "./a", "scalar", 0, "[]")
    assert part.data.tolist() == 2.5
    assert read_slice(store, "./a", "t", 0, "[0,0,0]").data.tolist() == 0


def test_a_slice_may_not_be_too_large(store: FakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor, "MAX_SLICE_ELEMENTS", 7)
    with pytest.raises(AnswerTooLarge, match="8"):
        read_slice(store, "./a", "t", 0, "[:, 0, :]")
    assert read_slice(store, "./a", "t", 0, "[:, :, 0]").data.shape == (2, 3)


@pytest.mark.parametrize("step", [5, 21, -1])
def test_a_missing_step_is_not_found(store: FakeStore, step: int) -> None:
    with pytest.raises(StepNotFound):
        read_slice(store, "./a", "t", step, "[0,0,0]")


def test_an_unknown_tag_is_not_found(store: FakeStore) -> None:
    with pytest.raises(TagNotFound):
        view(store, "./a", "u")
