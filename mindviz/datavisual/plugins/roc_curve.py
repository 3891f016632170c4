"""ROC curves: the rate of true positives over that of false ones, and the area below."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mindviz.datavisual.analysis.confusion_curve import (
    COUNTS,
    ConfusionCurve,
    Rates,
    read_curve,
    share,
)
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.generic_name import ANY, GenericName
from mindviz.datavisual.series.time_series import DataClass, ValueTimeSeries

RATES = ("true_positive_rate", "false_positive_rate")


@logged_view(*COUNTS, *RATES, "area")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's curve."""
    curve = read_curve(series, row)
    rates = rates_of(curve)
    return {**curve.counts, **dict(zip(RATES, rates, strict=True)), "area": area(*rates)}


@logged_view("data", "size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's six rows, one after the other, in the order of the columns."""
    curve = read_curve(series, row)
    return curve.values(rates_of(curve))


def rates_of(curve: ConfusionCurve) -> Rates:
    """The rates of true and of false positives, by the counts.

    Not as logged: VisualDL divides the true positives by the negatives.
    """
    return (
        share(curve.true_positives, curve.false_negatives),
        share(curve.false_positives, curve.true_negatives),
    )


def area(true_positive_rate: Float64s, false_positive_rate: Float64s) -> float | None:
    """The area below the curve, from (0, 0) to (1, 1), by trapezoids; None without a number."""
    known = np.isfinite(true_positive_rate) & np.isfinite(false_positive_rate)
    if not known.any():
        return None
    height = np.concatenate([[0.0], np.sort(true_positive_rate[known]), [1.0]])
    width = np.concatenate([[0.0], np.sort(false_positive_rate[known]), [1.0]])
    return float(np.trapezoid(height, width))


PLUGIN = Plugin(
    "roc_curve",
    "/roc_curve",
    DataClass.TENSOR,
    view,
    values={"": values},
    names=(
        GenericName(
            "roc_curves",
            DataClass.TENSOR,
            fields=("roc_curve",),
            shape=(6, ANY),
            dtype_kinds="f",
        ),
    ),
)
