from __future__ import annotations

import pytest

from mindviz.datavisual.plugins.scalar import view
from mindviz.errors import TagNotFound, TrainJobNotFound
from tests.experiment_fake import FakeStore


def test_the_view_gives_every_point_that_counts() -> None:
    experiment = FakeStore()
    experiment.add("./a").append("loss", [0, 1, 2, 1, 2], [5, 4, 3, 2, 1])
    seen = view(experiment, "./a", "loss")
    assert seen.step.tolist() == [0, 1, 2]
    assert list(seen.columns["value"]) == [5, 2, 1]
    assert (seen.seen[1], seen.details["superseded"]) == (5, 2)


def test_unknown_jobs_and_tags_are_not_found() -> None:
    experiment = FakeStore()
    with pytest.raises(TrainJobNotFound):
        view(experiment, "./a", "loss")
    experiment.add("./a")
    with pytest.raises(TagNotFound):
        view(experiment, "./a", "loss")
