"""ScopeOrder: the nodes of one scope in data flow order, in stacks if there are many.

A scope can contain 100,000 nodes: too many to lay out, and tens of megabytes as JSON. In an order
in which most edges point forward, neighbors belong together. A stack is an interval of that order,
addressed by its first and last place, with the edges that enter it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mindviz.datavisual.graph.node import Node

MAX_NODES = 250
"""Maximum number of nodes listed individually; more become stacks."""
MIN_STACK, MAX_STACKS = 50, 100
_NUMBERS = re.compile(r"[\W_]*\d*[\W_]*$")


@dataclass(slots=True)
class Stack:
    """An interval of places, counted from 1, inclusive."""

    first: int
    last: int
    independent: bool
    """Whether its nodes are drawn next to their consumers."""
    sources: dict[int, bool] = field(default_factory=dict)
    """Source places outside the stack -> whether only control edges."""
    inputs: dict[str, bool] = field(default_factory=dict)
    """Likewise for sources outside the scope, by name."""
    series: str = ""
    """The type that its nodes share, or else their name without numbers; empty: they differ."""


@dataclass(frozen=True, slots=True)
class ScopePart:
    """Nodes of a scope, or stacks of them, in data flow order."""

    total: int
    """Number of nodes in the whole scope."""
    nodes: Sequence[Node]
    stacks: Sequence[Stack]
    places: Mapping[str, int]
    """Places of listed nodes, their sources, nodes with edges out of the scope, and `wanted`.

    Empty if the scope has no stacks: then all nodes are listed.
    """


class ScopeOrder:
    """The order of one scope's nodes. Immutable."""

    def __init__(self, scope: Node, find: Callable[[str], Node]) -> None:
        """`find` returns a node of the graph by name."""
        self._scope = scope
        self._find = find
        flow = [node for node in scope.children if not node.independent]
        apart = [node for node in scope.children if node.independent]
        self._nodes = (*self._in_flow(flow), *apart)
        self._flow_length = len(flow)
        self._places = {node: place for place, node in enumerate(self._nodes, 1)}

    def place(self, node: Node) -> int | None:
        """Place of the child that is or contains this node; None if it is not below the scope."""
        inside = self._inside(node)
        return None if inside is None else self._places[inside]

    def part(
        self, first: int = 1, last: int | None = None, wanted: Node | None = None
    ) -> ScopePart:
        """The nodes at these places, or stacks if there are many.

        The place of the child that is or contains `wanted` is included.
        """
        total = len(self._nodes)
        last = total if last is None else min(last, total)
        nodes: list[Node] = []
        stacks: list[Stack] = []
        # Nodes drawn next to their consumers have stacks of their kind only.
        in_flow = first, min(last, self._flow_length)
        apart = max(first, self._flow_length + 1), last
        for start, end in (in_flow, apart):
            if end - start < MAX_NODES:
                nodes += self._nodes[start - 1 : max(end, start - 1)]
            else:
                stacks += self._stacks(start, end)
        if total <= MAX_NODES:
            return ScopePart(total, nodes, stacks, {})
        places = dict(self._places_with_sources(nodes))
        if last - first + 1 == total:
            places.update(self._places_leading_out())
        if wanted is not None and (inside := self._inside(wanted)) is not None:
            places[inside.name] = self._places[inside]
        return ScopePart(total, nodes, stacks, places)

    def _inside(self, node: Node) -> Node | None:
        chain = node.path if node.is_scope else (*node.path, node)
        depth = len(self._scope.path)
        if len(chain) <= depth or (depth and chain[depth - 1] is not self._scope):
            return None
        return chain[depth]

    def _in_flow(self, nodes: Sequence[Node]) -> list[Node]:
        """A topological order; nodes reachable only through a cycle come in logged order."""
        members = dict.fromkeys(nodes)
        feeds: dict[Node, list[Node]] = {node: [] for node in nodes}
        missing: dict[Node, int] = dict.fromkeys(nodes, 0)
        for node in nodes:
            for source in {self._inside(self._find(name)) for name in node.inputs}:
                if source is not None and source is not node and source in members:
                    feeds[source].append(node)
                    missing[node] += 1
        order: dict[Node, None] = {}
        for start in (*(node for node in nodes if not missing[node]), *nodes):
            ready = [start]
            while ready:
                node = ready.pop()
                if node in order:
                    continue
                order[node] = None
                for fed in feeds[node]:
                    missing[fed] -= 1
                    if not missing[fed]:
                        ready.append(fed)
        return list(order)

    def _stacks(self, first: int, last: int) -> Iterator[Stack]:
        size = max(MIN_STACK, -(-(last - first + 1) // MAX_STACKS))
        for start in range(first, last + 1, size):
            end = min(start + size - 1, last)
            members = self._nodes[start - 1 : end]
            stack = Stack(start, end, members[0].independent, series=_series(members))
            for node in members:
                for name, edge in node.inputs.items():
                    place = self.place(self._find(name))
                    if place is None:
                        stack.inputs[name] = edge.control and stack.inputs.get(name, True)
                    elif not start <= place <= end:
                        stack.sources[place] = edge.control and stack.sources.get(place, True)
            yield stack

    def _places_with_sources(self, nodes: Iterable[Node]) -> Iterator[tuple[str, int]]:
        for node in nodes:
            yield node.name, self._places[node]
            for name in node.inputs:
                place = self.place(self._find(name))
                if place is not None:
                    yield name, place

    def _places_leading_out(self) -> Iterator[tuple[str, int]]:
        """Places of nodes with edges out of the scope, by name."""
        for node, place in self._places.items():
            if any(self._inside(self._find(name)) is None for name in node.outputs):
                yield node.name, place


def _series(nodes: Sequence[Node]) -> str:
    types = {"" if node.is_scope else node.type for node in nodes}
    if len(types) == 1 and "" not in types:
        return types.pop()
    names = {_NUMBERS.sub("", node.name.rpartition("/")[2]) for node in nodes}
    return names.pop() if len(names) == 1 else ""
