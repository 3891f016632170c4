"""The contract's names of tags: `loss` of the scalar plugin is `loss/scalar`.

Tags that already end in `/scalar` get the suffix as well, otherwise `loss` and `loss/scalar`
would collide. A graph's tag is the name of its file, without suffix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mindviz.datavisual.plugins import plugin_of_key
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
"""Keys that every answer of the contract has, in its order."""


def suffix_of(plugin_name: str) -> str:
    """The suffix of the plugin's tags in the contract; may be empty."""
    plugin = plugin_of_key(plugin_name)
    return f"/{plugin_name}" if plugin is None else plugin.suffix


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


def contract_tags(key: str, tags: Mapping[str, Sequence[str]]) -> list[str]:
    """The tags under one of the contract's keys; `tags` are the logged ones of each plugin."""
    plugin = plugin_of_key(key)
    if plugin is not None and plugin.contract_tags:
        return list(plugin.contract_tags[key](tags.get(plugin.name, ())))
    return sorted(contract_tag(key, tag) for tag in tags.get(key, ()))
