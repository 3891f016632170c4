"""Names and patterns, resolved against what exists."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mindviz.client.names import NameChoice, full_train_id
from mindviz.errors import InvalidQuery

KNOWN = ("train/loss", "valid/loss", "Acc")


@pytest.mark.parametrize(
    ("names", "matches"),
    [
        ("loss", {"loss"}),
        (["a", "b", "a"], {"a", "b"}),
        ((), set()),
        ({"a": 1}, {"a"}),
        (re.compile("loss$"), {"train/loss", "valid/loss"}),
        (re.compile("^acc", re.IGNORECASE), {"Acc"}),
        (["x", re.compile("^valid/")], {"x", "valid/loss"}),
        (re.compile("nothing"), set()),
    ],
)
def test_strings_are_exact_and_patterns_are_searched(names: Any, matches: set[str]) -> None:
    choice = NameChoice.of(names)
    assert choice is not None
    assert choice.resolved(lambda: KNOWN) == matches


def test_none_is_all() -> None:
    assert NameChoice.of(None) is None


@pytest.mark.parametrize("name", [5, b"loss", re.compile(b"x"), None])
def test_anything_else_is_a_type_error(name: Any) -> None:
    with pytest.raises(TypeError, match="neither a string nor a compiled pattern"):
        NameChoice.of([name])


def test_a_pattern_beyond_re2_is_refused() -> None:
    choice = NameChoice.of(re.compile("(?=loss)"))
    assert choice is not None
    with pytest.raises(InvalidQuery, match="regular expression"):
        choice.resolved(lambda: KNOWN)


@pytest.mark.parametrize(
    ("given", "full"),
    [("run", "./run"), ("./run", "./run"), ("a/b", "./a/b"), ("./", "./"), (".", "./"), ("", "./")],
)
def test_the_prefix_of_a_train_id_is_optional(given: str, full: str) -> None:
    assert full_train_id(given) == full
