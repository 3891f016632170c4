from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.session_groups import (
    HyperParameter,
    MetricSummary,
    SessionGroups,
    session_groups,
)
from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    TrainFacts,
)
from tests.store_fake import FakeStore

ACCURACY = (MetricTag("acc"),)


def grouped(jobs: dict[str, LineageFacts], **accuracies: float) -> SessionGroups:
    """The groups of jobs, some of which end with an accuracy."""
    store = FakeStore()
    for name, facts in jobs.items():
        store.add(f"./{name}").facts = facts
    for name, accuracy in accuracies.items():
        store.jobs[f"./{name}"].append("acc", [1, 2], [0.0, accuracy])
        store.jobs[f"./{name}"].append("loss", [1], [9.0])
    return session_groups(store, None)


def hyper(group: str = "", **values: Any) -> LineageFacts:
    return LineageFacts(hyper_parameters=values, session_group=group, metric_tags=ACCURACY)


def members(groups: SessionGroups) -> list[list[str]]:
    return [[one.train_id for one in group.sessions] for group in groups.groups]


def test_sessions_group_by_name_or_equal_hyperparameters() -> None:
    groups = grouped(
        {
            "a": hyper(lr=0.1),
            "b": hyper(lr=0.2, group="g"),
            "c": hyper(lr=0.1),
            "d": hyper(lr=0.3, group="g"),
            "e": hyper(lr=0.1, group="h"),
            "f": LineageFacts(metric_tags=ACCURACY),
        }
    )
    assert members(groups) == [["./a", "./c"], ["./b", "./d"], ["./e"]]
    assert [group.name for group in groups.groups] == ["", "g", "h"]
    assert [group.hyper_parameters for group in groups.groups] == [{"lr": 0.1}, {}, {"lr": 0.1}]


def test_true_does_not_equal_one() -> None:
    assert members(grouped({"a": hyper(x=1), "b": hyper(x=True)})) == [["./a"], ["./b"]]


def test_metrics_are_summed_up_over_the_sessions_that_have_them() -> None:
    jobs = {name: hyper(lr=0.1) for name in "abcd"}
    groups = grouped(jobs, a=0.5, b=1.0, c=0.0)
    (group,) = groups.groups
    assert groups.metrics == ("acc",)
    assert group.metrics["acc"] == MetricSummary(3, 0.5, 0.5, 0.0, 1.0)
    assert group.sessions[0].metrics["acc"].step == 2
    assert group.sessions[3].metrics == {}


def test_without_declared_metrics_every_scalar_is_one() -> None:
    (group,) = grouped({"a": LineageFacts(hyper_parameters={"lr": 1})}, a=0.5).groups
    assert sorted(group.metrics) == ["acc", "loss"]


def test_metrics_come_from_nested_jobs_and_evaluations() -> None:
    store = FakeStore()
    store.add("./a").facts = LineageFacts(
        train=TrainFacts(optimizer="Adam"),
        evaluation=EvaluationFacts({"top5": 0.75, "words": "none"}),
        metric_tags=(MetricTag("acc", "valid"),),
    )
    store.add("./a/valid").append("acc", [7], [0.25])
    (group,) = session_groups(store, None).groups
    (session,) = group.sessions
    assert session.hyper_parameters == {"optimizer": "Adam"}
    assert {name: (one.value, one.step) for name, one in session.metrics.items()} == {
        "valid/acc": (0.25, 7),
        "top5": (0.75, None),
    }


def test_results_of_a_training_are_not_hyperparameters() -> None:
    groups = grouped(
        {
            "a": LineageFacts(train=TrainFacts(optimizer="Adam", loss=0.5, model_size=9)),
            "b": LineageFacts(train=TrainFacts(optimizer="Adam", loss=1.5, model_size=9)),
        }
    )
    (group,) = groups.groups
    assert group.hyper_parameters == {"optimizer": "Adam"}
    assert group.metrics["loss"] == MetricSummary(2, 1.0, 1.0, 0.5, 1.5)


def test_hyper_parameters_are_described() -> None:
    groups = grouped({"a": hyper(lr=0.1, b=True, m=1, s="x"), "b": hyper(lr=0.1, b=False, m="1")})
    assert groups.hyper_parameters == (
        HyperParameter("b", "bool", differs=True),
        HyperParameter("lr", "number", differs=False),
        HyperParameter("m", "mixed", differs=True),
        HyperParameter("s", "string", differs=True),
    )


def test_groups_can_be_limited_to_some_jobs() -> None:
    store = FakeStore()
    for name in "abc":
        store.add(f"./{name}").facts = hyper(lr=0.1)
    assert members(session_groups(store, {"./b", "./gone"})) == [["./b"]]


numbers = st.floats(allow_nan=True, width=32)


@given(st.lists(numbers, min_size=1, max_size=9))
def test_a_summary_is_between_its_extremes(values: list[float]) -> None:
    summary = MetricSummary.of(values)
    assert summary.n == len(values)
    known = [value for value in values if not math.isnan(value)]
    if not known:
        assert summary.avg is summary.median is summary.min is summary.max is None
        return
    assert (summary.min, summary.max) == (min(known), max(known))
    for between in (summary.avg, summary.median):
        assert between is not None
        assert math.isnan(between) or min(known) <= between <= max(known)


@pytest.mark.parametrize("order", [1, -1])
def test_groups_do_not_depend_on_the_order_of_the_jobs(order: int) -> None:
    jobs = {name: hyper(lr=ord(name) % 2) for name in "abcd"}
    groups = grouped(dict(list(jobs.items())[::order]))
    assert members(groups) == [["./a", "./c"], ["./b", "./d"]]
