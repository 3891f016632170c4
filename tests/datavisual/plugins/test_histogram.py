from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.bucket_grid import bucket_count
from mindviz.datavisual.analysis.series_parity import EXACT, StepParity
from mindviz.datavisual.plugins import histogram
from mindviz.datavisual.plugins.histogram import (
    align,
    aligned,
    parity,
    tags,
    values,
    view,
)
from mindviz.datavisual.series import series_view
from mindviz.datavisual.series.time_series import Histogram, Tensor
from mindviz.errors import AnswerTooLarge, DamagedValue, TagNotFound, TrainJobNotFound
from tests.store_fake import FakeStore


def of(*buckets: tuple[float, float, float], **counts: int) -> Histogram:
    return Histogram(np.array(buckets, np.float64).reshape(-1, 3), **counts)


def experiment_of(*histograms: object) -> FakeStore:
    store = FakeStore()
    steps = range(0, 10 * len(histograms), 10)
    store.add("./a").add_values("histogram", "weights", steps, histograms)  # type: ignore[arg-type]
    return store


def aligned_of(*histograms: Histogram) -> histogram.AlignedHistograms:
    steps = np.arange(len(histograms))
    return align(steps, steps.astype(np.float64), histograms)


def test_the_view_shows_every_step_as_logged() -> None:
    first, second = of((0, 1, 4), (1, 3, 2)), of((-1, 0, 7), nan_count=2)
    seen = view(experiment_of(first, second), "./a", "weights").whole()
    assert seen.step.tolist() == [0, 10]
    assert seen.columns["buckets"][0] is first.buckets
    assert seen.columns["buckets"][1] is second.buckets
    assert list(seen.columns["nan_count"]) == [0, 2]


def test_a_damaged_step_is_reported_and_the_others_are_shown() -> None:
    seen = view(experiment_of(of((0, 1, 4)), b"not a histogram"), "./a", "weights").whole()
    assert seen.columns["buckets"][1] is None
    assert list(seen.problems) == [1]
    both = aligned(experiment_of(b"not a histogram", of((0, 1, 4))), "./a", "weights")
    assert both.step.tolist() == [10]


def test_all_steps_have_the_same_buckets() -> None:
    result = aligned_of(of((0, 10, 20)), of((10, 20, 20)))
    # 20 values: ceil(20 / 10) + 1 buckets over 0 to 20.
    assert result.left.tolist() == pytest.approx([0, 20 / 3, 40 / 3])
    assert result.width == pytest.approx(20 / 3)
    assert result.count.tolist() == [[14, 7, 0], [0, 7, 14]]


def test_equal_values_have_a_range_around_them() -> None:
    result = aligned_of(of((5, 5, 3)))
    assert (result.left.tolist(), result.width) == ([4.5, 5.0], 0.5)
    assert result.count.tolist() == [[0, 3]]


def test_without_values_there_is_one_empty_bucket() -> None:
    assert aligned_of(of(), of((0, 1, 0))).count.tolist() == [[0], [0]]
    assert aligned_of().count.shape == (0, 1)


def test_non_finite_values_make_no_buckets() -> None:
    buckets = np.array([[0.0, 2.0, 3.0]])
    found = aligned_of(Histogram(buckets, nan_count=100, positive_infinity_count=100))
    assert found.left.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("values", "buckets"),
    [(0, 1), (1, 2), (5, 2), (6, 3), (10, 3), (11, 3), (20, 3), (21, 4), (280, 29), (281, 30)],
)
def test_the_number_of_buckets_follows_from_the_number_of_values(values: int, buckets: int) -> None:
    assert bucket_count(values) == buckets


def test_nonfinite_edges_count_as_zero() -> None:
    result = aligned_of(of((-math.inf, 1, 4), (1, math.nan, 4)))
    assert np.isfinite(result.left).all()
    assert result.count.sum() >= 8


@st.composite
def histograms(draw: st.DrawFn) -> Histogram:
    edges = sorted(draw(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=8)))
    counts = draw(st.lists(st.integers(0, 1000), min_size=len(edges) - 1, max_size=len(edges) - 1))
    return of(*zip(edges[:-1], edges[1:], counts, strict=True))


