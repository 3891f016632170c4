"""Histograms: the distribution of values at each step.

Writers choose new buckets at each step. `view` returns them as logged; `aligned` puts all steps on
the same buckets, by the rules of the REST contract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mindviz.datavisual.analysis.array_parity import compare_arrays
from mindviz.datavisual.analysis.bucket_grid import (
    BucketGrid,
    GridCounts,
    bucket_count,
    common_grid,
    counts_of_buckets,
    counts_of_values,
    sensible_buckets,
    split_counts,
)
from mindviz.datavisual.analysis.series_parity import StepParity, Tolerance, both
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.generic_name import ANY, Companion, Companions, GenericName
from mindviz.datavisual.series.series_view import (
    Column,
    Rows,
    ValuesView,
    View,
    check_elements,
    read_as,
)
from mindviz.datavisual.series.time_series import (
    DataClass,
    Histogram,
    Tensor,
    Value,
    ValueTimeSeries,
)
from mindviz.datavisual.series.value_table import Column as TableColumn
from mindviz.datavisual.series.value_table import Kind, ValueTable
from mindviz.datavisual.store import Store
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge, DamagedValue, TagNotFound

MAX_ELEMENTS = 50_000_000
"""Of a tensor that is counted in buckets."""

MAX_LOGGED_BUCKETS = 1_000_000
"""Per histogram in a tensor."""
MAX_CLAIMED_BUCKETS = 1_000
"""The same if it repeats one number: a few bytes may claim any shape."""

MAX_BUCKETS = 2_000_000
"""Of all steps of one answer together."""


@dataclass(frozen=True, slots=True, eq=False)
class AlignedHistograms:
    """Histograms of n steps, all on the same k buckets."""

    step: Int64s
    wall_time: Float64s
    left: Float64s
    """Shape (k,): left edges."""
    width: float
    """Of every bucket."""
    count: Int64s
    """Shape (n, k): shares of the logged counts, rounded up."""


def tags(store: Store, train_id: str) -> Sequence[str]:
    """Histograms and tensors. Raises TrainJobNotFound."""
    logged = store.list_tags(train_id)
    return list({*logged.get("histogram", ()), *logged.get("tensor", ())})


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's buckets as logged; tensors are counted in new buckets, strings in none.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = _series(store, train_id, tag, writer)

    def show(row: int) -> Mapping[str, object]:
        value = series.read(row)
        if isinstance(value, Tensor) and value.data.dtype.kind == "O":
            return {"buckets": [], **dict.fromkeys(NOT_FINITE, 0)}
        shown = value if isinstance(value, Histogram) else _counts(value)
        return {"buckets": shown.buckets, **{name: getattr(shown, name) for name in NOT_FINITE}}

    return ValuesView.of(series, ("buckets", *NOT_FINITE), show)


NOT_FINITE = ("nan_count", "positive_infinity_count", "negative_infinity_count")


@dataclass(frozen=True, eq=False)
class CountsView(View):
    """Counts of every step on the same buckets, whose edges are in the details."""

    counts_at: Callable[[int], GridCounts]

    def read(self, rows: Int64s, frame: str = "") -> Rows:
        """As in `View`; the frame is the buckets."""
        counted: list[GridCounts | None] = []
        problems: dict[int, str] = {}
        for at, row in enumerate(rows.tolist()):
            check()
            try:
                counted.append(self.counts_at(row))
            except DamagedValue as error:
                counted.append(None)
                problems[at] = str(error)
        known = BucketGrid.of(frame)
        grid = common_grid([known, *(counts.grid for counts in counted if counts)])
        check_elements(grid.count * len(counted))
        columns: dict[str, Column] = {
            "data": [counts and counts.on(grid) for counts in counted],
            **{name: [cell and getattr(cell, name) for cell in counted] for name in NOT_FINITE},
        }
        details: dict[str, object] = {"edges": grid.edges if grid.count else []}
        return Rows(columns, problems, details, grid.token)


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> View:
    """Every step's counts as `data`, on edges that are common to all.

    With a cursor, only new steps are counted, as long as they fit between the edges. Raises as
    `view`.
    """
    series = _series(store, train_id, tag, writer)
    return CountsView(
        series.step, series.wall_time, series.epoch, lambda row: _counts(series.read(row))
    )


def _series(store: Store, train_id: str, tag: str, writer: str | None) -> ValueTimeSeries:
    if tag not in store.list_tags(train_id).get("histogram", ()):
        try:
            return store.read_values(train_id, "tensor", tag, writer=writer)
        except TagNotFound:
            pass  # the error below names histograms
    return store.read_values(train_id, "histogram", tag, writer=writer)


def _counts(value: object) -> GridCounts:
    if isinstance(value, Histogram):
        return counts_of_buckets(value)
    if not isinstance(value, Tensor):
        raise DamagedValue("The value is neither a histogram nor a tensor.")
    if value.data.dtype.kind not in "fiub":
        raise DamagedValue(f"There is no histogram of {value.dtype_name}.")
    if value.data.size > MAX_ELEMENTS:
        raise DamagedValue(f"The tensor has more than {MAX_ELEMENTS} elements.")
    return counts_of_values(value.data)


def aligned(store: Store, train_id: str, tag: str) -> AlignedHistograms:
    """Every step on the same buckets; steps whose value is damaged are left out.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = store.read_values(train_id, "histogram", tag)
    rows: list[int] = []
    histograms: list[Histogram] = []
    for i in range(len(series.step)):
        try:
            histograms.append(read_as(series, i, Histogram, "a histogram"))
        except DamagedValue:
            continue
        rows.append(i)
    return align(series.step[rows], series.wall_time[rows], histograms)


