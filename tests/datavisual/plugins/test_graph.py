"""The graph plugin."""

from __future__ import annotations

from mindviz.datavisual.data_transform.time_series import LoggedGraph
from mindviz.datavisual.plugins import graph
from tests.provider_fake import FakeProvider


def test_the_view_tells_the_form_of_each_step_and_what_is_damaged() -> None:
    provider = FakeProvider()
    job = provider.add("./a")
    job.add_values("graph", "g", [1, 2, 3], [LoggedGraph("keras", {}), b"", b"no graph"])
    job.damage("graph", "g", 1)
    view = graph.view(provider, "./a", "g")
    assert view.columns == {"form": ["keras", None, None]}
    assert sorted(view.problems) == [1, 2]
    assert view.details == {"kind": "run"}
