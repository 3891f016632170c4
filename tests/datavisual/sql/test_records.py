from __future__ import annotations

import math

import pytest

from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    MetricValue,
    TrainFacts,
)
from mindviz.datavisual.sql.records import facts_of, facts_text, largest, storable


def test_facts_round_trip() -> None:
    facts = LineageFacts(
        train=TrainFacts(optimizer="Adam\0", learning_rate=math.inf, epoch=3),
        evaluation=EvaluationFacts(metric={"accuracy": 0.5, "\u4e2d": None}),
        dataset_graph={"operations": [{"shuffle": True}]},
        user_defined={"note": "x"},
        hyper_parameters={"lr": 0.1, "layers": [1, 2]},
        metric_tags=(MetricTag("loss"), MetricTag("acc", "valid")),
        session_status="success",
        session_values={"loss": MetricValue(0.25, 3, 1.5e9)},
    )
    text = facts_text(facts)
    assert text is not None
    assert text.isascii()
    assert "\0" not in text
    assert facts_of(text) == facts


def test_a_job_without_facts_stores_none() -> None:
    assert facts_text(NO_FACTS) is None
    assert facts_of(None) is NO_FACTS


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("loss", "loss"),
        ("a\0b", "a\ufffdb"),
        ("\udc80x", "?x"),
        ("\u4e2d/\U0001f600", "\u4e2d/\U0001f600"),
    ],
)
def test_text_is_only_changed_to_be_storable(text: str, stored: str) -> None:
    assert storable(text) == stored


def test_the_largest_time_is_finite() -> None:
    assert largest([1.0, math.inf, None, math.nan, 3.0]) == 3.0
    assert largest([math.nan, None]) is None
