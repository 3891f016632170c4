"""Graph: scopes, attributes and search of a built graph."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, islice
from typing import Self

from mindviz.datavisual.graph.node import Edge, Node
from mindviz.datavisual.graph.scope_order import ScopeOrder
from mindviz.datavisual.graph.structures import repeated_structures
from mindviz.deadline import check
from mindviz.errors import GraphNodeNotFound

NODE_BYTES, EDGE_BYTES = 1800, 300
"""Bytes per node, measured on 100,000 nodes, including the parsed log and scope orders."""


@dataclass(slots=True)
class Hit:
    """A search hit, or a scope that contains one."""

    node: Node
    dynamic: bool
    """For a scope that only contains hits, the type of its first hit, as in MindInsight."""
    below: list[Self] = field(default_factory=list)


class _JoinedNames:
    """All names in lower case, joined into one string: searching it is faster than a loop."""

    def __init__(self, names: Sequence[str]) -> None:
        text = "\0".join((*names, ""))
        if not text.isascii() or text.count("\0") > len(names):
            # Names may contain nulls, and some get longer in lower case.
            names = [name.replace("\0", " ").lower() for name in names]
            text = "\0".join((*names, ""))
        self._text = text.lower()
        self._ends = list(accumulate(len(name) + 1 for name in names))

    def holding(self, part: str) -> Iterator[tuple[int, str]]:
        """Index and text of each name that contains `text`, which has no null."""
        at = self._text.find(part)
        while at >= 0:
            index = bisect_right(self._ends, at)
            end = self._ends[index]
            yield index, self._text[self._ends[index - 1] if index else 0 : end - 1]
            at = self._text.find(part, end)


class Graph:
    """A graph of scopes. Thread-safe.

    The edges of a scope are those of its descendants that leave it. They are computed when the
    outer scope is opened: for all levels at once there would be edges times depth.
    """

    def __init__(self, root: Node, nodes: Sequence[Node]) -> None:
        """`nodes` are all nodes including scopes, without the root, in search order."""
        self._root = root
        self.nodes = tuple(nodes)
        self._by_name = {node.name: node for node in nodes}
        self._names = _JoinedNames([node.name for node in nodes])
        self._own_names = _JoinedNames([node.name.rpartition("/")[2] for node in nodes])
        self._orders: dict[Node, ScopeOrder] = {}
        self._index = {node: index for index, node in enumerate(self.nodes)}
        self._lifted: set[Node] = set()

    @property
    def nbytes(self) -> int:
        """Estimated memory in bytes."""
        edges = sum(len(node.inputs) for node in self.nodes)
        return NODE_BYTES * len(self.nodes) + EDGE_BYTES * edges

    @cached_property
    def structures(self) -> Mapping[Node, int]:
        """A number per structure that several scopes have; see `repeated_structures`."""
        return repeated_structures(self.nodes)

    def children(self, name: str) -> Sequence[Node]:
        """The nodes of a scope; an empty name is the root. Raises GraphNodeNotFound."""
        return self._with_edges(self.node(name).children)

    def order(self, name: str) -> ScopeOrder:
        """The nodes of a scope in data flow order. Raises GraphNodeNotFound."""
        scope = self.node(name)
        order = self._orders.get(scope)
        if order is None:
            self._with_edges(scope.children)
            self._orders[scope] = order = ScopeOrder(scope, self.node)
        return order

    def node(self, name: str) -> Node:
        """The node of this name; an empty name is the root. Raises GraphNodeNotFound.

        Scopes have edges only after `children` or `order` was called.
        """
        if not name:
            return self._root
        try:
            return self._by_name[name]
        except KeyError:
            raise GraphNodeNotFound(name, self._by_name) from None

    def scopes_around(self, name: str) -> Sequence[Node]:
        """The root and the scopes that contain a node, outermost first.

        Raises GraphNodeNotFound.
        """
        node = self.node(name)
        around = node.path[:-1] if node.is_scope else node.path
        return (self._root, *around)

    def leaves(self, name: str) -> Iterator[Node]:
        """All leaves below a scope, depth first. Raises GraphNodeNotFound."""
        return _leaves(self.node(name))

    def _with_edges(self, nodes: Sequence[Node]) -> Sequence[Node]:
        for scope in nodes:
            if scope.children and scope not in self._lifted:
                leaves = sorted(_leaves(scope), key=self._index.__getitem__)
                scope.inputs = self._leaving(scope, ((leaf, leaf.inputs) for leaf in leaves))
                scope.outputs = self._leaving(scope, ((leaf, leaf.outputs) for leaf in leaves))
                self._lifted.add(scope)
        return nodes

    def _leaving(
        self, scope: Node, edges: Iterable[tuple[Node, dict[str, Edge]]]
    ) -> dict[str, Edge]:
        """Edges of a scope's leaves that cross its boundary; of duplicates the last."""
        depth = len(scope.path)
        outside: dict[str, Edge] = {}
        for leaf, ends in edges:
            check()
            for name, edge in ends.items():
                path = self._by_name[name].path
                # By identity: nodes of one scope share their path object.
                if path is not leaf.path and (len(path) < depth or path[depth - 1] is not scope):
                    outside[name] = edge
        return outside

    def search(self, text: str, *, offset: int, limit: int) -> Sequence[Hit]:
        """One page of nodes whose base name contains a text, ignoring case, as a tree.

        A text with slashes may match the enclosing scopes, too.
        """
        if not text or text == "/" or "\0" in text:
            return []
        top: list[Hit] = []
        known: dict[Node, Hit] = {}
        first = offset * limit
        if first >= len(self.nodes):
            return []
        for node in islice(self._found(text), first, first + limit):
            below = top
            for part in (*node.path, *([] if node.is_scope else [node])):
                hit = known.get(part)
                if hit is None:
                    known[part] = hit = Hit(part, node.dynamic)
                    below.append(hit)
                elif part is node:
                    hit.dynamic = node.dynamic
                below = hit.below
        return top

    def _found(self, text: str) -> Iterator[Node]:
        text = text.lower()
        if "/" not in text:
            for index, _ in self._own_names.holding(text):
                yield self.nodes[index]
            return
        for index, name in self._names.holding(text):
            # A slash after the last match implies a slash after every other match.
            if "/" not in name[name.rindex(text) + len(text) :]:
                yield self.nodes[index]


def _leaves(top: Node) -> Iterator[Node]:
    """Depth first without recursion: nesting is unbounded."""
    waiting = [iter(top.children)]
    while waiting:
        for node in waiting[-1]:
            if node.children:
                waiting.append(iter(node.children))
                break
            yield node
        else:
            waiting.pop()
