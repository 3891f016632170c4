"""The nodes of one scope in the order of data flow, and stacks of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.graph.mindspore_graph import mindspore_draft
from mindviz.datavisual.graph.scope_order import MAX_NODES, MAX_STACKS, MIN_STACK, ScopePart
from tests.mindspore_graphs import graph, op, parameter


def chain(count: int, *extra: tuple[int, int]) -> Graph:
    """Operators of different types in one scope, each with the previous one as input."""
    feeds: dict[int, list[str]] = {i: [str(i - 1)] for i in range(1, count)}
    for start, end in extra:
        feeds.setdefault(end, []).append(str(start))
    ops = [op(str(i), f"T{i}", "net", *feeds.get(i, [])) for i in range(count)]
    last = op("end", "End", "other", "3")
    return assembled(mindspore_draft(graph([*reversed(ops), last])))


def names(part: ScopePart) -> list[str]:
    return [node.name.rpartition("/")[2] for node in part.nodes]


def test_a_small_scope_has_no_stacks_and_follows_the_flow() -> None:
    part = chain(4).order("net").part()
    assert names(part) == ["T0-op0", "T1-op1", "T2-op2", "T3-op3"]
    assert (part.total, part.stacks, part.places) == (4, [], {})


def test_the_root_and_leaves_are_scopes() -> None:
    network = chain(2)
    assert names(network.order("").part()) == ["net", "other"]
    assert network.order("net/T1-op1").part().total == 0


def test_a_large_scope_is_stacks_with_their_inputs() -> None:
    network = chain(1000, (0, 999))
    part = network.order("net").part()
    assert part.nodes == []
    assert [(stack.first, stack.last) for stack in part.stacks[:2]] == [(1, 50), (51, 100)]
    assert part.stacks[0].sources == {}
    assert part.stacks[1].sources == {50: False}
    assert part.stacks[-1].sources == {950: False, 1: False}
    # Edges out of the scope are found from their targets.
    assert part.places == {"net/T3-op3": 4}


def test_a_stack_expands_to_nodes_with_the_places_of_their_inputs() -> None:
    part = chain(1000).order("net").part(51, 100)
    assert names(part)[0] == "T50-op50"
    assert part.places["net/T50-op50"] == 51
    assert part.places["net/T49-op49"] == 50


def test_a_nested_node_has_the_place_of_its_scope() -> None:
    network = chain(300)
    node = network.node("net/T7-op7")
    assert network.order("net").place(node) == 8
    assert network.order("").place(node) == network.order("").place(network.node("net"))
    assert network.order("other").place(node) is None
    assert network.order("net").part(1, 1, node).places["net/T7-op7"] == 8
    assert network.order("").part(1, 1, node).places == {}


def test_independent_parameters_come_last_in_separate_stacks() -> None:
    ops = [op(str(i), f"T{i}", "net", *([str(i - 1)] if i else [])) for i in range(MAX_NODES + 10)]
    ops += [op("u", "Use", "net", *(f"w{i}" for i in range(600)))]
    network = assembled(mindspore_draft(graph(ops, [parameter(f"w{i}") for i in range(600)])))
    [group] = [node for node in network.children("net") if node.independent]
    part = network.order("net").part()
    # The group is one box next to the stacks of the flow; expanded, all its nodes are separate.
    assert [node.name for node in part.nodes] == [group.name]
    assert not any(stack.independent for stack in part.stacks)
    assert all(stack.independent for stack in network.order(group.name).part().stacks)


@settings(max_examples=40, deadline=None)
@given(
    count=st.integers(4, 700),
    extra=st.lists(st.tuples(st.integers(0, 699), st.integers(0, 699)), max_size=30),
)
def test_fully_expanded_stacks_contain_every_node_once(
    count: int, extra: list[tuple[int, int]]
) -> None:
    network = chain(count, *[(a % count, b % count) for a, b in extra])
    order = network.order("net")
    seen: list[str] = []
    waiting = [order.part()]
    while waiting:
        part = waiting.pop()
        assert len(part.nodes) <= MAX_NODES
        assert len(part.stacks) <= MAX_STACKS
        seen += [node.name for node in part.nodes]
        for stack in part.stacks:
            assert stack.last - stack.first < max(MIN_STACK, count / MAX_STACKS + 1)
            assert all(not stack.first <= place <= stack.last for place in stack.sources)
            waiting.append(order.part(stack.first, stack.last))
    assert sorted(seen) == sorted(node.name for node in network.children("net"))
