"""Programs of PaddlePaddle, one of them written by PaddlePaddle."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.graph.visualdl_graph import visualdl_draft
from mindviz.datavisual.payloads.graph_message import visualdl_graph
from mindviz.errors import DamagedValue

PIR = Path(__file__).parents[2] / "golden" / "real" / "paddle" / "program.json"


def graph_of(value: bytes) -> Graph:
    content: Any = visualdl_graph(value).content
    return assembled(visualdl_draft(content))


def leaves(graph: Graph) -> dict[str, Any]:
    return {node.name: node for node in graph.nodes if node.type != "name_scope"}


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Fields of a protobuf message, with lengths below 128."""
    encoded = b""
    for number, value in fields:
        if isinstance(value, int):
            encoded += bytes([number << 3, value])
        else:
            content = value.encode() if isinstance(value, str) else value
            assert len(content) < 128
            encoded += bytes([number << 3 | 2, len(content)]) + content
    return encoded


def operator(kind: str, source: str, target: str, *attributes: bytes) -> bytes:
    slots = [(1, message((1, "X"), (2, source))), (2, message((1, "Out"), (2, target)))]
    return message(*slots, (3, kind), *((4, attribute) for attribute in attributes))


def variable(name: str) -> bytes:
    # FP32, shape [-1, 2]: -1 is ten bytes as a varint.
    tensor = message((1, 5)) + b"\x10" + b"\xff" * 9 + b"\x01" + message((2, 2))
    return message((1, name), (2, message((1, 7), (3, message((1, tensor))))))


NAME_SCOPE = message((1, "op_namescope"), (2, 2), (5, "/net/"))
AXIS = message((1, "axis"), (2, 0), (3, 1))


def program(*operators: bytes, number: int = 0) -> bytes:
    content = message((1, number), (2, 0), (3, variable("x")), *((4, item) for item in operators))
    return b"\x0a" + bytes([len(content) & 127 | 128, len(content) >> 7]) + content


def test_operators_are_nodes_in_the_scopes_they_name() -> None:
    graph = graph_of(
        program(operator("feed", "f", "x"), operator("mul", "x", "y", NAME_SCOPE, AXIS))
    )
    nodes = leaves(graph)
    assert list(nodes) == ["feed_0", "net/mul_0"]
    assert dict(nodes["net/mul_0"].attributes()) == {"axis": "1"}
    edge = nodes["net/mul_0"].inputs["feed_0"]
    assert (edge.shapes, edge.data_type) == (((-1, 2),), "FP32")


def test_the_last_write_to_a_variable_counts() -> None:
    nodes = leaves(
        graph_of(
            program(
                operator("feed", "f", "x"), operator("relu", "x", "x"), operator("mul", "x", "y")
            )
        )
    )
    assert list(nodes["relu_0"].inputs) == ["feed_0"]
    assert list(nodes["mul_0"].inputs) == ["relu_0"]


def test_other_blocks_are_scopes() -> None:
    value = program(operator("while", "c", "c")) + program(operator("mul", "x", "x"), number=1)
    assert list(leaves(graph_of(value))) == ["while_0", "block_1/mul_0"]


def test_a_program_that_paddle_wrote() -> None:
    nodes = leaves(graph_of(PIR.read_bytes()))
    assert list(nodes["Block/Linear/add_0"].inputs) == ["Block/Linear/matmul_0"]
    assert nodes["Block/Linear/matmul_0"].inputs["data_0"].shapes == ((-1, 4),)
    assert dict(nodes["data_0"].attributes())["name"] == "x"
    condition = nodes["(if_0)"]
    assert sorted(condition.inputs) == ["greater_than_0", "if_0/yield_0", "if_0/yield_1"]
    assert "p_0" not in nodes


@pytest.mark.parametrize("value", [b"\x0a\x05ab", b"\x0a\x02\x22\x09", b"\x0b\x01", b"\x0a"])
def test_truncated_programs_are_damaged(value: bytes) -> None:
    with pytest.raises(DamagedValue):
        visualdl_graph(value)


KEYS = st.sampled_from(["#", "%", "A", "AT", "D", "I", "N", "O", "TT", "blocks", "ops", "regions"])
CONTENT = st.recursive(
    st.none() | st.integers(-1, 3) | st.sampled_from(["1.if", "2.yield", "p", "struct_name"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


@given(content=CONTENT)
def test_any_json_is_a_program_which_may_be_empty(content: Any) -> None:
    holder = {
        "regions": [{"blocks": [{"ops": content if isinstance(content, list) else [content]}]}]
    }
    value = orjson.dumps({"base_code": {"magic": "pir"}, "program": holder})
    for node in graph_of(value).nodes:
        assert node.attributes() is not None


@given(tail=st.binary(max_size=60))
def test_any_bytes_are_a_program_or_damaged(tail: bytes) -> None:
    with suppress(DamagedValue):
        graph_of(b"\x0a" + tail)
