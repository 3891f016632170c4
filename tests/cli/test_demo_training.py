from __future__ import annotations

import numpy as np
import pytest

from mindviz.cli.demo_training import IMAGE_SIZE, train


def test_the_loss_falls_and_the_accuracy_rises() -> None:
    curves = train(1).curves
    assert curves["train/loss"][:100].mean() > 5 * curves["train/loss"][-100:].mean()
    assert curves["train/accuracy"][-1] > 0.8


def test_a_training_that_diverges_ends_in_nan() -> None:
    loss = train(1, diverges_at=1000).curves["train/loss"]
    assert np.isfinite(loss[:1000]).all()
    assert np.isposinf(loss).any()
    assert np.isnan(loss[-1])


def test_every_curve_has_a_value_for_every_step_or_evaluation() -> None:
    training = train(3, steps=400)
    assert {len(curve) for curve in training.curves.values()} == {400}
    assert {len(c) for c in training.evaluations.values()} == {400 // training.evaluate_every}


@pytest.mark.parametrize("step", [0, 999, 1999])
def test_samples_have_the_stated_shapes(step: int) -> None:
    training = train(2)
    assert training.weights("conv1", step).shape == (3000,)
    assert training.image(step).shape == (IMAGE_SIZE, IMAGE_SIZE, 3)
    assert training.kernel(step).shape == (6, 1, 5, 5)
    assert training.confusion(step).sum(axis=1).tolist() == [1000] * 10
    assert training.sound(step).shape == (8000,)
    assert np.abs(training.sound(step)).max() <= 1
    vertices, colors, faces = training.surface(step)
    assert vertices.shape == colors.shape == (1, 24 * 48, 3)
    assert faces.max() < 24 * 48
    vectors, names = training.features(step)
    assert (vectors.shape, len(names)) == ((300, 16), 300)
    assert f"### Step {step}" in training.note(step)


def test_predictions_improve() -> None:
    def gap(step: int) -> float:
        labels, scores = train(2).predictions(step)
        return float(scores[labels].mean() - scores[~labels].mean())

    assert gap(0) < 0.1
    assert gap(1999) > 0.4