@given(several=st.lists(histograms(), min_size=1, max_size=4))
def test_no_value_is_lost_and_rounding_adds_less_than_one_per_bucket(
    several: list[Histogram],
) -> None:
    result = aligned_of(*several)
    for one, counts in zip(several, result.count, strict=True):
        total = one.buckets[:, 2].sum()
        assert total - 1e-3 <= counts.sum() <= total + len(counts)


@given(buckets=st.lists(st.tuples(st.floats(), st.floats(), st.floats()), max_size=5))
def test_any_numbers_whatsoever_can_be_aligned(
    buckets: list[tuple[float, float, float]],
) -> None:
    result = aligned_of(of(*buckets))
    assert result.count.shape[0] == 1
    assert (result.count >= 0).all()


def test_too_many_buckets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histogram, "MAX_BUCKETS", 3)
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 17)
    store = experiment_of(of((0, 1, 4), (1, 2, 4)), of((0, 1, 4), (1, 2, 4)))
    assert view(store, "./a", "weights").read(np.array([1])).problems == {}
    with pytest.raises(AnswerTooLarge, match="17 numbers"):
        view(store, "./a", "weights").whole()
    with pytest.raises(AnswerTooLarge, match="3 buckets"):
        aligned(store, "./a", "weights")


def test_unknown_jobs_and_tags_are_not_found() -> None:
    with pytest.raises(TrainJobNotFound):
        view(experiment_of(), "./b", "weights")
    with pytest.raises(TagNotFound):
        aligned(experiment_of(), "./a", "biases")


def tensor_of(*elements: float) -> Tensor:
    return Tensor(np.array(elements), "DT_FLOAT64")


def test_a_tensor_has_a_histogram_too() -> None:
    store = FakeStore()
    job = store.add("./a")
    job.add_values("tensor", "weights", [0, 1], [tensor_of(0, 0, 1, np.nan), tensor_of(np.inf)])
    job.add_values("histogram", "biases", [0], [of((0, 1, 4))])
    assert sorted(tags(store, "./a")) == ["biases", "weights"]
    seen = view(store, "./a", "weights").whole()
    buckets = seen.columns["buckets"][0]
    assert isinstance(buckets, np.ndarray)
    assert buckets[:, 2].sum() == 3
    assert list(seen.columns["nan_count"]) == [1, 0]
    assert list(seen.columns["positive_infinity_count"]) == [0, 1]


def test_counts_of_all_steps_are_on_common_edges() -> None:
    store = experiment_of(of((0, 1, 4)), b"damaged", of((0, 8, 16)))
    seen = values(store, "./a", "weights").whole()
    first, damaged, last = seen.columns["data"]
    edges = seen.details["edges"]
    assert isinstance(first, np.ndarray)
    assert isinstance(last, np.ndarray)
    assert isinstance(edges, np.ndarray)
    assert (first.sum(), damaged, last.sum()) == (4, None, 16)
    assert first[edges[:-1] >= 1].sum() == 0
    assert last[edges[:-1] < 4].sum() == 8
    assert list(seen.problems) == [1]


def test_only_real_numbers_have_histograms() -> None:
    store = FakeStore()
    strings = Tensor(np.array([b"a"], object), "DT_STRING")
    store.add("./a").add_values("tensor", "weights", [0], [strings])
    seen = view(store, "./a", "weights").whole()
    assert (seen.columns["buckets"], seen.columns["nan_count"]) == ([[]], [0])
    assert not seen.problems
    assert len(values(store, "./a", "weights").whole().details["edges"]) == 0  # type: ignore[arg-type]


def test_parity_compares_edges_counts_and_values_that_are_not_finite() -> None:
    one = of((0, 1, 4), (1, 3, 2), nan_count=1)
    assert parity(one, of((0, 1, 4), (1, 3, 2), nan_count=1), EXACT) == StepParity()
    found = parity(one, of((0, 1, 4), (1, 3, 5)), EXACT)
    assert (found.index, found.a, found.b, found.absolute) == ((1, 2), 2.0, 5.0, 3.0)
    found = parity(one, of((0, 1, 4), (1, 3, 2), positive_infinity_count=2), EXACT)
    assert (found.a, found.b) == ("1 NaN, 0 inf, 0 -inf", "0 NaN, 2 inf, 0 -inf")
    assert parity(one, of((0, 1, 4)), EXACT).shapes
    with pytest.raises(DamagedValue):
        parity(one, Tensor(np.zeros(3), "DT_FLOAT64"), EXACT)
