"""Precision and recall of predictions, at every threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mindviz.summary.values.arrays import Array

_EPSILON = 1e-7
"""Minimum denominator."""


def pr_curve(
    labels: Array, predictions: Array, thresholds: int, weights: Array | None = None
) -> NDArray[np.float32]:
    """Shape (6, thresholds), in the layout of TensorBoard's plugin.

    Rows: true positives, false positives, true negatives, false negatives, precision, recall.
    Column i uses the threshold i / (thresholds - 1). Predictions are clipped to 0..1; NaN counts
    as 0. All arrays have the same shape.
    """
    weight = np.ones(labels.size) if weights is None else weights.ravel().astype(np.float64)
    is_true = labels.ravel().astype(np.float64) != 0
    scores = np.nan_to_num(np.clip(predictions.ravel().astype(np.float64), 0, 1))
    bucket = np.floor(scores * (thresholds - 1)).astype(np.int64)

    def at_least(chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        counted = np.bincount(bucket[chosen], weight[chosen], thresholds)
        return counted[::-1].cumsum()[::-1]

    true_positives, false_positives = at_least(is_true), at_least(~is_true)
    true_negatives = false_positives[0] - false_positives
    false_negatives = true_positives[0] - true_positives
    precision = true_positives / np.maximum(_EPSILON, true_positives + false_positives)
    recall = true_positives / np.maximum(_EPSILON, true_positives + false_negatives)
    counts = (true_positives, false_positives, true_negatives, false_negatives)
    return np.stack([*counts, precision, recall]).astype(np.float32)
