from __future__ import annotations

from mindviz.datavisual.data_transform.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    TrainFacts,
    merged_facts,
)


def test_of_each_kind_the_latest_counts_and_names_are_merged() -> None:
    earlier = LineageFacts(
        train=TrainFacts(epoch=1),
        evaluation=EvaluationFacts({"accuracy": 0.5}),
        dataset_graph={"a": 1},
        user_defined={"seed": 1, "team": "vision"},
        hyper_parameters={"lr": 0.1},
        metric_tags=(MetricTag("loss"),),
        session_status="running",
    )
    later = LineageFacts(
        train=TrainFacts(epoch=2),
        user_defined={"seed": 2},
        hyper_parameters={"width": 8},
        metric_tags=(MetricTag("loss"), MetricTag("accuracy", "valid")),
    )
    both = merged_facts([earlier, later])
    assert both.train == TrainFacts(epoch=2)
    assert both.evaluation == EvaluationFacts({"accuracy": 0.5})
    assert both.dataset_graph == {"a": 1}
    assert both.user_defined == {"seed": 2, "team": "vision"}
    assert both.hyper_parameters == {"lr": 0.1, "width": 8}
    assert [tag.name for tag in both.metric_tags] == ["loss", "valid/accuracy"]
    assert both.session_status == "running"


def test_an_empty_dataset_graph_replaces_another() -> None:
    parts = [LineageFacts(dataset_graph={"a": 1}), LineageFacts(dataset_graph={})]
    assert merged_facts(parts).dataset_graph == {}


def test_nothing_and_nothing_is_nothing() -> None:
    assert merged_facts([NO_FACTS, NO_FACTS]) is NO_FACTS
