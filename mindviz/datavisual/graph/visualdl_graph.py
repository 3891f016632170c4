"""Drafts of VisualDL graphs. Source: the JSON of a `vdlgraph` file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson

from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.node import Shapes


def visualdl_draft(content: Mapping[str, Any]) -> GraphDraft:
    """The draft of a file; malformed parts of its JSON are left out.

    Scopes come from the names; the file's own scope nodes and the edges between them are ignored.
    All edges carry tensors.
    """
    draft = GraphDraft()
    variables = {str(one.get("name")): one for one in _mappings(content.get("vars"))}
    for node in _mappings(content.get("nodes")):
        name = str(node.get("name") or "")
        if not name.strip("/") or not node.get("is_leaf_node", not node.get("children_node")):
            continue
        outputs = [variables[one] for one in _names(node.get("output_vars")) if one in variables]
        leaf = Leaf(
            name.lstrip("/"),
            str(node.get("type") or ""),
            _shapes(outputs),
            ", ".join(dict.fromkeys(_dtype(one) for one in outputs)),
            dict.fromkeys(_strings(node.get("input_nodes")), False),
            _attributes_of(node),
        )
        for one in _names(node.get("input_vars")):
            source = variables.get(one, {}).get("from_node")
            if isinstance(source, str) and source:
                leaf.inputs[source] = False
        draft.add(draft.operators, name, leaf)
    return draft


def _mappings(value: object) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else ()


def _strings(value: object) -> Iterator[str]:
    yield from (one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _names(slots: object) -> Iterator[str]:
    if isinstance(slots, Mapping):
        for names in slots.values():
            yield from _strings(names)


def _shapes(variables: list[Mapping[str, Any]]) -> Shapes:
    shapes = [one.get("shape") for one in variables]
    return tuple(
        tuple(size if isinstance(size, int) else -1 for size in shape)
        for shape in shapes
        if isinstance(shape, list)
    )


def _dtype(variable: Mapping[str, Any]) -> str:
    return str(variable.get("dtype") or "").removeprefix("VarType.")


def _attributes_of(node: Mapping[str, Any]) -> Callable[[], Mapping[str, str]]:
    attributes = node.get("attrs")

    def texts() -> Mapping[str, str]:
        if not isinstance(attributes, Mapping):
            return {}
        return {
            str(key): value if isinstance(value, str) else orjson.dumps(value).decode()
            for key, value in attributes.items()
        }

    return texts
