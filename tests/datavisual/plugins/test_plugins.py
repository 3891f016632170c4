from __future__ import annotations

import pytest

from mindviz.datavisual.plugins import find_plugin, plugins
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import PluginNotFound

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
