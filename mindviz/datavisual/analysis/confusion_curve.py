"""ConfusionCurve: PR and ROC curves, with counts per threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.series_view import check_elements, read_as
from mindviz.datavisual.series.time_series import Tensor, ValueTimeSeries
from mindviz.errors import DamagedValue

COUNTS = (
    "thresholds",
    "true_positives",
    "false_positives",
    "true_negatives",
    "false_negatives",
)
"""Columns that PR and ROC curves share."""

Rates = tuple[Float64s, Float64s]


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionCurve:
    """One step of a PR or ROC series; all arrays have the shape (thresholds,)."""

    thresholds: Float64s
    """Evenly spaced from 0 to 1: writers don't log them, but all use these."""
    true_positives: Float64s
    false_positives: Float64s
    true_negatives: Float64s
    false_negatives: Float64s
    rates: Rates
    """As logged: precision and recall, or true and false positive rates."""

    @property
    def counts(self) -> dict[str, Float64s]:
        """Column by name, as in `COUNTS`."""
        return {name: getattr(self, name) for name in COUNTS}

    def values(self, rates: Rates) -> Mapping[str, object]:
        """The counts and these rates as six rows."""
        rows = [getattr(self, name) for name in COUNTS[1:]]
        return {"data": np.concatenate([*rows, *rates]), "size": [6, len(self.thresholds)]}


def read_curve(series: ValueTimeSeries, row: int) -> ConfusionCurve:
    """Value number `row` as a curve. Raises DamagedValue, AnswerTooLarge."""
    data = read_as(series, row, Tensor, "a curve").data
    if data.ndim != 2 or len(data) != 6 or data.dtype.kind not in "fiu":
        raise DamagedValue(f"A curve cannot have the shape {list(data.shape)}, {data.dtype}.")
    check_elements(data.size)
    rows = data.astype(np.float64)
    thresholds = np.linspace(0, 1, data.shape[1])
    return ConfusionCurve(thresholds, rows[0], rows[1], rows[2], rows[3], (rows[4], rows[5]))


def share(part: Float64s, rest: Float64s) -> Float64s:
    """`part / (part + rest)`; NaN where both are 0."""
    whole = part + rest
    missing = np.full(len(whole), np.nan)
    shares: Float64s = np.divide(part, whole, out=missing, where=whole > 0)
    return shares
