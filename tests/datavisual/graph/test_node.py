"""Names of nodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.graph.node import MAX_DEPTH, Node, joined_name, split_name

names = st.lists(st.text("ab/", max_size=3), max_size=2 * MAX_DEPTH).map("/".join)


@given(name=names)
def test_a_name_is_its_scope_and_the_rest(name: str) -> None:
    scope, rest = split_name(name)
    assert scope.count("/") < MAX_DEPTH
    assert name in (joined_name(scope, rest), f"/{rest}")


@pytest.mark.parametrize(
    ("name", "split"),
    [("a", ("", "a")), ("a/b/c", ("a/b", "c")), ("a//b", ("a/", "b")), ("/a", ("", "a"))],
)
def test_the_scope_ends_at_the_last_slash(name: str, split: tuple[str, str]) -> None:
    assert split_name(name) == split


def test_nodes_are_equal_only_to_themselves() -> None:
    one, other = Node("a", "A"), Node("a", "A")
    assert one != other
    assert not one.is_scope
    assert Node("a", "name_scope").is_scope
    assert one.inputs is not other.inputs
