"""Drafts of VisualDL's graphs."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.visualdl_graph import visualdl_draft

CONTENT: dict[str, Any] = {
    "nodes": [
        {"name": "/", "is_leaf_node": False, "children_node": ["/feed", "/net"]},
        {"name": "/feed", "is_leaf_node": True, "type": "feed", "output_vars": {"Out": ["x"]}},
        {"name": "/net", "is_leaf_node": False, "type": "Net"},
        {
            "name": "/net/conv[c1]/conv2d_0",
            "is_leaf_node": True,
            "type": "conv2d",
            "input_vars": {"X": ["x", "w"]},
            "attrs": {"groups": 1, "format": "NCHW"},
        },
        {"name": "/out", "type": "fetch", "input_nodes": ["/net/conv[c1]/conv2d_0"]},
    ],
    "vars": [
        {"name": "x", "shape": [-1, 8], "dtype": "VarType.FP32", "from_node": "/feed"},
        {"name": "w", "shape": [8], "from_node": ""},
    ],
}


def test_leaves_are_nodes_with_scopes_in_their_names() -> None:
    graph = assembled(visualdl_draft(CONTENT))
    assert [node.name for node in graph.children("")] == ["feed", "out", "net"]
    (conv,) = graph.children("net/conv[c1]")
    assert conv.type == "conv2d"
    assert dict(conv.attributes()) == {"groups": "1", "format": "NCHW"}
    edge = conv.inputs["feed"]
    assert (edge.shapes, edge.data_type, edge.control) == (((-1, 8),), "FP32", False)
    assert list(conv.outputs) == ["out"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["/a", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner),
)
FIELDS = ["name", "type", "is_leaf_node", "input_vars", "output_vars", "input_nodes", "attrs"]
nodes = st.dictionaries(st.sampled_from([*FIELDS, "shape", "from_node", "dtype"]), json_values)


@given(content=st.dictionaries(st.sampled_from(["nodes", "vars"]), json_values | st.lists(nodes)))
def test_any_json_is_a_graph_which_may_be_empty(content: dict[str, Any]) -> None:
    for node in assembled(visualdl_draft(content)).nodes:
        assert node.attributes() is not None
