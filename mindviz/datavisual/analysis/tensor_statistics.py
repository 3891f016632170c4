"""Statistics and histograms of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.bucket_grid import bucket_count
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.time_series import Histogram

Statistics = dict[str, float | int | None]
Array = NDArray[Any]
"""Any logged dtype."""


def statistics(part: Array, whole: Array) -> Statistics | None:
    """Statistics of a part of a tensor, and of the whole with the prefix `overall_`.

    Minimum, maximum and average cover the finite elements, None if there are none. Booleans have
    only `overall_count`, `overall_true_count` and `overall_false_count`; strings and complex
    numbers None. The contract calls the number of finite negative elements `overall_neg_zero_count`
    and that of positive ones `overall_pos_zero_count`.
    """
    if whole.dtype == np.bool_:
        true = int(np.count_nonzero(whole))
        return {
            "overall_count": whole.size,
            "overall_true_count": true,
            "overall_false_count": whole.size - true,
        }
    if whole.dtype.kind not in "iuf":
        return None
    of_part = _facts(part)
    of_whole = of_part if part is whole else _facts(whole)
    finite = _finite(whole)
    return {
        **of_part,
        **{f"overall_{name}": fact for name, fact in of_whole.items()},
        "overall_zero_count": int(np.count_nonzero(finite == 0)),
        "overall_neg_zero_count": int(np.count_nonzero(finite < 0)),
        "overall_pos_zero_count": int(np.count_nonzero(finite > 0)),
    }


def _facts(array: Array) -> Statistics:
    finite = _finite(array)
    with np.errstate(over="ignore"):
        average = float(finite.mean(dtype=np.float64)) if finite.size else None
    nan_count = int(np.count_nonzero(np.isnan(array)))
    negative = int(np.count_nonzero(np.isneginf(array))) if array.dtype.kind == "f" else 0
    return {
        "max": float(finite.max()) if finite.size else None,
        "min": float(finite.min()) if finite.size else None,
        "avg": average,
        "count": array.size,
        "nan_count": nan_count,
        "neg_inf_count": negative,
        "pos_inf_count": array.size - finite.size - nan_count - negative,
    }


def distribution(array: Array) -> Histogram:
    """The histogram of a tensor, with the contract's number of equally wide buckets."""
    if array.dtype.kind not in "iufb":
        return Histogram(np.empty((0, 3)))
    nan_count, infinite = np.count_nonzero(np.isnan(array)), array[np.isinf(array)]
    negative = int(np.count_nonzero(infinite < 0))
    finite = _finite(array).astype(np.float64)
    return Histogram(
        _equal_buckets(finite, bucket_count(finite.size)),
        nan_count=int(nan_count),
        positive_infinity_count=infinite.size - negative,
        negative_infinity_count=negative,
    )


def _equal_buckets(finite: Float64s, bins: int) -> Float64s:
    """Shape (bins, 3): edges and count; (0, 3) without finite values."""
    if not finite.size:
        return np.empty((0, 3))
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    # In quarters: the full range of float64 overflows.
    edges = np.linspace(low / 4, high / 4, bins + 1) * 4
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        place = (finite / 2 - low / 2) / (high / 2 - low / 2) * bins
    bucket = np.clip(np.nan_to_num(place, nan=0.0), 0, bins - 1).astype(np.int64)
    counts = np.bincount(bucket, minlength=bins)
    return np.stack([edges[:-1], edges[1:], counts], axis=1)


def _finite(array: Array) -> Array:
    finite: Array = array[np.isfinite(array)]
    return finite
