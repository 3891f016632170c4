from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.data_transform.time_series import Embedding
from mindviz.datavisual.plugins import embedding
from mindviz.datavisual.plugins.embedding import values, view
from mindviz.errors import TensorTooLarge
from tests.experiment_fake import FakeExperiment

POINTS = np.array([[0, 0, 5], [4, 0, 5], [0, 2, 5], [4, 2, 5]], np.float32)


@pytest.fixture
def experiment() -> FakeExperiment:
    experiment = FakeExperiment()
    labelled = Embedding(POINTS, (("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")), ("name", "no"))
    experiment.add("./a").add_values("embedding", "t", [0, 1], [labelled, b"no embedding"])
    return experiment


def test_the_view_projects_and_labels_the_points(experiment: FakeExperiment) -> None:
    seen = view(experiment, "./a", "t").whole()
    points = np.asarray(seen.columns["points"][0])
    assert points.tolist() == [[-2, -1, 0], [2, -1, 0], [-2, 1, 0], [2, 1, 0]]
    assert seen.columns["explained"][0] == pytest.approx([0.8, 0.2, 0])
    assert seen.columns["dims"] == [[4, 3], None]
    assert seen.columns["header"][0] == ["name", "no"]
    assert seen.columns["labels"][0] == [["a", "1"], ["b", "2"], ["c", "3"], ["d", "4"]]
    assert list(seen.problems) == [1]


def test_values_are_the_coordinates_point_by_point(experiment: FakeExperiment) -> None:
    seen = values(experiment, "./a", "t").whole()
    assert np.asarray(seen.columns["data"][0]).tolist() == POINTS.ravel().tolist()
    assert seen.columns["size"] == [[4, 3], None]


def test_what_would_take_too_long_to_project_is_refused(
    experiment: FakeExperiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "MAX_COORDINATES", 11)
    with pytest.raises(TensorTooLarge):
        view(experiment, "./a", "t").whole()
