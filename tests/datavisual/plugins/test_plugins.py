from __future__ import annotations

import pytest

from mindviz.datavisual import plugins as package
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.datavisual.plugins import Plugin, find_plugin, plugins
from mindviz.errors import PluginNotFound, StartError

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


def test_our_own_plugins_are_found_sorted_by_name() -> None:
    assert list(plugins()) == OURS
    suffixes = {plugin.name: plugin.suffix for plugin in plugins().values()}
    assert suffixes.pop("graph") == ""
    assert suffixes == {name: f"/{name}" for name in OURS if name != "graph"}


def test_a_plugin_is_found_by_its_name() -> None:
    assert find_plugin("image").data_class is DataClass.BLOB_SEQUENCE
    with pytest.raises(PluginNotFound):
        find_plugin("no such")


class EntryPoint:
    """As much of an entry point as is used."""

    def __init__(self, name: str, plugin: object) -> None:
        self.name = name
        self.value = f"elsewhere:{name}"
        self.plugin = plugin

    def load(self) -> object:
        if isinstance(self.plugin, Exception):
            raise self.plugin
        return self.plugin


def found_with(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> list[str]:
    monkeypatch.setattr(package, "entry_points", lambda *, group: points)
    return list(plugins.__wrapped__())


def test_plugins_of_other_distributions_come_after_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    view = find_plugin("scalar").view
    alpha, beta = (Plugin(name, f"/{name}", DataClass.TENSOR, view) for name in ("alpha", "beta"))
    found = found_with(monkeypatch, EntryPoint("b", beta), EntryPoint("a", alpha))
    assert found == [*OURS, "alpha", "beta"]


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        (ImportError("no module"), "cannot be loaded"),
        ("just a string", "is not a plugin"),
        (find_plugin("scalar"), "two plugins named 'scalar'"),
    ],
    ids=["does not load", "is none", "name is taken"],
)
def test_a_plugin_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, plugin: object, message: str
) -> None:
    with pytest.raises(StartError, match=message):
        found_with(monkeypatch, EntryPoint("x", plugin))
