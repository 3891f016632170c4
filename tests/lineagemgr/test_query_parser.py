"""The query language, and refused queries."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.errors import InvalidLineageQuery
from mindviz.lineagemgr.conditions import EVERYTHING, AllOf, AnyOf, Comparison, Not
from mindviz.lineagemgr.query import LineageQuery
from mindviz.lineagemgr.query_parser import MAX_COMPARISONS, MAX_DEPTH, parse_query


@pytest.mark.parametrize("body", [None, {}, {"network": {}}, {"lineage_type": {}}])
def test_without_conditions_everything_matches(body: Any) -> None:
    assert parse_query(body) == LineageQuery()


def test_fields_and_operations_must_all_match() -> None:
    query = parse_query({"epoch": {"ge": 1, "lt": 5}, "network": {"in": ["a", 3]}})
    assert query.condition == AllOf(
        (
            Comparison("epoch", "ge", 1),
            Comparison("epoch", "lt", 5),
            Comparison("network", "in", ["a", 3]),
        )
    )


def test_groups_can_be_nested() -> None:
    body = {"or": [{"loss": {"lt": 1}}, {"not": {"and": [{"tag": {"eq": 1}}, {}]}}]}
    assert parse_query(body).condition == AllOf(
        (
            AnyOf(
                (
                    AllOf((Comparison("loss", "lt", 1),)),
                    AllOf(
                        (Not(AllOf((AllOf((AllOf((Comparison("tag", "eq", 1),)), EVERYTHING)),))),)
                    ),
                )
            ),
        )
    )


@pytest.mark.parametrize(
    ("body", "limit", "offset"),
    [
        ({}, None, 0),
        ({"limit": 3}, 3, 0),
        ({"offset": 2}, 10, 2),
        ({"limit": 100_000, "offset": 100_000}, 100_000, 100_000),
    ],
)
def test_pages(body: dict[str, Any], limit: int | None, offset: int) -> None:
    query = parse_query(body)
    assert (query.limit, query.offset) == (limit, offset)


@pytest.mark.parametrize(
    "name",
    [
        "loss",
        "summary_dir",
        "dataset_mark",
        "metric/a",
        "user_defined/a/b",
        "user_defined/",
        "tag",
        "pinned",
        "update_time",
        "scalar/loss/train/last",
        "scalar//min_step",
        "scalar/loss/at_max:val%2Facc",
    ],
)
def test_all_fields_are_sortable(name: str) -> None:
    query = parse_query({"sorted_name": name, "sorted_type": "descending"})
    assert (query.sorted_name, query.descending) == (name, True)
    assert not parse_query({"sorted_name": name}).descending
    assert not parse_query({"sorted_name": name, "sorted_type": None}).descending


@pytest.mark.parametrize(
    ("condition", "types"),
    [
        ({"eq": "model"}, {"model"}),
        ({"in": ["dataset", "model"]}, {"model", "dataset"}),
        ({"not_in": ["model"]}, {"dataset"}),
    ],
)
def test_lineage_types(condition: dict[str, Any], types: set[str]) -> None:
    assert parse_query({"lineage_type": condition}).lineage_types == types


def test_scalar_columns_can_be_requested() -> None:
    names = ["scalar/loss/last", "scalar/a/b/max_step", "scalar/loss/last"]
    assert parse_query({"columns": names}).columns == tuple(names[:2])


REFUSED: list[Any] = [
    # What is no condition at all.
    [],
    "a",
    3,
    True,
    # Pages.
    {"limit": 0},
    {"limit": -1},
    {"limit": "3"},
    {"limit": 3.0},
    {"limit": True},
    {"limit": None},
    {"limit": 2**63},
    {"offset": -1},
    {"offset": 100_001},
    {"offset": "1"},
    # Fields.
    {"foo": {"eq": 1}},
    {"": {"eq": 1}},
    {"metric": {"eq": 1}},
    {"added_info": {"eq": 1}},
    {"scalar/loss": {"gt": 1}},
    {"scalar/loss/median": {"gt": 1}},
    {"scalar/loss/at_last:acc": {"gt": 1}},
    {"scalar/last": {"gt": 1}},
    # Operations.
    {"learning_rate": 3},
    {"learning_rate": {"like": 1}},
    {"network": {"lt": "a"}},
    {"hidden": {"in": [True]}},
    # Operands.
    {"learning_rate": {"eq": "a"}},
    {"learning_rate": {"eq": True}},
    {"learning_rate": {"eq": None}},
    {"learning_rate": {"in": 3}},
    {"network": {"eq": 3}},
    {"network": {"in": "Net"}},
    {"epoch": {"eq": -1}},
    {"epoch": {"eq": 2**63}},
    {"epoch": {"eq": 1.5}},
    {"epoch": {"eq": True}},
    {"metric/acc": {"eq": "x"}},
    {"metric/acc": {"eq": True}},
    {"scalar/loss/last": {"lt": "x"}},
    {"hidden": {"eq": 1}},
    # Order.
    {"sorted_name": "foo"},
    {"sorted_name": 3},
    {"sorted_name": None},
    {"sorted_name": ["loss"]},
    {"sorted_type": "ascending"},
    {"sorted_type": None},
    {"sorted_name": "loss", "sorted_type": "up"},
    {"sorted_name": "loss", "sorted_type": ["ascending"]},
    # Parts.
    {"lineage_type": "model"},
    {"lineage_type": None},
    {"lineage_type": {"eq": "x"}},
    {"lineage_type": {"eq": ["model"]}},
    {"lineage_type": {"lt": "model"}},
    {"lineage_type": {"in": ["x"]}},
    {"lineage_type": {"in": "model"}},
    {"lineage_type": {"in": [{}]}},
    # Groups.
    {"or": []},
    {"or": {"loss": {"lt": 1}}},
    {"and": [3]},
    {"not": []},
    {"or": [{"foo": {"eq": 1}}]},
    {"or": [{"limit": 3}]},
    # Expressions.
    {"network": {"regex": "("}},
    {"network": {"regex": 3}},
    {"network": {"regex": "a" * 1001}},
    {"epoch": {"regex": "1"}},
    {"network": {"regex": "a{1001}"}},
    # Columns.
    {"columns": "scalar/loss/last"},
    {"columns": ["loss"]},
    {"columns": [3]},
    {"columns": ["scalar/loss/last"] * 1001},
]


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: str(body)[:60])
def test_invalid_requests_are_refused(body: Any) -> None:
    with pytest.raises(InvalidLineageQuery):
        parse_query(body)


def test_a_question_is_not_nested_without_end() -> None:
    body: dict[str, Any] = {"loss": {"lt": 1}}
    for _ in range(MAX_DEPTH):
        body = {"not": body}
    parse_query(body)
    with pytest.raises(InvalidLineageQuery, match="nested"):
        parse_query({"not": body})


def test_a_question_has_not_any_number_of_comparisons() -> None:
    parts = [{"loss": {"lt": 1}}] * MAX_COMPARISONS
    parse_query({"or": parts})
    with pytest.raises(InvalidLineageQuery, match="comparisons"):
        parse_query({"or": [*parts, {"loss": {"lt": 1}}]})


plain = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just("model")
)
words = st.sampled_from(
    [
        "eq",
        "lt",
        "in",
        "not_in",
        "regex",
        "loss",
        "network",
        "epoch",
        "metric/a",
        "user_defined/b",
        "tag",
        "hidden",
        "limit",
        "offset",
        "sorted_name",
        "sorted_type",
        "lineage_type",
        "columns",
        "or",
        "and",
        "not",
        "scalar/a/last",
    ]
)
bodies = st.recursive(
    plain | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)


@given(body=bodies)
def test_any_json_is_a_question_or_refused(body: Any) -> None:
    try:
        query = parse_query(body)
    except InvalidLineageQuery as error:
        assert str(error)
    else:
        assert isinstance(query, LineageQuery)
