"""The optimized view."""

from __future__ import annotations

from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.optimized_view import MAX_BYPASSED_EDGES, optimize


def draft_of(*leaves: tuple[str, str, str]) -> GraphDraft:
    """(name, type, keys of its inputs); keys count from 1."""
    return GraphDraft(
        {
            str(i): Leaf(
                name, kind, inputs={key.removeprefix("^"): key[0] == "^" for key in inputs.split()}
            )
            for i, (name, kind, inputs) in enumerate(leaves, 1)
        },
        {"p": Leaf("p", "Parameter", ((-1,),))},
    )


def kept(draft: GraphDraft) -> dict[str, dict[str, bool]]:
    optimize(draft)
    return {leaf.name: leaf.inputs for leaf in draft.operators.values()}


def test_training_nodes_are_dropped() -> None:
    draft = draft_of(
        ("n/A", "A", ""),
        ("n/B", "B", "1"),
        ("Gradients/n/B", "B", "2"),
        ("n/optimizer-Adam/Mul", "Mul", "3"),
        ("n/Assign", "Assign", "2"),
        ("n/C", "C", "4"),
    )
    draft.operators["5"].instance_name = "my_opt"
    assert kept(draft) == {"n/A": {}, "n/B": {"1": False}}


def test_plumbing_hands_its_inputs_on() -> None:
    draft = draft_of(
        ("n/A", "A", ""),
        ("n/Load", "Load", "^1 p"),
        ("n/MakeTuple", "MakeTuple", "2"),
        ("n/B", "B", "3 ^p"),
    )
    assert kept(draft) == {"n/A": {}, "n/B": {"1": True, "p": False}}
    assert draft.operators["4"].dynamic


def test_plumbing_in_a_circle_ends() -> None:
    draft = draft_of(
        ("n/A", "A", ""), ("n/Load1", "Load", "1 3"), ("n/Load2", "Load", "2"), ("n/B", "B", "3")
    )
    assert kept(draft)["n/B"] == {"1": False}


def test_scopes_named_after_their_only_type_are_dissolved() -> None:
    draft = draft_of(
        ("n/relu-ReLU/A", "ReLU", "p"),
        ("n/relu-ReLU/B", "ReLU", "1"),
        ("n/one-ReLU/C", "ReLU", "2"),
        ("n/dense/D", "Bias", "3"),
        ("n/dense/E", "Bias", "4"),
        ("Abs/F", "Abs", "5"),
        ("Abs/G", "Abs", "6"),
        ("n/Mul/H", "Mul", "7"),
        ("n/Mul/I", "Mul", "8"),
        ("n/Mul/s/J", "Neg", "9"),
    )
    names = list(kept(draft))
    assert names[-2:] == ["n/A", "n/B"]
    assert names[:-2] == [
        *("n/one-ReLU/C", "n/dense/D", "n/dense/E", "Abs/F", "Abs/G"),
        *("n/Mul/H", "n/Mul/I", "n/Mul/s/J"),
    ]


def test_chains_with_growing_edges_terminate() -> None:
    leaves = [("n/A0", "A", "p")]
    for i in range(1, 1200):
        leaves += [
            (f"n/S{i}", "UpdateState", f"{2 * i - 1} {2 * i - 2}"),
            (f"n/A{i}", "A", f"{2 * i}"),
        ]
    draft = draft_of(*leaves)
    optimize(draft)
    edges = sum(len(leaf.inputs) for leaf in draft.operators.values())
    assert len(leaves) < edges <= MAX_BYPASSED_EDGES + 3 * len(leaves)
    assert sum(leaf.type == "A" for leaf in draft.operators.values()) == 1200
