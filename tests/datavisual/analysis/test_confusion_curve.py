from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.analysis.confusion_curve import read_curve, share
from mindviz.datavisual.series.time_series import Tensor
from mindviz.errors import DamagedValue
from tests.store_fake import FakeStore


def series_of(value: Tensor | bytes) -> object:
    store = FakeStore()
    store.add("./a").add_values("pr_curve", "t", [1], [value])
    return store.read_values("./a", "pr_curve", "t")


def test_a_curve_has_counts_rates_and_evenly_spaced_thresholds() -> None:
    series = series_of(Tensor(np.arange(30.0).reshape(6, 5), "DT_FLOAT64"))
    curve = read_curve(series, 0)  # type: ignore[arg-type]
    assert curve.thresholds.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert curve.false_negatives.tolist() == [15, 16, 17, 18, 19]
    assert curve.rates[1].tolist() == [25, 26, 27, 28, 29]
    assert curve.values(curve.rates)["size"] == [6, 5]


@pytest.mark.parametrize(
    "value",
    [
        Tensor(np.zeros((5, 4)), "DT_FLOAT64"),
        Tensor(np.zeros(6), "DT_FLOAT64"),
        Tensor(np.full((6, 1), b"", object), "DT_STRING"),
        b"",
    ],
    ids=["five rows", "rank 1", "strings", "no tensor"],
)
def test_a_wrong_shape_is_a_damaged_curve(value: Tensor | bytes) -> None:
    with pytest.raises(DamagedValue):
        read_curve(series_of(value), 0)  # type: ignore[arg-type]


def test_a_share_with_a_zero_denominator_is_nan() -> None:
    shares = share(np.array([1.0, 0.0]), np.array([3.0, 0.0]))
    assert shares[0] == 0.25
    assert np.isnan(shares[1])
