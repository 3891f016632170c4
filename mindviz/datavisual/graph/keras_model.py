"""Drafts of Keras models. Source: the JSON of `model.to_json()` of Keras 2 and 3.

A layer is an operator; a nested model is a scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mindviz.datavisual.graph.draft import GraphDraft, Leaf, check_edges
from mindviz.datavisual.graph.node import Shape, joined_name, shown_name
from mindviz.datavisual.payloads.json_graph import json_texts


@dataclass(slots=True)
class _Ends:
    """Keys of a model's input and output layers; of a layer, its own key."""

    first: list[str]
    last: list[str]


def keras_draft(model: Mapping[str, Any]) -> GraphDraft:
    """The draft of a model; malformed parts of its JSON are left out."""
    draft = GraphDraft()
    _add_model(draft, model, "")
    return draft


def _add_model(draft: GraphDraft, model: Mapping[str, Any], scope: str) -> _Ends:
    """Recurses per nested model, whose depth the JSON parser limits."""
    config = _mapping(model.get("config"))
    layers = config.get("layers")
    # Keras 1 had the list of layers in place of the config.
    listed = layers if isinstance(layers, list) else model.get("config")
    ends: dict[str, _Ends] = {}
    taken: list[tuple[Mapping[str, Any], _Ends]] = []
    for layer in listed if isinstance(listed, list) else []:
        if not isinstance(layer, Mapping):
            continue
        name = str(layer.get("name") or _mapping(layer.get("config")).get("name") or "layer")
        if isinstance(_mapping(layer.get("config")).get("layers"), list):
            ends[name] = _add_model(draft, layer, shown_name(joined_name(scope, name)))
        else:
            path = joined_name(scope, shown_name(name))
            key = draft.add(draft.operators, path, _layer(layer, path))
            ends[name] = _Ends([key], [key])
        taken.append((layer, ends[name]))
    edges = 0
    sequential = not any("inbound_nodes" in layer for layer, _ in taken)
    for (layer, own), before in zip(taken, [None, *(own for _, own in taken)], strict=False):
        if sequential:
            sources = [before] if before else []
        else:
            sources = [ends[name] for name in _sources(layer.get("inbound_nodes"), ends)]
        for source in sources:
            # Each may list thousands, and every layer may refer to them again.
            edges += len(own.first) * len(source.last)
            check_edges(edges)
            for key in own.first:
                draft.operators[key].inputs.update(dict.fromkeys(source.last, False))
    return _ends_of(config, ends, [own for _, own in taken])


def _ends_of(config: Mapping[str, Any], ends: Mapping[str, _Ends], order: list[_Ends]) -> _Ends:
    """Declared input and output layers, else the first and last layer."""
    first = [ends[name] for name in _sources(config.get("input_layers"), ends)] or order[:1]
    last = [ends[name] for name in _sources(config.get("output_layers"), ends)] or order[-1:]
    return _Ends(
        list(dict.fromkeys(key for layer in first for key in layer.first)),
        list(dict.fromkeys(key for layer in last for key in layer.last)),
    )


def _sources(value: object, layers: Mapping[str, _Ends]) -> Iterator[str]:
    """Layer names in `[name, 0, 0, ...]` at any depth, in JSON order."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            waiting += reversed(list(item.values()))
        elif isinstance(item, list):
            if len(item) > 1 and isinstance(item[0], str) and isinstance(item[1], int):
                if item[0] in layers:
                    yield item[0]
                # Keras 2 passes further tensors as keyword arguments.
                waiting += reversed(item[3:])
            else:
                waiting += reversed(item)


def _layer(layer: Mapping[str, Any], name: str) -> Leaf:
    config = _mapping(layer.get("config"))
    shape = config.get("batch_input_shape") or config.get("batch_shape")
    shapes = (_shape(shape),) if isinstance(shape, list) else ()
    dtype = config.get("dtype")
    return Leaf(
        name,
        str(layer.get("class_name") or "Layer"),
        shapes,
        dtype if isinstance(dtype, str) else "",
        attributes=json_texts({key: item for key, item in config.items() if key != "name"}),
    )


def _shape(shape: list[object]) -> Shape:
    return tuple(size if isinstance(size, int) else -1 for size in shape)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
