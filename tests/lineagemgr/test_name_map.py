"""Rules that rename tags and parameters, and errors in them."""

from __future__ import annotations

import pytest

from mindviz.errors import InvalidQuery
from mindviz.lineagemgr.name_map import MAX_RULES, parse_rules


@pytest.mark.parametrize(
    ("rule", "name", "new_name"),
    [
        ("train/loss=loss", "train/loss", "loss"),
        ("train/loss=loss", "train/loss2", "train/loss2"),
        ("train/*=*", "train/a/b", "a/b"),
        ("train/*=training/*", "train/", "training/"),
        ("*_loss = loss/*", "val_loss", "loss/val"),
        ("ab*ba=*", "aba", "aba"),
        ("a=b = c=d", "a=b", "c=d"),
        ("debug/*=", "debug/x", None),
    ],
)
def test_a_rule_renames(rule: str, name: str, new_name: str | None) -> None:
    assert parse_rules([rule]).tags.of(name) == new_name


def test_the_first_matching_rule_applies() -> None:
    names = parse_rules(["# of the port", "", "train/loss = a", "train/* = b/*"])
    assert names.tags.applied(["train/loss", "train/acc", "lr"]) == {
        "a": "train/loss", "b/acc": "train/acc", "lr": "lr",
    }  # fmt: skip


def test_rules_of_parameters_do_not_rename_tags() -> None:
    names = parse_rules(["config:lr=learning_rate"])
    assert names.tags.of("lr") == "lr"
    assert names.config.of("lr") == "learning_rate"


def test_names_left_out_are_left_out_of_both_runs() -> None:
    names = parse_rules(["debug/*=", "a=debug"])
    assert names.tags.kept(["debug/x", "a"]) == ["a"]


def test_unused_rules_are_known() -> None:
    (rule,) = parse_rules(["a=b", "c*=d*"]).tags.unused(["a", "b"])
    assert rule.text == "c*=d*"


def test_two_names_cannot_become_one() -> None:
    with pytest.raises(InvalidQuery, match="'a' and 'b' the same name, 'b'"):
        parse_rules(["a=b"]).tags.applied(["a", "b"])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("loss", "expected NAME=NEW_NAME"),
        ("=loss", "name before '=' is missing"),
        ("config:=loss", "name before '=' is missing"),
        ("a*b*=c", "at most one"),
        ("a=*", "requires one in the name"),
    ],
)
def test_an_error_names_the_line(line: str, complaint: str) -> None:
    with pytest.raises(InvalidQuery, match=f"port.txt, line 2, .*{complaint}"):
        parse_rules(["a=b", line], "port.txt, line")


def test_the_number_of_rules_is_limited() -> None:
    with pytest.raises(InvalidQuery, match=f"more than {MAX_RULES}"):
        parse_rules([f"{number}=a" for number in range(MAX_RULES + 1)])
