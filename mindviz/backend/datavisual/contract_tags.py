"""The contract's names of tags: `loss` of the scalar plugin is `loss/scalar`.

Tags that already end in `/scalar` get the suffix as well, otherwise `loss` and `loss/scalar`
would collide. A graph's tag is the name of its file, without suffix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mindviz.datavisual.graph.logged_graphs import optimized_tags, ordered_tags
from mindviz.datavisual.plugins import plugins
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound

CONTRACT_PLUGINS = (
    "image",
    "scalar",
    "graph",
    "optimized_graph",
    "histogram",
    "tensor",
    "loss_landscape",
)
"""In the contract's order."""

_WITHOUT_SUFFIX = ("graph", "optimized_graph")


def suffix_of(plugin_name: str) -> str:
    """The suffix of the plugin's tags in the contract; may be empty."""
    plugin = plugins().get(plugin_name)
    if plugin is not None:
        return plugin.suffix
    return "" if plugin_name in _WITHOUT_SUFFIX else f"/{plugin_name}"


def contract_tag(plugin_name: str, tag: str) -> str:
    """The contract's name of a log's tag."""
    return tag + suffix_of(plugin_name)


def log_tag(store: Store, train_id: str, plugin_name: str, tag: str) -> str:
    """The log's name of a contract's tag. Raises TrainJobNotFound; TagNotFound without suffix."""
    suffix = suffix_of(plugin_name)
    if not tag.endswith(suffix):
        store.train_job(train_id)  # an unknown job is reported first
        raise TagNotFound(train_id, plugin_name, tag, [tag + suffix])
    return tag[: len(tag) - len(suffix)]


def contract_plugins(
    tags: Mapping[str, Sequence[str]], *, others: Iterable[str] = ()
) -> dict[str, list[str]]:
    """plugin_name -> contract's tags: the contract's plugins, then `others`."""
    return {name: contract_tags(name, tags) for name in dict.fromkeys((*CONTRACT_PLUGINS, *others))}


def contract_tags(plugin_name: str, tags: Mapping[str, Sequence[str]]) -> list[str]:
    """The contract's tags of one plugin; every graph also has an optimized view."""
    if plugin_name == "optimized_graph":
        return optimized_tags(tags.get("graph", ()))
    named = [contract_tag(plugin_name, tag) for tag in tags.get(plugin_name, ())]
    return ordered_tags(named) if plugin_name == "graph" else sorted(named)
