"""Structures of scopes."""

from __future__ import annotations

from mindviz.datavisual.graph.node import NAME_SCOPE, Node
from mindviz.datavisual.graph.structures import repeated_structures


def scope(name: str, *children: Node) -> Node:
    made = Node(name, NAME_SCOPE, children=list(children))
    made.path = tuple(made for _ in name.split("/"))
    return made


def layer(name: str, *types: str) -> Node:
    return scope(name, *(Node(f"{name}/{i}", kind) for i, kind in enumerate(types)))


def test_scopes_with_the_same_parts_share_a_number() -> None:
    a, b = layer("n/a", "Conv", "Relu", "Relu"), layer("n/b", "Relu", "Conv", "Relu")
    c, alone = layer("n/c", "Conv", "Relu"), layer("n/d", "Add")
    found = repeated_structures([a, b, c, alone, layer("n/e", "Conv", "Relu")])
    assert (found[a], found[b], found[c]) == (0, 0, 1)
    assert alone not in found


def test_nested_structures_are_compared() -> None:
    blocks = [scope(f"m{i}", layer(f"m{i}/x", "Conv"), layer(f"m{i}/y", "Add")) for i in range(2)]
    other = scope("m3", layer("m3/x", "Conv"), layer("m3/y", "Mul"))
    nodes = [*blocks, other, *(child for block in [*blocks, other] for child in block.children)]
    found = repeated_structures(nodes)
    assert found[blocks[0]] == found[blocks[1]]
    assert other not in found
    assert other.children[0] in found
