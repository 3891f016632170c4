"""Drafts of MindSpore's graphs."""

from __future__ import annotations

import pytest

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.mindspore_graph import mindspore_draft
from mindviz.datavisual.graph.optimized_view import optimize
from mindviz.datavisual.payloads.graph_definition import mindspore_key
from mindviz.wire.proto import mindspore_pb2 as pb
from tests.mindspore_graphs import (
    EXAMPLES,
    MALFORMED,
    constant,
    graph,
    op,
    parameter,
    tensor_type,
    text,
)


@pytest.mark.parametrize(
    ("name", "key"), [("12", "12"), ("Default/a/Conv2D-op12", "12"), ("a/loop", ""), ("", "")]
)
def test_inputs_name_nodes_by_number(name: str, key: str) -> None:
    assert mindspore_key(name) == key


def test_operators_have_their_full_name_unless_a_summary_names_them() -> None:
    draft = mindspore_draft(
        graph(
            [
                op("1", "A", "s", full_name="s/A-op9"),
                op("s/A-op2", "A", "s", full_name=""),
                op("3", "ScalarSummary", "s", full_name="loss[:Scalar]"),
                op("", "A", "s"),
            ]
        )
    )
    assert [leaf.name for leaf in draft.operators.values()] == [
        "s/A-op9",
        "s/A-op2",
        "s/ScalarSummary-op3",
    ]


def test_parameters_and_constants_have_types_and_values() -> None:
    draft = mindspore_draft(
        graph([], [parameter("w", (2, -1))], [constant("c"), constant("large", text("x" * 2000))])
    )
    weight = draft.parameters["w"]
    assert dict(weight.attributes()) == {"shape": "[[2, -1]]", "type": "DT_TENSOR[DT_FLOAT32]"}
    assert dict(draft.constants["c"].attributes()) == {"c": "dtype: DT_INT64\nint_val: 7\n"}
    assert dict(draft.constants["large"].attributes()) == {"large": "dtype: DT_STRING"}


def test_large_attributes_are_omitted_and_some_mark_dynamic_shapes() -> None:
    attributes = {
        "large": text("x" * 2000),
        "output_is_dynamic_shape": pb.ValueProto(dtype=pb.DT_BOOL, bool_val=True),
    }
    leaf = mindspore_draft(graph([op("1", "A", "s", attributes=attributes)])).operators["1"]
    assert list(leaf.attributes()) == ["output_is_dynamic_shape"]
    assert leaf.dynamic


def test_control_and_data_edges_have_the_logged_ends() -> None:
    built = assembled(
        mindspore_draft(
            graph(
                [
                    op("1", "A", "s", output=tensor_type((3,))),
                    op("2", "B", "t", "1", "^p", output_index=1),
                ],
                [parameter("p", (4,))],
            )
        )
    )
    consumer = built.children("t")[0]
    assert {name: (edge.control, edge.shapes) for name, edge in consumer.inputs.items()} == {
        "s/A-op1": (False, ((3,),)),
        "t/p": (True, ((4,),)),
    }
    assert consumer.output_index == 1


@pytest.mark.parametrize("optimized", [False, True])
@pytest.mark.parametrize("name", [*EXAMPLES, *MALFORMED])
def test_every_example_becomes_a_graph(name: str, *, optimized: bool) -> None:
    draft = mindspore_draft({**EXAMPLES, **MALFORMED}[name]())
    if optimized:
        optimize(draft)
    built = assembled(draft)
    assert built.nodes
    for node in built.nodes:
        assert built.scopes_around(node.name)[0].name == ""
        assert all(isinstance(shown, str) for shown in node.attributes().values())


def test_names_may_contain_any_text() -> None:
    built = assembled(mindspore_draft(MALFORMED["odd_names"]()))
    assert 'Default/<b>"A"' in [node.name for node in built.children("Default")]