def align(step: Int64s, wall_time: Float64s, histograms: Sequence[Histogram]) -> AlignedHistograms:
    """Put histograms on equally wide buckets over the range of all that are not empty.

    The number of buckets follows from the largest number of values. A bucket's count is split in
    proportion to the overlap, and each new bucket is rounded up: the sum of a step may grow by the
    number of buckets.
    """
    sensible = [sensible_buckets(histogram.buckets) for histogram in histograms]
    filled = [buckets[:, :2].ravel() for buckets in sensible if buckets[:, 2].any()]
    edges = np.concatenate(filled or [np.zeros(1)])
    low, high = float(edges.min()), float(edges.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    totals = [float(buckets[:, 2].sum()) for buckets in sensible]
    bins = bucket_count(max(totals, default=0))
    if bins * len(histograms) > MAX_BUCKETS:
        raise AnswerTooLarge(f"The histograms have more than {MAX_BUCKETS} buckets.")
    # Quarters, because the range of float64 itself is no float64.
    limits = np.linspace(low / 4, high / 4, bins + 1) * 4
    counts = np.array([split_counts(buckets, limits) for buckets in sensible])
    # Remove rounding errors above whole numbers.
    whole = np.clip(np.ceil(counts.reshape(-1, bins) - 1e-6), 0, 1 << 62).astype(np.int64)
    width = float((high / 2 - low / 2) / bins * 2)
    return AlignedHistograms(step, wall_time, limits[:-1], width, whole)


_NON_FINITE = "histogram_non_finite"


def _histogram(tensor: Tensor, companions: Companions) -> Histogram:
    buckets = tensor.data
    limit = MAX_CLAIMED_BUCKETS if 0 in buckets.strides else MAX_LOGGED_BUCKETS
    if len(buckets) > limit:
        raise DamagedValue(f"A histogram cannot have {len(buckets)} buckets.")
    counts = companions[_NON_FINITE].tolist() if _NON_FINITE in companions else ()
    nan, negative, positive = (*counts, 0, 0, 0)[:3]
    return Histogram(buckets.astype(np.float64), nan, positive, negative)


def _non_finite_counts(histogram: Histogram) -> Int64s:
    negative, positive = histogram.negative_infinity_count, histogram.positive_infinity_count
    return np.array([histogram.nan_count, negative, positive], np.int64)


def _rows(value: object) -> Iterator[tuple[Any, ...]]:
    if not isinstance(value, Histogram):
        raise DamagedValue("The value is not a histogram.")
    yield *value.buckets.T, *(getattr(value, name) for name in NOT_FINITE)


def parity(a: Value, b: Value, tolerance: Tolerance) -> StepParity:
    """Edges and counts of the buckets, then the numbers of values that are not finite."""
    x, y = both(Histogram, a, b)
    found = compare_arrays(x.buckets, y.buckets, tolerance)
    outside = [[getattr(one, name) for name in NOT_FINITE] for one in (x, y)]
    if found.different or outside[0] == outside[1]:
        return found
    texts = ["{} NaN, {} inf, {} -inf".format(*counts) for counts in outside]
    return replace(found, different=True, a=texts[0], b=texts[1], non_finite=True)


PLUGIN = Plugin(
    "histogram",
    "/histogram",
    DataClass.TENSOR,
    view,
    values={"": values},
    tags=tags,
    names=(
        GenericName(
            "histograms",
            DataClass.TENSOR,
            fields=("histogram", "histo"),
            shape=(ANY, 3),
            dtype_kinds="f",
            value_class=Histogram,
            to_tensor=lambda histogram: histogram.buckets,
            from_tensor=_histogram,
            companions=(
                Companion(
                    _NON_FINITE,
                    DataClass.TENSOR,
                    value_class=Histogram,
                    make=_non_finite_counts,
                    logged_in=("mindspore.histogram",),
                ),
            ),
        ),
    ),
    table=ValueTable(
        (
            *(TableColumn(name, Kind.NUMBERS) for name in ("left", "right", "count")),
            *(TableColumn(name, Kind.INTEGER) for name in NOT_FINITE),
        ),
        _rows,
    ),
    parity=parity,
    error_code="5054500F",
)
