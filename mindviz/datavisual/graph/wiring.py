"""Wiring: edges between nodes, and to independent parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.node import (
    AGGREGATION_SCOPE,
    MAX_SIZES,
    Edge,
    Node,
    Shapes,
    shown_name,
)

Copies = Mapping[tuple[str, str], Node]
"""(scope, key) -> copy of a parameter or constant in that scope."""


_Edges = dict[Node, tuple[Edge, Edge]]
"""Source -> its edge as consumers list it, and as it lists them."""


class Wiring:
    """Adds edges to nodes after naming and placement."""

    def __init__(
        self,
        draft: GraphDraft,
        operators: Mapping[str, Node],
        parameters: Copies,
        original_scopes: Mapping[Node, str],
    ) -> None:
        """`parameters` are keyed by `original_scopes`, the scopes before aggregation."""
        self._draft = draft
        self._operators = operators
        self._parameters = parameters
        self._original_scopes = original_scopes
        self._nodes: dict[str, Node] = {}
        self._made: tuple[_Edges, _Edges] = ({}, {})
        """Data edges and control edges."""
        self._alike: dict[tuple[Shapes, str, bool, bool], tuple[Edge, Edge]] = {}
        """Edge objects by content: graphs have far fewer kinds of edges than edges."""

    def connect(
        self, consumers: Mapping[str, Node], constants: Copies, scopes: Mapping[Node, str]
    ) -> None:
        """Add all edges with a known source; of duplicates the last wins."""
        operators, leaves = self._operators, self._draft.operators
        for key, consumer in consumers.items():
            name, inputs = consumer.name, consumer.inputs
            self._nodes[name] = consumer
            for source_key, control in leaves[key].inputs.items():
                source = (
                    operators.get(source_key)
                    or self._parameters.get((self._original_scopes[consumer], source_key))
                    or constants.get((scopes[consumer], source_key))
                )
                if source is None:
                    continue
                edges_of = self._made[control]
                edges = edges_of.get(source)
                if edges is None:
                    edges_of[source] = edges = self._edges(source, control=control)
                inputs[source.name], source.outputs[name] = edges
        for copies in (self._parameters, constants):
            self._nodes.update((node.name, node) for node in copies.values())

    def _edges(self, source: Node, *, control: bool) -> tuple[Edge, Edge]:
        kind = (
            _cut_off(source.shapes),
            shown_name(source.data_type),
            control,
            source.independent,
        )
        edges = self._alike.get(kind)
        if edges is None:
            plain = Edge(*kind[:3])
            seen = Edge(*kind) if source.independent else plain
            self._alike[kind] = edges = seen, plain
        return edges

    def add_proxies(self, groups: Sequence[Node]) -> None:
        """Edges between scopes of independent parameters and their sibling nodes."""
        proxies: dict[Node, dict[str, bool]] = {}
        for group in groups:
            to_all: dict[str, bool] = {}
            for parameter in group.children:
                to_some: dict[str, bool] = {}
                for name, edge in parameter.outputs.items():
                    consumer = self._nodes[name]
                    outer = consumer
                    if consumer.path and consumer.path[-1].type == AGGREGATION_SCOPE:
                        outer = consumer.path[-1]
                    to_some[outer.name] = edge.control
                    for node in {consumer, outer}:
                        inputs = proxies.get(node)
                        if inputs is None:
                            node.proxy_inputs = proxies[node] = inputs = {}
                        inputs[group.name] = edge.control
                parameter.proxy_outputs = to_some
                to_all |= to_some
            group.proxy_outputs = to_all


def _cut_off(shapes: Shapes) -> Shapes:
    """The first shapes, with MAX_SIZES dimensions in total."""
    ends = accumulate(len(shape) for shape in shapes)
    return tuple(shape for shape, end in zip(shapes, ends, strict=True) if end <= MAX_SIZES)
