"""Where the nodes of a graph ran and how long."""

from __future__ import annotations

from collections.abc import Mapping

from mindviz.datavisual.graph.node import Node
from mindviz.datavisual.graph.node_costs import NodeCost, costs_by_column, node_costs


def node(name: str, attributes: Mapping[str, str]) -> Node:
    return Node(name, "Op", attributes=lambda: attributes)


def test_devices_and_times_are_told_of_nodes_that_have_some() -> None:
    nodes = [
        node("a", {"device": "/gpu:0", "compute_micros": "12.5", "total_micros": "20"}),
        node("b", {"total_micros": "3"}),
        node("c", {"padding": "SAME"}),
        node("d", {"primitive_target": 'dtype: DT_STRING\nstr_val: "CPU"\n'}),
        node("e", {"compute_micros": "soon", "device": ""}),
        node("f", {"compute_micros": "nan", "total_micros": "7"}),
    ]
    assert list(node_costs(nodes)) == [
        NodeCost("a", "/gpu:0", 12.5),
        NodeCost("b", "", 3),
        NodeCost("d", "CPU", None),
        NodeCost("f", "", 7),
    ]


def test_as_columns_a_device_is_named_once() -> None:
    costs = [NodeCost("a", "gpu", 1), NodeCost("b", "", 2), NodeCost("c", "gpu", None)]
    assert costs_by_column(costs) == {
        "devices": ["gpu"],
        "name": ["a", "b", "c"],
        "device": [0, None, 0],
        "micros": [1, 2, None],
    }
