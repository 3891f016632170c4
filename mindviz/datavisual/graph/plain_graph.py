"""Plain graphs: nodes with their scope paths, and edges between node indices.

Source: VisualDL's design of basic visual components (2018).
"""

from __future__ import annotations

from typing import Any

from mindviz.datavisual.graph.graph import Graph


def plain_graph(graph: Graph) -> dict[str, Any]:
    """All leaves in graph order, and all edges between them."""
    leaves = [node for node in graph.nodes if not node.is_scope]
    index = {node.name: i for i, node in enumerate(leaves)}
    nodes = []
    for node in leaves:
        group = node.path[-1].name if node.path else ""
        name = node.name.removeprefix(f"{group}/") if group else node.name
        nodes.append({"name": name, "group": group})
    edges = [
        {"from": i, "to": index[name], "type": "normal" if edge.control else "data"}
        for i, node in enumerate(leaves)
        for name, edge in node.outputs.items()
    ]
    return {"nodes": nodes, "edges": edges}
