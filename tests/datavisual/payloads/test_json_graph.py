from __future__ import annotations

from mindviz.datavisual.payloads.json_graph import json_operators, json_texts, mappings

CONTENT = {
    "vars": [
        {"name": "x", "from_node": "/a", "shape": [1], "dtype": "VarType.FP32"},
        {"name": "y"},
        "broken",
    ],
    "nodes": [
        {"name": "/a", "type": "conv", "is_leaf_node": True, "output_vars": {"O": ["x", "z"]}},
        {"name": "/b", "input_nodes": ["/c", 5], "input_vars": {"I": ["x", "y"]}, "attrs": []},
        {"name": "/scope", "children_node": ["/a"]},
        {"name": "/"},
    ],
}


def test_operators_have_their_sources_and_output_variables() -> None:
    first, second = json_operators(CONTENT)
    assert (first.name, first.type, first.inputs) == ("/a", "conv", {})
    assert first.outputs == [CONTENT["vars"][0]]
    assert (second.inputs, second.attributes) == ({"/c": False, "/a": False}, {})


def test_attributes_are_texts() -> None:
    assert json_texts({"mode": "same", "size": [1, 2]})() == {"mode": "same", "size": "[1,2]"}


def test_only_objects_of_a_list_are_read() -> None:
    assert list(mappings([1, {"a": 2}, None])) == [{"a": 2}]
    assert list(mappings("text")) == []
