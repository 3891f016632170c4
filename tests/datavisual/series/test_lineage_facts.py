from __future__ import annotations

import pytest

from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    TrainFacts,
    merged_facts,
)


def test_the_latest_fact_of_each_kind_counts_and_names_are_merged() -> None:
    earlier = LineageFacts(
        train=TrainFacts(epoch=1),
        evaluation=EvaluationFacts({"accuracy": 0.5}),
        dataset_graph={"a": 1},
        user_defined={"seed": 1, "team": "vision"},
        hyper_parameters={"lr": 0.1},
        metric_tags=(MetricTag("loss"),),
        session_status="running",
        session_group="g",
        session_start=1.0,
    )
    later = LineageFacts(
        train=TrainFacts(epoch=2),
        user_defined={"seed": 2},
        hyper_parameters={"width": 8},
        metric_tags=(MetricTag("loss"), MetricTag("accuracy", "valid")),
        session_end=2.0,
    )
    both = merged_facts([earlier, later])
    assert both.train == TrainFacts(epoch=2)
    assert both.evaluation == EvaluationFacts({"accuracy": 0.5})
    assert both.dataset_graph == {"a": 1}
    assert both.user_defined == {"seed": 2, "team": "vision"}
    assert both.hyper_parameters == {"lr": 0.1, "width": 8}
    assert [tag.name for tag in both.metric_tags] == ["loss", "valid/accuracy"]
    assert both.session_status == "running"
    assert (both.session_group, both.session_start, both.session_end) == ("g", 1.0, 2.0)


@pytest.mark.parametrize(
    ("train_id", "group", "owner"),
    [
        ("./a", "", "./a"),
        ("./a", "valid", "./a/valid"),
        ("./", "valid", "./valid"),
        ("./a", "..", "./"),
        ("./a", "../b", "./b"),
    ],
)
def test_a_metric_may_be_in_another_job(train_id: str, group: str, owner: str) -> None:
    assert MetricTag("acc", group).train_id_from(train_id) == owner


def test_all_that_logs_call_hyper_parameters_is_plain() -> None:
    facts = LineageFacts(
        train=TrainFacts(optimizer="Adam"),
        user_defined={"sizes": [1, 2], "none": None},
        hyper_parameters={"lr": 0.5, "bias": True},
    )
    assert facts.all_hyper_parameters() == {
        "bias": True,
        "lr": 0.5,
        "optimizer": "Adam",
        "sizes": "[1, 2]",
    }


def test_an_empty_dataset_graph_replaces_another() -> None:
    parts = [LineageFacts(dataset_graph={"a": 1}), LineageFacts(dataset_graph={})]
    assert merged_facts(parts).dataset_graph == {}


def test_two_empty_facts_merge_to_empty_facts() -> None:
    assert merged_facts([NO_FACTS, NO_FACTS]) is NO_FACTS
