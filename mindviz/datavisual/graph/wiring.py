"""Wiring: the edges of a graph, those that scopes inherit, and those to independent parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.node import AGGREGATION_SCOPE, Edge, Node, Shapes

Copies = Mapping[tuple[str, str], Node]
"""(scope, key) -> the copy of a parameter or constant in that scope."""


_Edges = dict[Node, tuple[Edge, Edge]]
"""Source -> what its consumers see of it, and what it sees of them."""


class Wiring:
    """Adds edges to nodes that are named and placed."""

    def __init__(
        self,
        draft: GraphDraft,
        operators: Mapping[str, Node],
        parameters: Copies,
        original_scopes: Mapping[Node, str],
    ) -> None:
        """`parameters` are keyed by `original_scopes`: those before nodes were gathered."""
        self._draft = draft
        self._operators = operators
        self._parameters = parameters
        self._original_scopes = original_scopes
        self._nodes: dict[str, Node] = {}
        self._made: tuple[_Edges, _Edges] = ({}, {})
        """Of data and of control."""
        self._alike: dict[tuple[Shapes, str, bool, bool], tuple[Edge, Edge]] = {}
        """By what makes them so: graphs have far fewer kinds of edges than edges."""
        self._left_known: dict[tuple[int, int], tuple[Node, ...]] = {}

    def connect(
        self, consumers: Mapping[str, Node], constants: Copies, scopes: Mapping[Node, str]
    ) -> None:
        """Add all edges of the draft that begin somewhere; of two alike the last one counts."""
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
                made = self._made[control]
                edges = made.get(source)
                if edges is None:
                    made[source] = edges = self._edges(source, control=control)
                inputs[source.name], source.outputs[name] = edges
        for copies in (self._parameters, constants):
            self._nodes.update((node.name, node) for node in copies.values())

    def _edges(self, source: Node, *, control: bool) -> tuple[Edge, Edge]:
        kind = (source.shapes, source.data_type, control, source.independent)
        edges = self._alike.get(kind)
        if edges is None:
            plain = Edge(source.shapes, source.data_type, control)
            seen = Edge(*kind) if source.independent else plain
            self._alike[kind] = edges = seen, plain
        return edges

    def lift(self, leaves: Sequence[Node]) -> None:
        """Give each scope the edges that leave or enter it; where two meet the last one counts."""
        nodes = self._nodes
        for leaf in leaves:
            path = leaf.path
            if path:
                for name, edge in leaf.inputs.items():
                    other = nodes[name].path
                    # By identity: nodes of one scope share their path.
                    if other is not path:
                        for scope in self._left(path, other):
                            scope.inputs[name] = edge
                for name, edge in leaf.outputs.items():
                    other = nodes[name].path
                    if other is not path:
                        for scope in self._left(path, other):
                            scope.outputs[name] = edge

    def _left(self, path: tuple[Node, ...], other: tuple[Node, ...]) -> tuple[Node, ...]:
        """The scopes of a path that are not in another."""
        left = self._left_known.get((id(path), id(other)))
        if left is None:
            left = path[_shared(path, other) :]
            self._left_known[id(path), id(other)] = left
        return left

    def add_proxies(self, groups: Sequence[Node]) -> None:
        """Between scopes of independent parameters and what stands beside them."""
        for group in groups:
            to_all: dict[str, bool] = {}
            for parameter in group.children:
                to_some: dict[str, bool] = {}
                for name, edge in parameter.outputs.items():
                    consumer = self._nodes[name]
                    beside = consumer
                    if consumer.path and consumer.path[-1].type == AGGREGATION_SCOPE:
                        beside = consumer.path[-1]
                    to_some[beside.name] = edge.control
                    for node in {consumer, beside}:
                        node.proxy_inputs = {**node.proxy_inputs, group.name: edge.control}
                parameter.proxy_outputs = to_some
                to_all |= to_some
            group.proxy_outputs = to_all


def _shared(path: tuple[Node, ...], other: tuple[Node, ...]) -> int:
    """How many scopes both paths begin with."""
    count = 0
    for one, another in zip(path, other, strict=False):
        if one is not another:
            break
        count += 1
    return count
