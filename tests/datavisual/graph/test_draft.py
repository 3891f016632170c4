"""Drafts: leaves and their keys."""

from __future__ import annotations

from mindviz.datavisual.graph.draft import GraphDraft, Leaf


def test_consumers_of_a_dynamic_shape_are_dynamic_but_not_their_consumers() -> None:
    draft = GraphDraft(
        operators={
            "1": Leaf("a", "A", ((2, -1),)),
            "2": Leaf("b", "A", ((2,),), inputs={"1": False}),
            "3": Leaf("c", "A", ((2,),), inputs={"2": False, "nowhere": True}),
            "4": Leaf("d", "A", inputs={"p": True}),
        },
        parameters={"p": Leaf("p", "Parameter", ((), (-2,)))},
    )
    draft.mark_dynamic()
    assert [leaf.dynamic for leaf in draft.operators.values()] == [True, True, False, True]
    assert draft.parameters["p"].dynamic


def test_operators_come_before_parameters_and_constants_of_the_same_key() -> None:
    operator, parameter, constant = (Leaf(name, "A") for name in "opc")
    draft = GraphDraft({"x": operator}, {"x": parameter, "y": parameter}, {"y": constant})
    assert draft.source("x") is operator
    assert draft.source("y") is parameter
    assert draft.source("z") is None


def test_the_first_node_of_a_key_wins() -> None:
    draft = GraphDraft()
    first, second, third = (Leaf(name, "A") for name in "abc")
    for leaf in (first, second, third):
        draft.add(draft.operators, "1", leaf)
    assert draft.operators["1"] is first
    assert list(draft.operators.values()) == [first, second, third]
