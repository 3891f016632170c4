from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.summary.values.precision_recall import pr_curve

PREDICTIONS = st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.floats(0.5, 2)), max_size=30)


@given(PREDICTIONS, st.integers(2, 20))
def test_every_column_counts_predictions_above_its_threshold(
    predictions: list[tuple[bool, float, float]], thresholds: int
) -> None:
    columns = np.array(predictions, np.float64).reshape(-1, 3)
    curve = pr_curve(columns[:, 0], columns[:, 1], thresholds, columns[:, 2])
    for at in range(thresholds):
        predicted = np.floor(columns[:, 1] * (thresholds - 1)) >= at
        true = columns[:, 0] > 0
        weight = columns[:, 2]
        expected = [weight[predicted & true], weight[predicted & ~true], weight[~predicted & ~true]]
        expected.append(weight[~predicted & true])
        np.testing.assert_allclose(curve[:4, at], [one.sum() for one in expected], atol=1e-5)


def test_precision_and_recall_of_perfect_predictions() -> None:
    curve = pr_curve(np.array([1, 0, 1]), np.array([1.0, 0.0, 1.0]), 3)
    assert curve[:, 0].tolist() == [2, 1, 0, 0, np.float32(2 / 3), 1]
    assert curve[4:, 2].tolist() == [1, 1]


def test_nan_and_out_of_range_predictions_are_clipped() -> None:
    curve = pr_curve(np.ones(4), np.array([np.nan, np.inf, -np.inf, 7]), 2)
    assert curve[0].tolist() == [4, 2]
