"""Graph: the scopes of a graph, and the questions that clients ask of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import Self

from mindviz.datavisual.graph.node import Edge, Node
from mindviz.datavisual.graph.scope_order import ScopeOrder
from mindviz.deadline import check
from mindviz.errors import GraphNodeNotFound

NODE_BYTES, EDGE_BYTES = 1800, 300
"""As measured of 100,000 nodes, with the parsed log that attributes are made from, and orders."""


@dataclass(slots=True)
class Hit:
    """A node that a search found, or that leads to one."""

    node: Node
    dynamic: bool
    """Of a scope that only leads to hits that of the first of them, as in MindInsight."""
    below: list[Self] = field(default_factory=list)


class _JoinedNames:
    """Names in lower case, in one text: to search it is faster than to look at name after name."""

    def __init__(self, names: Sequence[str]) -> None:
        text = "\0".join((*names, ""))
        if not text.isascii() or text.count("\0") > len(names):
            # Others may have nulls of their own, or get longer in lower case.
            names = [name.replace("\0", " ").lower() for name in names]
            text = "\0".join((*names, ""))
        self._text = text.lower()
        self._ends = list(accumulate(len(name) + 1 for name in names))

    def holding(self, part: str) -> Iterator[tuple[int, str]]:
        """Number and text of each name that holds this text, which has no null."""
        at = self._text.find(part)
        while at >= 0:
            index = bisect_right(self._ends, at)
            end = self._ends[index]
            yield index, self._text[self._ends[index - 1] if index else 0 : end - 1]
            at = self._text.find(part, end)


class Graph:
    """A graph of scopes. Thread-safe.

    Edges of a scope are those of the nodes below it that leave it. They are found when its outer
    scope is looked at: on all levels at once they would be edges times depth.
    """

    def __init__(self, root: Node, nodes: Sequence[Node]) -> None:
        """`nodes` are all of the graph, scopes included, in the order in which searches find them.

        The root is not one of them.
        """
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
        """Bytes of memory that it takes, roughly."""
        edges = sum(len(node.inputs) for node in self.nodes)
        return NODE_BYTES * len(self.nodes) + EDGE_BYTES * edges

    def children(self, name: str) -> Sequence[Node]:
        """What stands in a scope, the root for an empty name. Raises GraphNodeNotFound."""
        return self._with_edges(self.node(name).children)

    def order(self, name: str) -> ScopeOrder:
        """What stands in a scope in the order of its flow. Raises GraphNodeNotFound."""
        scope = self.node(name)
        order = self._orders.get(scope)
        if order is None:
            self._with_edges(scope.children)
            self._orders[scope] = order = ScopeOrder(scope, self.node)
        return order

    def node(self, name: str) -> Node:
        """The node of this name, the root for an empty one. Raises GraphNodeNotFound.

        Only `children` and `order` make sure that scopes have their edges.
        """
        if not name:
            return self._root
        try:
            return self._by_name[name]
        except KeyError:
            raise GraphNodeNotFound(name, self._by_name) from None

    def scopes_around(self, name: str) -> Sequence[Node]:
        """The root and every scope around a node, the outermost first.

        Raises GraphNodeNotFound.
        """
        node = self.node(name)
        around = node.path[:-1] if node.is_scope else node.path
        return (self._root, *around)

    def leaves(self, name: str) -> Iterator[Node]:
        """All nodes in and below a scope that hold no others, depth first.

        Raises GraphNodeNotFound.
        """
        return _leaves(self.node(name))

    def _with_edges(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """The nodes, when those that are scopes have the edges that leave or enter them."""
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
        """Of edges of leaves in a scope those whose other end is not; of two alike the last."""
        depth = len(scope.path)
        outside: dict[str, Edge] = {}
        for leaf, ends in edges:
            check()
            for name, edge in ends.items():
                path = self._by_name[name].path
                # By identity: nodes of one scope share their path.
                if path is not leaf.path and (len(path) < depth or path[depth - 1] is not scope):
                    outside[name] = edge
        return outside

    def search(self, text: str, *, offset: int, limit: int) -> Sequence[Hit]:
        """The tree of page `offset` of the nodes whose own name holds a text, upper case or lower.

        A text with slashes may reach into the names of the scopes around.
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
            for one in (*node.path, *([] if node.is_scope else [node])):
                hit = known.get(one)
                if hit is None:
                    known[one] = hit = Hit(one, node.dynamic)
                    below.append(hit)
                elif one is node:
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
            # If there is a slash behind the last place of the text, so is behind any other.
            if "/" not in name[name.rindex(text) + len(text) :]:
                yield self.nodes[index]


def _leaves(top: Node) -> Iterator[Node]:
    """Depth first, without recursion: scopes may be many within each other."""
    waiting = [iter(top.children)]
    while waiting:
        for node in waiting[-1]:
            if node.children:
                waiting.append(iter(node.children))
                break
            yield node
        else:
            waiting.pop()
