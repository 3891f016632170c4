"""Which scopes of a graph have the same structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mindviz.datavisual.graph.node import Node

_Parts = frozenset[tuple[str | int, int]]


def repeated_structures(nodes: Sequence[Node]) -> Mapping[Node, int]:
    """A number per structure that several scopes have, from 0 in the order of `nodes`.

    Scopes are of one structure if they contain equally many operators of each type, and scopes of
    each structure.
    """
    scopes = [node for node in nodes if node.children]
    known: dict[_Parts, int] = {}
    structure: dict[Node, int] = {}
    # Inner scopes first: an aggregation is in the scopes of its path, and in its own.
    for scope in sorted(scopes, key=lambda node: len(node.path), reverse=True):
        parts = Counter(structure.get(child, child.type) for child in scope.children)
        structure[scope] = known.setdefault(frozenset(parts.items()), len(known))
    counts = Counter(structure.values())
    numbers: dict[int, int] = {}
    return {
        scope: numbers.setdefault(structure[scope], len(numbers))
        for scope in scopes
        if counts[structure[scope]] > 1
    }
