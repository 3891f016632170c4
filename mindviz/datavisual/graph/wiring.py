"""Wiring: the edges of a graph, those that scopes inherit, and those to independent parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.node import AGGREGATION_SCOPE, Edge, Node

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
        self._left_known: dict[tuple[int, int], tuple[Node, ...]] = {}

    def connect(
        self, consumers: Mapping[str, Node], constants: Copies, scopes: Mapping[Node, str]
    ) -> None:
        """Add all edges of the draft that begin somewhere; of two alike the last one counts."""
        for key, consumer in consumers.items():
            self._nodes[consumer.name] = consumer
            original_scope = self._original_scopes[consumer]
            scope = scopes[consumer]
            for source_key, control in self._draft.operators[key].inputs.items():
                source = (
                    self._operators.get(source_key)
                    or self._parameters.get((original_scope, source_key))
                    or constants.get((scope, source_key))
                )
                if source is None:
                    continue
                edges = self._made[control].get(source)
                if edges is None:
                    self._made[control][source] = edges = _edges(source, control=control)
                consumer.inputs[source.name], source.outputs[consumer.name] = edges
        for copies in (self._parameters, constants):
            self._nodes.update((node.name, node) for node in copies.values())

    def lift(self, leaves: Sequence[Node]) -> None:
        """Give each scope the edges that leave or enter it; where two meet the last one counts."""
        for leaf in leaves:
            path = leaf.path
            if path:
                for name, edge in leaf.inputs.items():
                    for scope in self._left(path, name):
                        scope.inputs[name] = edge
                for name, edge in leaf.outputs.items():
                    for scope in self._left(path, name):
                        scope.outputs[name] = edge

    def _left(self, path: tuple[Node, ...], name: str) -> tuple[Node, ...]:
        """The scopes of a path that the node of this name does not stand in."""
        other = self._nodes[name].path
        if other is path:
            return ()
        # By identity: nodes of one scope share their path.
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


def _edges(source: Node, *, control: bool) -> tuple[Edge, Edge]:
    plain = Edge(source.shapes, source.data_type, control)
    if not source.independent:
        return plain, plain
    return Edge(source.shapes, source.data_type, control, independent=True), plain


def _shared(path: tuple[Node, ...], other: tuple[Node, ...]) -> int:
    """How many scopes both paths begin with."""
    count = 0
    for one, another in zip(path, other, strict=False):
        if one is not another:
            break
        count += 1
    return count
