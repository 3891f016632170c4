from __future__ import annotations

from mindviz.datavisual.graph.logged_graphs import built_graph
from mindviz.datavisual.graph.plain_graph import plain_graph
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.wire.proto import tensorboard_pb2 as pb


def test_scopes_are_groups_and_edges_are_indices() -> None:
    nodes = [
        pb.NodeDef(name="a/x", op="Const"),
        pb.NodeDef(name="a/b/y", op="Add", input=["a/x", "^z"]),
        pb.NodeDef(name="z", op="NoOp"),
    ]
    plain = plain_graph(built_graph(LoggedGraph("tensorflow", pb.GraphDef(node=nodes))))
    assert plain["nodes"] == [
        {"name": "x", "group": "a"},
        {"name": "y", "group": "a/b"},
        {"name": "z", "group": ""},
    ]
    assert plain["edges"] == [
        {"from": 0, "to": 1, "type": "data"},
        {"from": 2, "to": 1, "type": "normal"},
    ]
