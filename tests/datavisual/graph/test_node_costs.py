"""Devices and compute times of a graph's nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.node import Node
from mindviz.datavisual.graph.node_costs import SEVERAL, NodeCost, graph_costs, node_costs
from mindviz.datavisual.graph.scope_order import MAX_NODES


def node(name: str, attributes: Mapping[str, str]) -> Node:
    return Node(name, "Op", attributes=lambda: attributes)


def leaf(name: str, attributes: Mapping[str, str], kind: str = "Op") -> Leaf:
    return Leaf(name, kind, attributes=lambda: attributes)


def test_costs_list_nodes_with_devices_or_times() -> None:
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


def test_columns_name_each_device_once() -> None:
    draft = GraphDraft()
    known = [("a", "gpu", "1"), ("b", "", "2"), ("c", "gpu", "")]
    for name, device, micros in known:
        draft.operators[name] = leaf(name, {"device": device, "compute_micros": micros})
    assert graph_costs(assembled(draft)) == {
        "devices": ["gpu"],
        "name": ["a", "b", "c"],
        "device": [0, None, 0],
        "micros": [1, 2, None],
        "places": [],
    }


def test_each_place_of_a_stacked_scope_has_the_sum_of_its_costs() -> None:
    draft = GraphDraft()
    for i in range(MAX_NODES + 10):
        facts = {"device": "gpu", "compute_micros": str(i)} if i % 2 else {}
        draft.operators[f"n{i}"] = leaf(f"wide/n{i}", facts, kind=f"T{i}")
    for name, device in (("x", "gpu"), ("y", "cpu")):
        facts = {"device": device, "compute_micros": "1000"}
        draft.operators[name] = leaf(f"wide/inner/{name}", facts, kind=name)
    graph = assembled(draft)
    (wide,) = cast("list[dict[str, Any]]", graph_costs(graph)["places"])
    assert wide["name"] == "wide"
    order = graph.order("wide")
    for i in range(MAX_NODES + 10):
        place = order.place(graph.node(f"wide/n{i}"))
        assert place is not None
        assert wide["micros"][place - 1] == (i if i % 2 else None)
        assert wide["device"][place - 1] == (0 if i % 2 else None)
    place = order.place(graph.node("wide/inner"))
    assert place is not None
    assert (wide["micros"][place - 1], wide["device"][place - 1]) == (2000, SEVERAL)
