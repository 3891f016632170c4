"""Queries of a graph."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.graph import Graph, Hit
from mindviz.errors import GraphNodeNotFound


def graph_of(*names: str) -> Graph:
    return assembled(GraphDraft({name: Leaf(name, name) for name in names}))


GRAPH = graph_of("net/Conv/Conv1", "net/Conv/bias", "net/conv2", "CONV\0A", "other/x")


def shown(hits: list[Hit]) -> list[object]:
    return [(hit.node.name, shown(hit.below)) if hit.below else hit.node.name for hit in hits]


def search(text: str, offset: int = 0, limit: int = 100) -> list[object]:
    return shown(list(GRAPH.search(text, offset=offset, limit=limit)))


def test_a_search_answers_with_the_scopes_that_lead_to_hits() -> None:
    assert search("conv") == [
        ("net", [("net/Conv", ["net/Conv/Conv1"]), "net/conv2"]),
        "CONV\0A",
    ]


def test_a_search_matches_the_last_part_of_names_and_may_include_scopes() -> None:
    assert search("net") == ["net"]
    assert search("net/c") == [("net", ["net/conv2", "net/Conv"])]
    assert search("CONV/") == [("net", [("net/Conv", ["net/Conv/Conv1", "net/Conv/bias"])])]
    assert search("") == search("/") == search("nothing") == []


def test_a_search_has_pages() -> None:
    assert search("conv", 0, 1) == [("net", [("net/Conv", ["net/Conv/Conv1"])])]
    assert search("conv", 1, 2) == ["CONV\0A", ("net", ["net/Conv"])]
    assert search("conv", 9, 2) == []


@given(
    names=st.sets(st.text("aAİ/ß", max_size=6), max_size=8),
    text=st.text("aAi/ßs", min_size=1, max_size=3),
)
def test_a_search_equals_an_exhaustive_one(names: set[str], text: str) -> None:
    graph = graph_of(*names)
    found: list[str] = []
    waiting = list(graph.search(text, offset=0, limit=1000))
    while waiting:
        hit = waiting.pop()
        found.append(hit.node.name)
        waiting += hit.below
    expected = {
        node.name
        for node in graph.nodes
        if text.lower() in node.name.lower()
        and "/" not in node.name.lower().rpartition(text.lower())[2]
    }
    if text == "/":
        expected = set()
    assert expected <= set(found)
    assert all(any(one.startswith(f"{name}/") for one in expected) for name in {*found} - expected)


def test_the_scopes_around_a_node() -> None:
    def around(name: str) -> list[str]:
        return [scope.name for scope in GRAPH.scopes_around(name)]

    assert around("net/Conv/bias") == ["", "net", "net/Conv"]
    assert around("net/Conv") == ["", "net"]
    assert around("net") == [""]


def test_leaves_are_nodes_without_children() -> None:
    assert [node.name for node in GRAPH.leaves("net")] == [
        "net/conv2",
        "net/Conv/Conv1",
        "net/Conv/bias",
    ]
    assert list(GRAPH.leaves("net/conv2")) == []


def test_an_unknown_node_is_an_error() -> None:
    for ask in (GRAPH.children, GRAPH.scopes_around, lambda name: list(GRAPH.leaves(name))):
        with pytest.raises(GraphNodeNotFound, match="'nowhere'"):
            ask("nowhere")
    assert GRAPH.children("other/x") == []
