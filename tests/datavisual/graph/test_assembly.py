"""Scopes made from leaves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.datavisual.graph import draft as draft_module
from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.graph.node import MAX_NAME, MAX_SIZES, NAME_SCOPE, Node
from mindviz.errors import AnswerTooLarge


def draft_of(edges: dict[str, list[str]], parameters: str = "", constants: str = "") -> GraphDraft:
    """Operators by name; the type is the end of the name, without digits."""
    return GraphDraft(
        {
            name: Leaf(name, name.rpartition("/")[2].strip("0123456789"), inputs=inputs_of(sources))
            for name, sources in edges.items()
        },
        {name: Leaf(name, "Parameter") for name in parameters.split()},
        {name: Leaf(name, "Const") for name in constants.split()},
    )


def inputs_of(sources: list[str]) -> dict[str, bool]:
    return {source.removeprefix("^"): source.startswith("^") for source in sources}


def names(graph: Graph, scope: str = "") -> list[str]:
    return [node.name for node in graph.children(scope)]


def test_scopes_come_after_leaves_and_before_constants() -> None:
    graph = assembled(draft_of({"n/s/A1": [], "n/B": ["k", "p"], "n/C": ["k"]}, "p unused", "k"))
    assert names(graph) == ["n"]
    assert names(graph, "n") == ["n/B", "n/C", "n/p", "n/s", "n/k"]
    assert names(graph, "n/s") == ["n/s/A1"]
    assert [node.type for node in graph.children("n")] == [
        *"BC",
        "Parameter",
        "name_scope",
        "Const",
    ]


def test_parameters_and_constants_are_copied_into_every_scope_that_uses_them() -> None:
    graph = assembled(draft_of({"a/A": ["p", "k"], "b/A": ["p"], "A": ["k"]}, "p", "k"))
    assert names(graph, "a") == ["a/A", "a/p", "a/k"]
    assert names(graph, "b") == ["b/A", "b/p"]
    assert names(graph) == ["A", "a", "b", "k"]
    assert list(graph.children("a")[1].outputs) == ["a/A"]


def test_five_of_a_kind_are_gathered_and_their_constants_with_them() -> None:
    edges = {f"n/A{i}": ["k"] for i in range(5)} | {f"n/B{i}": ["n/A1"] for i in range(4)}
    graph = assembled(draft_of(edges, constants="k"))
    assert names(graph, "n") == [*(f"n/B{i}" for i in range(4)), "n/A[5]_0"]
    gathered = [f"n/A[5]_0/A{i}" for i in range(5)]
    assert names(graph, "n/A[5]_0") == [*gathered, "n/A[5]_0/k"]
    group = graph.children("n")[-1]
    assert group.type == "aggregation_scope"
    assert list(group.outputs) == [f"n/B{i}" for i in range(4)]
    assert not group.inputs


def test_five_parameters_are_drawn_apart() -> None:
    graph = assembled(draft_of({"n/A": list("pqrst"), "n/B": ["^p"]}, "p q r s t"))
    consumer, other, group = graph.children("n")
    assert group.independent
    assert group.name == "n/Parameter[5]_0"
    assert group.proxy_outputs == {"n/A": False, "n/B": True}
    assert consumer.proxy_inputs == {"n/Parameter[5]_0": False}
    assert other.proxy_inputs == {"n/Parameter[5]_0": True}
    assert all(edge.independent for edge in consumer.inputs.values())
    assert not group.children[0].outputs["n/A"].independent


def test_a_node_named_like_a_scope_gets_brackets() -> None:
    graph = assembled(draft_of({"n/a": [], "n/a/A": ["n/a", "a/b"], "(n)": []}, "a/b"))
    assert names(graph, "n") == ["n/(a)", "n/a"]
    assert list(graph.children("n/a")[0].inputs) == ["n/(a)", "n/a/a/b"]


def test_duplicate_names_are_numbered() -> None:
    draft = GraphDraft({key: Leaf("a", "A") for key in "123"} | {"4": Leaf("a(1)", "A")})
    assert names(assembled(draft)) == ["a", "a(1)", "a(2)", "a(1)(1)"]


def test_edges_from_missing_nodes_are_dropped_and_cycles_kept() -> None:
    graph = assembled(draft_of({"a/A": ["b/B", "gone"], "b/B": ["a/A", "b/B"]}))
    first, second = graph.children("")
    assert list(first.inputs) == list(first.outputs) == ["b/B"]
    assert list(second.inputs) == list(second.outputs) == ["a/A"]
    assert set(graph.children("b")[0].inputs) == {"a/A", "b/B"}


def test_deep_names_and_long_chains_need_no_recursion() -> None:
    deep = "/".join("s" * 5000)
    edges: dict[str, list[str]] = {deep: []} | {
        f"chain/A{i}": [f"chain/A{i - 1}"] for i in range(20_000)
    }
    graph = assembled(draft_of(edges))
    assert len(list(graph.leaves(""))) == 20_001


keys = st.text("ab/(1)", max_size=5)
drafts = st.builds(
    GraphDraft,
    *[
        st.dictionaries(
            keys,
            st.builds(Leaf, keys, kind, inputs=st.dictionaries(keys, st.booleans(), max_size=3)),
            max_size=8,
        )
        for kind in (st.sampled_from(["A", "A/B", "Const", "name_scope"]), st.just("Parameter"))
    ],
    st.dictionaries(keys, st.builds(Leaf, keys, st.just("Const")), max_size=3),
)


def walk(node: Node) -> list[Node]:
    return [node, *(one for child in node.children for one in walk(child))]


@settings(max_examples=150)
@given(draft=drafts, threshold=st.integers(2, 6))
def test_any_graph_becomes_a_tree_with_consistent_edges(draft: GraphDraft, threshold: int) -> None:
    graph = assembled(draft, aggregated_from=threshold)
    tree = [node for child in graph.children("") for node in walk(child)]
    assert sorted(map(id, tree)) == sorted(map(id, graph.nodes))
    assert len({node.name for node in tree}) == len(tree)
    by_name = {node.name: node for node in tree}
    leaves = [node for node in tree if not node.children]
    operators = [node for node in leaves if node.type not in ("Parameter", NAME_SCOPE)]
    assert len(operators) >= len(draft.operators) - sum(
        leaf.type == NAME_SCOPE for leaf in draft.operators.values()
    )
    for node in leaves:
        for name, edge in node.inputs.items():
            back = by_name[name].outputs[node.name]
            assert (back.control, back.shapes) == (edge.control, edge.shapes)


def test_duplicate_names_are_numbered_in_linear_time() -> None:
    draft = GraphDraft()
    for number in range(20_000):  # each would try all numbers before its own
        draft.add(draft.operators, "n", Leaf("n", f"Op{number}"))
    graph = assembled(draft)
    assert names(graph)[:3] == ["n", "n(1)", "n(2)"]
    assert len(graph.nodes) == 20_000


def test_texts_repeated_by_edges_are_truncated() -> None:
    long = "L" * 5000
    shapes = tuple((1,) * 100 for _ in range(100))
    draft = GraphDraft(
        {
            "1": Leaf(long, "A", shapes, data_type=long),
            "2": Leaf("b", "B", inputs={"1": False}),
        }
    )
    first, second = assembled(draft).children("")
    assert first.name == "L" * MAX_NAME + "..."
    (edge,) = second.inputs.values()
    assert sum(map(len, edge.shapes)) == MAX_SIZES
    assert edge.data_type == first.name


def test_more_edges_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft_module, "MAX_EDGES", 2)
    assembled(draft_of({"A": [], "B": ["A"], "C": ["B"]}))
    with pytest.raises(AnswerTooLarge):
        assembled(draft_of({"A": [], "B": ["A"], "C": ["A", "B"]}))
