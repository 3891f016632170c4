"""Edges of scopes."""

from __future__ import annotations

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.draft import GraphDraft, Leaf


def test_a_scope_has_the_edges_that_leave_or_enter_it_and_no_others() -> None:
    graph = assembled(
        GraphDraft(
            {
                "1": Leaf("s/t/A", "A", ((1,),)),
                "2": Leaf("s/t/B", "B", ((2,),), inputs={"1": False}),
                "3": Leaf("s/C", "C", inputs={"2": False}),
                "4": Leaf("D", "D", inputs={"2": True, "3": False}),
            }
        )
    )
    top, outer = graph.children("")
    (_, inner) = graph.children("s")
    assert {name: edge.control for name, edge in outer.outputs.items()} == {"D": False}
    assert not outer.inputs
    assert {name: edge.control for name, edge in inner.outputs.items()} == {"s/C": False, "D": True}
    assert {name: edge.shapes for name, edge in top.inputs.items()} == {"s/t/B": ((2,),), "s/C": ()}


def test_the_last_of_several_edges_to_a_node_wins() -> None:
    graph = assembled(
        GraphDraft(
            {
                "1": Leaf("s/A", "A", ((1,),)),
                "2": Leaf("s/B", "B", ((2,),)),
                "3": Leaf("C", "C", inputs={"2": False, "1": True}),
            }
        )
    )
    scope = graph.children("")[1]
    assert scope.outputs["C"].shapes == ((2,),)
