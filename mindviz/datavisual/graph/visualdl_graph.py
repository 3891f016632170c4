"""Drafts of VisualDL graphs. Source: the JSON of a `vdlgraph` file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.node import Shapes
from mindviz.datavisual.payloads.json_graph import json_operators, json_texts


def visualdl_draft(content: Mapping[str, Any]) -> GraphDraft:
    """The draft of a file; scopes come from the names."""
    draft = GraphDraft()
    for operator in json_operators(content):
        dtypes = (str(out.get("dtype") or "").removeprefix("VarType.") for out in operator.outputs)
        leaf = Leaf(
            operator.name.lstrip("/"),
            operator.type,
            _shapes(operator.outputs),
            ", ".join(dict.fromkeys(dtypes)),
            operator.inputs,
            json_texts(operator.attributes),
        )
        draft.add(draft.operators, operator.name, leaf)
    return draft


def _shapes(variables: Sequence[Mapping[str, Any]]) -> Shapes:
    shapes = [variable.get("shape") for variable in variables]
    return tuple(
        tuple(size if isinstance(size, int) else -1 for size in shape)
        for shape in shapes
        if isinstance(shape, list)
    )
