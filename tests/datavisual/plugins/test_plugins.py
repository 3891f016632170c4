from __future__ import annotations

import pytest

from mindviz.datavisual.plugins import Plugin, find_plugin, logged_view, plugins
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import ChartLayout, DataClass, ValueTimeSeries
from mindviz.errors import PluginNotFound, TagNotFound
from tests.store_fake import FakeStore

OURS = [
    "audio",
    "audio_labels",
    "custom_scalars",
    "embedding",
    "graph",
    "histogram",
    "hparams",
    "image",
    "loss_landscape",
    "mesh",
    "pr_curve",
    "roc_curve",
    "run_facts",
    "run_metadata",
    "scalar",
    "tensor",
    "text",
]


def test_built_in_plugins_are_sorted_by_name() -> None:
    assert list(plugins()) == OURS
    suffixes = {plugin.name: plugin.suffix for plugin in plugins().values()}
    assert suffixes.pop("graph") == ""
    assert suffixes == {name: f"/{name}" for name in OURS if name != "graph"}


def test_a_plugin_is_found_by_its_name() -> None:
    assert find_plugin("image").data_class is DataClass.BLOB_SEQUENCE
    with pytest.raises(PluginNotFound):
        find_plugin("no such")


@logged_view("size")
def size(series: ValueTimeSeries, row: int) -> dict[str, object]:
    return {"size": len(read_as(series, row, bytes, "bytes"))}


def test_a_logged_view_shows_the_series_of_each_plugin_that_has_it() -> None:
    store = FakeStore()
    store.add("./a").add_values("gauge", "t", [1, 2], [b"xy", ChartLayout((), b"")])
    gauge = Plugin("gauge", "/gauge", DataClass.TENSOR, size, values={"": size})
    for view in (gauge.view, gauge.values[""]):
        shown = view(store, "./a", "t").whole()
        assert (shown.columns, shown.problems) == (
            {"size": [2, None]},
            {1: "The value is not bytes."},
        )
    other = Plugin("other", "/other", DataClass.TENSOR, size)
    with pytest.raises(TagNotFound):
        other.view(store, "./a", "t")


def test_a_logged_view_may_show_the_series_of_another_plugin() -> None:
    store = FakeStore()
    store.add("./a").add_values("gauge", "t", [1], [b"xy"])
    view = logged_view("size", of="gauge")(size.read_row)
    plugin = Plugin("sizes", "/sizes", DataClass.TENSOR, view, names=())
    assert plugin.view(store, "./a", "t").whole().columns == {"size": [2]}
