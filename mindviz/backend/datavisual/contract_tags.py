"""The contract's names of tags: `loss` of the scalar plugin is `loss/scalar`, always and only here.

A tag that ends in `/scalar` already gets the suffix, too: otherwise `loss` and `loss/scalar` of one
job would be one. A graph's tag is its file's name, without a suffix.
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
    """What the contract puts behind the tags of a plugin; may be empty."""
    plugin = plugins().get(plugin_name)
    if plugin is not None:
        return plugin.suffix
    return "" if plugin_name in _WITHOUT_SUFFIX else f"/{plugin_name}"


def contract_tag(plugin_name: str, tag: str) -> str:
    """The contract's name of a tag."""
    return tag + suffix_of(plugin_name)


def log_tag(experiment: Store, train_id: str, plugin_name: str, tag: str) -> str:
    """The log's name of a contract's tag. Raises TrainJobNotFound; TagNotFound without suffix."""
    suffix = suffix_of(plugin_name)
    if not tag.endswith(suffix):
        experiment.train_job(train_id)  # a job that is not there is said first
        raise TagNotFound(train_id, plugin_name, tag, [tag + suffix])
    return tag[: len(tag) - len(suffix)]


def contract_plugins(
    tags: Mapping[str, Sequence[str]], *, others: Iterable[str] = ()
) -> dict[str, list[str]]:
    """plugin_name -> contract's tags: the contract's plugins always, `others` behind them."""
    return {name: contract_tags(name, tags) for name in dict.fromkeys((*CONTRACT_PLUGINS, *others))}


def contract_tags(plugin_name: str, tags: Mapping[str, Sequence[str]]) -> list[str]:
    """The contract's tags of one plugin; every graph has an optimized view, too."""
    if plugin_name == "optimized_graph":
        return optimized_tags(tags.get("graph", ()))
    named = [contract_tag(plugin_name, tag) for tag in tags.get(plugin_name, ())]
    return ordered_tags(named) if plugin_name == "graph" else sorted(named)
