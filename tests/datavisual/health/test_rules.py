from __future__ import annotations

import pytest

from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rules import default_rules, parameters_text, training_tag

VALUES = {"nan", "infinity", "spike", "throughput"}


@pytest.mark.parametrize(
    ("tag", "kinds"),
    [
        ("temperature", VALUES),
        ("train/Loss", VALUES | {"divergence", "plateau", "validation_gap"}),
        ("val_accuracy", VALUES | {"plateau", "validation_gap"}),
        ("optim/grad_norm", VALUES | {"gradient_change"}),
        ("lr", VALUES - {"spike"}),
        ("epoch", VALUES - {"spike"}),
        ("color", VALUES),
    ],
)
def test_rules_apply_by_tag(tag: str, kinds: set[str]) -> None:
    assert {rule.kind.value for rule in default_rules().of_tag(tag)} == kinds


@pytest.mark.parametrize(
    ("validation", "training"),
    [
        ("val/loss", "train/loss"),
        ("val_loss", "train_loss"),
        ("Loss/Validation", "Loss/Train"),
        ("eval/top1", "training/top1"),
        ("test acc", "acc"),
        ("loss.valid", "loss"),
        ("val/other", None),
        ("interval/loss", None),
        ("loss", None),
    ],
)
def test_a_validation_metric_has_a_training_metric(validation: str, training: str | None) -> None:
    tags = ["train/loss", "train_loss", "Loss/Train", "training/top1", "acc", "loss", validation]
    assert training_tag(validation, tags) == training


def test_every_parameter_is_described() -> None:
    keys = [key for key, _, about in parameters_text(AnomalyKind.SPIKE) if about]
    assert keys == ["z", "window", "recovery"]
    assert ("window", 48) in [
        (key, default) for key, default, _ in parameters_text(AnomalyKind.SPIKE)
    ]
