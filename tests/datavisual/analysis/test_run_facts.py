from __future__ import annotations

import json

import pytest

from mindviz.datavisual.analysis.run_facts import fact_blob, fact_series, facts_of
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    JobLineage,
    LineageFacts,
    MetricTag,
    TrainFacts,
)
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery


def job(facts: LineageFacts) -> JobLineage:
    return JobLineage("./a", 1, 100.0, 200.0, facts)


def test_only_logged_facts_exist() -> None:
    assert facts_of(job(NO_FACTS)) == {}
    facts = LineageFacts(
        train=TrainFacts(epoch=3), dataset_graph={}, metric_tags=(MetricTag("a", "b"),)
    )
    found = facts_of(job(facts))
    assert list(found) == ["train", "dataset_graph", "metric_tags"]
    assert found["train"]["epoch"] == 3
    assert found["metric_tags"] == ["b/a"]


def test_a_fact_is_a_blob_at_step_0() -> None:
    series = fact_series(job(NO_FACTS), b"x")
    assert series.data_class is DataClass.BLOB_SEQUENCE
    assert (series.step.tolist(), series.wall_time.tolist()) == ([0], [100.0])
    assert series.read(0) == b"x"
    assert fact_series(job(NO_FACTS), b"y").epoch != series.epoch
    started = fact_series(job(LineageFacts(session_start=50.0)), b"x")
    assert started.wall_time.tolist() == [50.0]


def test_a_fact_has_no_writers() -> None:
    with pytest.raises(InvalidQuery):
        fact_series(job(NO_FACTS), b"", "someone")


def test_all_facts_are_json() -> None:
    assert json.loads(fact_blob({"b": "ä\ud800", "a": 1})) == {"a": 1, "b": "ä?"}
