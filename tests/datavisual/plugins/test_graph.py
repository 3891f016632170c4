"""The graph plugin."""

from __future__ import annotations

from mindviz.datavisual.data_transform.time_series import LoggedGraph
from mindviz.datavisual.plugins import graph
from tests.experiment_fake import FakeExperiment


def test_the_view_tells_the_form_of_each_step_and_what_is_damaged() -> None:
    experiment = FakeExperiment()
    job = experiment.add("./a")
    job.add_values("graph", "g", [1, 2, 3], [LoggedGraph("keras", {}), b"", b"no graph"])
    job.damage("graph", "g", 1)
    view = graph.view(experiment, "./a", "g").whole()
    assert view.columns == {"form": ["keras", None, None]}
    assert sorted(view.problems) == [1, 2]
    assert view.details == {"kind": "run"}
