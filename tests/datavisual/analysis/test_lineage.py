from __future__ import annotations

import math
from typing import Any

import pytest

from mindviz.datavisual.analysis.lineage import Lineage, last_values, lineage_of, shortest
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    EvaluationFacts,
    JobLineage,
    LineageFacts,
    TrainFacts,
)
from tests.store_fake import FakeStore


def lineage(facts: LineageFacts, **metrics: float) -> Lineage:
    return lineage_of(JobLineage("./a", 7, 1.0, 2.0, facts), metrics)


def from_parameters(**hyper_parameters: Any) -> Lineage:
    return lineage(LineageFacts(hyper_parameters=hyper_parameters))


def test_a_job_without_facts_has_a_lineage() -> None:
    row = lineage(NO_FACTS)
    assert (row.summary_dir, row.version, row.create_time, row.update_time) == ("./a", 7, 1.0, 2.0)
    assert not row.is_logged
    assert (row.network, row.metric, row.user_defined) == (None, {}, {})


def test_mindspore_lineage_fills_named_fields() -> None:
    facts = LineageFacts(
        train=TrainFacts(network="Net", loss=0.5, model_size=10, train_dataset_count=3),
        evaluation=EvaluationFacts({"acc": 1}, "/v", 4),
        dataset_graph={"children": []},
        user_defined={"seed": 1},
    )
    row = lineage(facts)
    assert row.is_logged
    assert (row.network, row.loss, row.model_size, row.train_dataset_count) == ("Net", 0.5, 10, 3)
    assert (row.test_dataset_path, row.test_dataset_count, row.metric) == ("/v", 4, {"acc": 1})
    assert (row.dataset_graph, row.user_defined) == ({"children": []}, {"seed": 1})


def test_hyperparameters_are_user_defined_and_well_known_ones_fill_named_fields() -> None:
    row = from_parameters(lr=0.1, bsize=4, Model="resnet", **{"batch-size": 64, "Epochs": "10"})
    assert row.user_defined == {
        "lr": 0.1,
        "bsize": 4,
        "Model": "resnet",
        "batch-size": 64,
        "Epochs": "10",
    }
    assert (row.learning_rate, row.batch_size, row.epoch, row.network) == (0.1, 64, 10, "resnet")


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("learning_rate", 1, "learning_rate", 1),
        ("learning_rate", "1e-3", "learning_rate", 0.001),
        ("lr", True, "learning_rate", None),
        ("lr", "cosine", "learning_rate", None),
        ("lr", "nan", "learning_rate", None),
        ("batch_size", 32.0, "batch_size", 32),
        ("batch_size", 32.5, "batch_size", None),
        ("batch_size", math.inf, "batch_size", None),
        ("batch_size", [32], "batch_size", None),
        ("epochs", 3, "epoch", 3),
        ("optimizer", "sgd", "optimizer", "sgd"),
        ("optimizer", {"name": "sgd"}, "optimizer", None),
        ("loss_fn", "mse", "loss_function", "mse"),
        ("network", 3, "network", None),
    ],
)
def test_a_value_that_does_not_fit_the_field_stays_user_defined(
    name: str, value: Any, field: str, expected: Any
) -> None:
    row = from_parameters(**{name: value})
    assert getattr(row, field) == expected
    assert row.user_defined == {name: value}


def test_the_plainest_name_counts() -> None:
    assert from_parameters(lr=0.5, learning_rate=0.1).learning_rate == 0.1


def test_logged_fields_take_precedence_over_derived_ones() -> None:
    facts = LineageFacts(train=TrainFacts(learning_rate=0.1), hyper_parameters={"lr": 0.5})
    assert lineage(facts).learning_rate == 0.1


def test_metrics_of_scalars_and_of_an_evaluation_are_together() -> None:
    facts = LineageFacts(evaluation=EvaluationFacts({"acc": 0.9}), hyper_parameters={"a": 1})
    assert lineage(facts, loss=0.5, acc=0.1).metric == {"loss": 0.5, "acc": 0.9}


def test_last_values_are_as_short_as_they_were_logged() -> None:
    store = FakeStore()
    store.add("./a").append("loss", [1, 2], [0.5, 0.10000000149011612])
    assert last_values(store.scalar_summaries("./a")) == {"loss": 0.1}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.10000000149011612, 0.1),
        (0.1, 0.1),
        (1 / 3, 1 / 3),
        (1e300, 1e300),
        (math.inf, math.inf),
        (0.0, 0.0),
    ],
)
def test_only_float32_numbers_are_shortened(value: float, expected: float) -> None:
    assert shortest([value, 1.0]) == [expected, 1.0]
