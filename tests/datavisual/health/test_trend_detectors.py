from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation, RuleEvent
from mindviz.datavisual.health.rules import default_rules
from mindviz.datavisual.series.columns import Float64s
from tests.datavisual.health.test_detectors import found

RANDOM = np.random.default_rng(3)
DESCENT = 1 + 2 * np.exp(-np.arange(600) / 150) + RANDOM.normal(0, 0.02, 600)


def test_a_loss_that_rises_and_stays_up_diverges() -> None:
    values = DESCENT.copy()
    values[400:] += np.minimum(np.arange(200) / 50, 1) * 3
    (event,) = found(AnomalyKind.DIVERGENCE, values.tolist())
    assert 400 <= event.step <= 440
    assert event.end_step == 599
    assert event.size == pytest.approx(1.5, rel=0.3)
    assert found(AnomalyKind.DIVERGENCE, DESCENT.tolist()) == []


def test_a_divergence_ends_when_the_loss_is_back() -> None:
    values = DESCENT.copy()
    values[300:400] += 3
    (event,) = found(AnomalyKind.DIVERGENCE, values.tolist())
    assert 400 <= event.end_step <= 410


def overfitted(training: Float64s, validation: Float64s, tags: tuple[str, str]) -> list[RuleEvent]:
    evaluation = RuleEvaluation(default_rules(), tags)
    for tag, values in zip(tags, (training, validation), strict=True):
        steps = np.arange(len(values))
        evaluation.append(tag, steps, steps.astype(float), values)
    return [event for event in evaluation.events() if event.rule.kind is not AnomalyKind.PLATEAU]


def test_a_validation_that_gets_worse_while_training_improves() -> None:
    worse = DESCENT.copy()
    worse[300:] += np.arange(300) / 150
    (event,) = overfitted(DESCENT, worse, ("train_loss", "val_loss"))
    assert (event.rule.kind, event.tag) == (AnomalyKind.VALIDATION_GAP, "val_loss")
    assert 300 <= event.step <= 480
    (event,) = overfitted(-DESCENT, -worse, ("accuracy", "val_accuracy"))
    assert event.tag == "val_accuracy"


def test_a_validation_that_gets_worse_with_its_training_is_no_gap() -> None:
    worse = DESCENT.copy()
    worse[300:] += np.arange(300) / 150
    events = overfitted(worse, worse, ("train_loss", "val_loss"))
    assert [event.rule.kind for event in events] == [AnomalyKind.DIVERGENCE]
    assert overfitted(DESCENT, DESCENT, ("train_loss", "val_loss")) == []


def test_a_validation_that_jumps_when_its_training_does_is_no_gap() -> None:
    x = np.linspace(0, 1, 5000)
    loss = 1 - 0.75 * x + 0.05 * (1 - x) * np.sign(np.sin(22 * np.pi * x))
    events = overfitted(loss, loss + 0.05, ("train_loss", "val_loss"))
    assert AnomalyKind.VALIDATION_GAP not in {event.rule.kind for event in events}
