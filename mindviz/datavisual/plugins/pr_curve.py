"""Precision-recall curves: one per step, with its average precision."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mindviz.datavisual.analysis.confusion_curve import COUNTS, read_curve
from mindviz.datavisual.payloads.curve_message import curve_content
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.generic_name import ANY, GenericName
from mindviz.datavisual.series.time_series import DataClass, ValueTimeSeries


@logged_view(*COUNTS, "precision", "recall", "average_precision")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's curve, without the thresholds at its end that no prediction reaches."""
    curve = read_curve(series, row)
    # Precision is undefined without positive predictions; keep the first threshold.
    reached = np.flatnonzero(curve.true_positives + curve.false_positives > 0)
    end = int(reached[-1]) + 1 if len(reached) else 1
    precision, recall = (rate[:end] for rate in curve.rates)
    return {
        **{name: column[:end] for name, column in curve.counts.items()},
        "precision": precision,
        "recall": recall,
        "average_precision": average_precision(precision, recall),
    }


@logged_view("data", "size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's six rows, one after the other, in the order of the columns."""
    curve = read_curve(series, row)
    return curve.values(curve.rates)


def average_precision(precision: Float64s, recall: Float64s) -> float | None:
    """The mean of the precisions, each weighted by its gain of recall.

    Recall falls with the threshold, from the first point on. None without finite rates.
    """
    gained = recall - np.append(recall[1:], 0.0)
    known = np.isfinite(precision) & np.isfinite(gained)
    return float(np.sum(precision[known] * gained[known])) if known.any() else None


PLUGIN = Plugin(
    "pr_curve",
    "/pr_curve",
    DataClass.TENSOR,
    view,
    values={"": values},
    names=(
        GenericName(
            "pr_curves",
            DataClass.TENSOR,
            fields=("pr_curve",),
            content_of=curve_content,
            shape=(6, ANY),
            dtype_kinds="f",
        ),
    ),
)
