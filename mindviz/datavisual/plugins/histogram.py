"""Histograms: how values are distributed, step by step.

Writers choose buckets anew at each step. `view` shows them as logged; `aligned` puts all steps on
the same buckets, so that they can be compared, by the rules of the REST contract.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.data_transform.columns import Float64s, Int64s
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, Histogram
from mindviz.datavisual.plugins import Plugin, SeriesView
from mindviz.errors import AnswerTooLarge, DamagedValue

MAX_BUCKETS = 2_000_000
"""Of all steps of one answer together."""

MAX_COUNT = 1 << 53
"""Of one bucket: what float64 can count to."""


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


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """Every step's buckets as logged.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = experiment.read_values(train_id, "histogram", tag, writer=writer)
    histograms: list[Histogram | None] = []
    problems: dict[int, str] = {}
    buckets = 0
    for i in range(len(series.step)):
        try:
            histogram = _histogram(series.read(i))
        except DamagedValue as error:
            problems[i] = str(error)
            histograms.append(None)
            continue
        histograms.append(histogram)
        buckets += len(histogram.buckets)
        if buckets > MAX_BUCKETS:
            raise AnswerTooLarge(f"The histograms have more than {MAX_BUCKETS} buckets.")
    return SeriesView(
        step=series.step,
        wall_time=series.wall_time,
        columns={
            "buckets": [h and h.buckets for h in histograms],
            "nan_count": [h and h.nan_count for h in histograms],
            "positive_infinity_count": [h and h.positive_infinity_count for h in histograms],
            "negative_infinity_count": [h and h.negative_infinity_count for h in histograms],
        },
        epoch=series.epoch,
        problems=problems,
    )


def aligned(experiment: Experiment, train_id: str, tag: str) -> AlignedHistograms:
    """Every step on the same buckets; steps whose value is damaged are left out.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = experiment.read_values(train_id, "histogram", tag)
    rows: list[int] = []
    histograms: list[Histogram] = []
    for i in range(len(series.step)):
        try:
            histograms.append(_histogram(series.read(i)))
        except DamagedValue:
            continue
        rows.append(i)
    return align(series.step[rows], series.wall_time[rows], histograms)


def align(step: Int64s, wall_time: Float64s, histograms: Sequence[Histogram]) -> AlignedHistograms:
    """Put histograms on equally wide buckets over the range of all that are not empty.

    The number of buckets follows from the largest number of values. A bucket's count is split in
    proportion to the overlap, and what falls into one new bucket is rounded up: the sum of a step
    may grow by as much as there are buckets.
    """
    sensible = [_sensible(histogram.buckets) for histogram in histograms]
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
    counts = np.array([_split(buckets, limits) for buckets in sensible])
    # What rounding left above a whole number is no part of a value.
    whole = np.clip(np.ceil(counts.reshape(-1, bins) - 1e-6), 0, 1 << 62).astype(np.int64)
    width = float((high / 2 - low / 2) / bins * 2)
    return AlignedHistograms(step, wall_time, limits[:-1], width, whole)


def bucket_count(values: float) -> int:
    """How many buckets the contract shows this many values in."""
    if values <= 0:
        return 1
    for limit, buckets in ((5, 2), (10, 3)):
        if values <= limit:
            return buckets
    return math.ceil(values / 10) + 1 if values <= 280 else 30


def _sensible(buckets: Float64s) -> Float64s:
    """The same with edges that are numbers (others become 0) and counts that can be counted."""
    sensible = np.nan_to_num(buckets, nan=0.0, posinf=0.0, neginf=0.0)
    np.clip(sensible[:, 2], 0, MAX_COUNT, out=sensible[:, 2])
    return sensible


def _split(buckets: Float64s, limits: Float64s) -> Float64s:
    """Shape (k - 1,): the counts of `buckets` (m, 3), shared out between `limits` (k,)."""
    left, right, count = buckets.T
    shared = np.zeros(len(limits) - 1)
    half_width = right / 2 - left / 2
    point = half_width <= 0
    at = np.searchsorted(limits, left[point], side="right") - 1
    np.add.at(shared, np.clip(at, 0, len(shared) - 1), count[point])
    wide = ~point
    if wide.any():
        # The part of each bucket that lies before each limit; differences are what is in between.
        with np.errstate(over="ignore"):
            before = (limits / 2 - left[wide, np.newaxis] / 2) / half_width[wide, np.newaxis]
        shared += count[wide] @ np.diff(np.clip(before, 0.0, 1.0), axis=1)
    return shared


def _histogram(value: object) -> Histogram:
    if not isinstance(value, Histogram):
        raise DamagedValue("The value is not a histogram.")
    return value


PLUGIN = Plugin("histogram", "/histogram", DataClass.TENSOR, view)
