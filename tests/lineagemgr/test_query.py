"""Asking a table: filtered, sorted and paged as a naive implementation would."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.conditions import EVERYTHING, AllOf, AnyOf, Comparison, Condition, Not
from mindviz.lineagemgr.lineage_table import Lineages, LineageTable
from mindviz.lineagemgr.query import (
    CustomColumn,
    LineagePage,
    LineageQuery,
    candidates,
    find_lineages,
)
from mindviz.lineagemgr.query_parser import parse_query
from tests.store_fake import FakeStore

Job = dict[str, Any]


def table_of(jobs: list[Job]) -> LineageTable:
    store = FakeStore()
    for number, job in enumerate(jobs):
        added = store.add(f"./{number}")
        added.update_time = job.get("update_time", 0)
        if "loss" in job:
            added.append("loss", [1], [job["loss"]])
        if job.get("logged", True):
            added.facts = LineageFacts(
                train=TrainFacts(epoch=job.get("epoch"), network=job.get("network")),
                evaluation=EvaluationFacts(job.get("metric", {})),
                user_defined=job.get("user_defined", {}),
            )
    return Lineages(store).table()


def page_of(jobs: list[Job], body: Any, **options: Any) -> LineagePage:
    return find_lineages(
        table_of(jobs), parse_query(body), options.pop("annotations", {}), **options
    )


def ids(page: LineagePage) -> list[str]:
    return [row.summary_dir for row in page.rows]


JOBS: list[Job] = [
    {"epoch": 3, "network": "A", "metric": {"acc": 0.5}, "update_time": 1},
    {"epoch": 1, "network": "B", "metric": {"acc": 1}, "update_time": 2},
    {"epoch": None, "network": "A", "user_defined": {"x": "text"}, "update_time": 3},
    {"epoch": 1, "network": None, "user_defined": {"x": 2}, "update_time": 4, "loss": 0.25},
    {"logged": False, "update_time": 5, "loss": 0.5},
]


def test_the_default_order_is_that_of_the_last_update() -> None:
    page = page_of(JOBS, {})
    assert ids(page) == ["./4", "./3", "./2", "./1", "./0"]
    assert page.count == 5


def test_rows_can_be_limited_to_jobs_with_lineage() -> None:
    page = page_of(JOBS, {}, logged_only=True)
    assert (ids(page), page.count) == (["./3", "./2", "./1", "./0"], 4)


def test_equals_stay_in_the_default_order_both_ways() -> None:
    ascending = page_of(JOBS, {"sorted_name": "epoch"})
    assert ids(ascending) == ["./4", "./2", "./3", "./1", "./0"]
    descending = page_of(JOBS, {"sorted_name": "epoch", "sorted_type": "descending"})
    assert ids(descending) == ["./0", "./3", "./1", "./4", "./2"]


def test_conditions_and_pages_count_all_matches() -> None:
    page = page_of(JOBS, {"epoch": {"ge": 1}, "limit": 2, "offset": 1})
    assert (ids(page), page.count) == (["./0"], 3)
    page = page_of(JOBS, {"limit": 2, "offset": 100_000})
    assert (ids(page), page.count) == ([], 5)


def test_scalars_filter_sort_and_are_returned() -> None:
    body = {
        "scalar/loss/last": {"le": 0.5},
        "sorted_name": "scalar/loss/min",
        "columns": ["scalar/loss/last", "scalar/none/max"],
    }
    page = page_of(JOBS, body)
    assert ids(page) == ["./3", "./4"]
    assert list(page.columns) == [
        {"scalar/loss/last": 0.25, "scalar/none/max": None},
        {"scalar/loss/last": 0.5, "scalar/none/max": None},
    ]


def test_annotations_filter_sort_and_are_returned() -> None:
    annotations = {"./0": Annotation(tag=3), "./3": Annotation(tag=7, remark="best", hidden=True)}
    page = page_of(JOBS, {"tag": {"gt": 1}, "sorted_name": "tag"}, annotations=annotations)
    assert ids(page) == ["./0", "./3"]
    assert page.annotations == (annotations["./0"], annotations["./3"])
    for shown in ({"not": {"hidden": {"eq": True}}}, {"hidden": {"eq": False}}):
        page = page_of(JOBS, shown, annotations=annotations)
        assert ids(page) == ["./4", "./2", "./1", "./0"]
    assert page.annotations[0] == Annotation()


def test_customized_columns_are_those_of_all_matches() -> None:
    page = page_of(JOBS, {"limit": 1})
    assert page.customized == {
        "metric/acc": CustomColumn("metric/acc", required=True, type="float"),
        "user_defined/x": CustomColumn("user_defined/x", required=False, type="mixed"),
    }
    page = page_of(JOBS, {"epoch": {"eq": 1}, "network": {"eq": "B"}})
    assert page.customized == {
        "metric/acc": CustomColumn("metric/acc", required=True, type="int"),
    }


def test_a_column_has_the_type_of_its_values() -> None:
    jobs: list[Job] = [
        {"user_defined": {"a": None, "b": True, "c": {}, "d": None, "e": 1}},
        {"user_defined": {"a": "x", "b": False, "e": 1.5}},
    ]
    types = {label: column.type for label, column in page_of(jobs, {}).customized.items()}
    assert types == {
        "user_defined/a": "str",
        "user_defined/b": "bool",
        "user_defined/c": "dict",
        "user_defined/d": "mixed",
        "user_defined/e": "float",
    }


@given(
    jobs=st.lists(
        st.fixed_dictionaries(
            {
                "epoch": st.none() | st.integers(0, 3),
                "metric": st.dictionaries(st.just("acc"), st.integers(0, 3), max_size=1),
                "update_time": st.integers(0, 3),
            }
        ),
        max_size=8,
    ),
    bound=st.integers(0, 3),
    limit=st.integers(1, 4),
    offset=st.integers(0, 3),
    descending=st.booleans(),
)
def test_pages_are_those_of_a_naive_implementation(
    jobs: list[Job], bound: int, limit: int, offset: int, *, descending: bool
) -> None:
    query = LineageQuery(
        condition=AllOf((Comparison("epoch", "ge", bound),)),
        sorted_name="metric/acc",
        descending=descending,
        limit=limit,
        offset=offset,
    )
    page = find_lineages(table_of(jobs), query, {})
    named = [(f"./{number}", job) for number, job in enumerate(jobs)]
    named.sort(key=lambda pair: (-pair[1]["update_time"], pair[0]))
    matching = [pair for pair in named if pair[1]["epoch"] is not None]
    matching = [pair for pair in matching if pair[1]["epoch"] >= bound]
    matching.sort(key=lambda pair: pair[1]["metric"].get("acc", -1), reverse=descending)
    expected = [name for name, _ in matching][offset * limit : (offset + 1) * limit]
    assert (ids(page), page.count) == (expected, len(matching))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Comparison("summary_dir", "in", ["./b", "./a"]), ["./b", "./a"]),
        (AllOf((Comparison("loss", "lt", 1), Comparison("summary_dir", "eq", "./a"))), ["./a"]),
        (AnyOf((Comparison("loss", "lt", 1), Comparison("summary_dir", "eq", "./a"))), None),
        (Comparison("pinned", "eq", operand=True), ["./noted"]),
        (
            AnyOf((Comparison("tag", "gt", 0), Comparison("hidden", "eq", operand=True))),
            ["./noted"],
        ),
        (Comparison("pinned", "eq", operand=False), None),
        (Not(Comparison("summary_dir", "eq", "./a")), None),
        (EVERYTHING, None),
    ],
)
def test_few_jobs_can_meet_conditions_on_ids_and_notes(
    condition: Condition, expected: list[str] | None
) -> None:
    assert candidates(condition, {"./noted": Annotation(pinned=True)}) == expected
