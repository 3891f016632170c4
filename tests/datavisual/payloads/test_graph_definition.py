"""Graphs of other formats as TensorFlow's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.payloads.graph_definition import graph_definition
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import DamagedValue
from mindviz.wire.proto import mindspore_pb2
from mindviz.wire.proto import tensorboard_pb2 as pb
from tests.mindspore_graphs import constant, graph, integer, op, parameter, tensor_type, text


def definition(form: str, content: object) -> dict[str, pb.NodeDef]:
    """The nodes by name."""
    message = pb.GraphDef.FromString(graph_definition(LoggedGraph(form, content)))
    nodes = {node.name: node for node in message.node}
    assert len(nodes) == len(message.node)
    return nodes


def mindspore(*nodes: mindspore_pb2.NodeProto) -> dict[str, pb.NodeDef]:
    return definition("mindspore", graph(nodes, [parameter("w", (3, -1))], [constant("cst1")]))


def test_operators_parameters_and_constants_are_nodes_with_edges() -> None:
    nodes = mindspore(
        op("1", "MatMul", "Default/net", "w", "cst1"), op("2", "Relu", "Default", "^w", "1")
    )
    assert {name: (node.op, list(node.input)) for name, node in nodes.items()} == {
        "Default/net/MatMul-op1": ("MatMul", ["w", "cst1"]),
        "Default/Relu-op2": ("Relu", ["Default/net/MatMul-op1", "^w"]),
        "w": ("Parameter", []),
        "cst1": ("Const", []),
    }
    assert nodes["cst1"].attr["value"].i == 7


def test_shapes_types_and_attributes_are_kept() -> None:
    values = {
        "axis": integer(-1),
        "name": text("ä"),
        "large": text("x" * 2000),
        "pads": mindspore_pb2.ValueProto(int_vals=[1, 2]),
        "tuple": mindspore_pb2.ValueProto(values=[integer(3), integer(4)]),
        "mixed": mindspore_pb2.ValueProto(values=[integer(3), text("a")]),
        "exact": mindspore_pb2.ValueProto(bool_val=True),
        "huge": mindspore_pb2.ValueProto(uint_val=1 << 63),
    }
    output = tensor_type((2, -1), mindspore_pb2.DT_FLOAT16)
    node = mindspore(op("1", "A", "", attributes=values, output=output))["A-op1"]
    (shape,) = node.attr["_output_shapes"].list.shape
    assert [dim.size for dim in shape.dim] == [2, -1]
    assert node.attr["dtype"].type == pb.DT_HALF
    assert node.attr["axis"].i == -1
    assert node.attr["name"].s == "ä".encode()
    assert list(node.attr["pads"].list.i) == [1, 2]
    assert list(node.attr["tuple"].list.i) == [3, 4]
    assert node.attr["mixed"].s == b'[3, "a"]'
    assert node.attr["exact"].b
    assert node.attr["huge"].s == str(1 << 63).encode()
    assert "large" not in node.attr


def test_names_are_unique_and_safe_in_inputs() -> None:
    nodes = mindspore(
        op("1", "A", "x", full_name="same"),
        op("2", "B", "x", "1", full_name="same"),
        op("3", "S", "", "2", full_name="^a:b"),
        op("4", "T", "s", "3", "nobody", full_name="loss[:Scalar]"),
    )
    assert {name: list(node.input) for name, node in nodes.items()} == {
        "same": [],
        "same_1": ["same"],
        "a_b": ["same_1"],
        "s/T-op4": ["a_b"],
        "w": [],
        "cst1": [],
    }


VISUALDL: dict[str, Any] = {
    "nodes": [
        {"name": "/", "is_leaf_node": False, "children_node": ["/feed"]},
        {"name": "/feed", "type": "feed", "output_vars": {"Out": ["x"]}},
        {
            "name": "/net/conv",
            "is_leaf_node": True,
            "type": "conv2d",
            "input_vars": {"X": ["x", "w"]},
            "attrs": {"groups": 1, "pads": [1, 2], "mixed": [1, "a"], "rate": 0.5, "none": None},
        },
    ],
    "vars": [
        {"name": "x", "shape": [-1, 8], "dtype": "VarType.FP32", "from_node": "/feed"},
        {"name": "w", "shape": [8], "from_node": ""},
    ],
}


def test_leaves_of_visualdl_are_nodes() -> None:
    nodes = definition("visualdl", VISUALDL)
    assert {name: list(node.input) for name, node in nodes.items()} == {
        "feed": [],
        "net/conv": ["feed"],
    }
    assert nodes["feed"].attr["dtype"].type == pb.DT_FLOAT
    attributes = nodes["net/conv"].attr
    assert attributes["groups"].i == 1
    assert list(attributes["pads"].list.i) == [1, 2]
    assert attributes["mixed"].s == b'[1, "a"]'
    assert attributes["rate"].f == 0.5
    assert attributes["none"].s == b"null"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["/a", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner),
)
FIELDS = ["name", "type", "is_leaf_node", "input_vars", "output_vars", "input_nodes", "attrs"]
parts = st.dictionaries(st.sampled_from([*FIELDS, "shape", "from_node", "dtype"]), json_values)


@given(st.dictionaries(st.sampled_from(["nodes", "vars"]), st.lists(parts) | json_values))
def test_any_json_becomes_a_graph(content: dict[str, Any]) -> None:
    definition("visualdl", content)


def test_without_operators_there_is_no_graph() -> None:
    with pytest.raises(DamagedValue, match="keras"):
        graph_definition(LoggedGraph("keras", {}))


def test_a_tensorflow_graph_is_unchanged() -> None:
    message = pb.GraphDef(node=[pb.NodeDef(name="a:b", op="X")])
    assert pb.GraphDef.FromString(graph_definition(LoggedGraph("tensorflow", message))) == message
