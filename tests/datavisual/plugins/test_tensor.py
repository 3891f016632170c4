from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.time_series import Tensor, Value
from mindviz.datavisual.plugins import tensor
from mindviz.datavisual.plugins.tensor import (
    distribution,
    parse_dims,
    read_slice,
    statistics,
    view,
    view_histograms,
    view_statistics,
)
from mindviz.errors import (
    AnswerTooLarge,
    InvalidQuery,
    StepNotFound,
    TagNotFound,
    TensorTooLarge,
)
from tests.experiment_fake import FakeExperiment

CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture
def experiment() -> FakeExperiment:
    experiment = FakeExperiment()
    values: list[Value] = [
        Tensor(CUBE, "DT_FLOAT32"),
        b"noise",
        Tensor(np.array([True, False]), "DT_BOOL"),
    ]
    experiment.add("./a").add_values("tensor", "t", [0, 10, 20], values)
    return experiment


# -------------------------------------------------------------------------------- views


def test_the_view_gives_shape_and_type_of_every_step(experiment: FakeExperiment) -> None:
    seen = view(experiment, "./a", "t").whole()
    assert seen.step.tolist() == [0, 10, 20]
    assert list(seen.columns["dims"]) == [[2, 3, 4], None, [2]]
    assert list(seen.columns["data_type"]) == ["DT_FLOAT32", None, "DT_BOOL"]
    assert list(seen.problems) == [1]


def test_statistics_stand_beside_shape_and_type(experiment: FakeExperiment) -> None:
    facts = view_statistics(experiment, "./a", "t").columns["statistics"]
    assert facts[0] == statistics(CUBE, CUBE)
    assert facts[1] is None
    assert facts[2] == {"overall_count": 2, "overall_true_count": 1, "overall_false_count": 1}


def test_histograms_of_all_steps_have_the_same_buckets(experiment: FakeExperiment) -> None:
    listed, histograms = view_histograms(experiment, "./a", "t")
    assert len(histograms.step) == len(listed.step) == 3
    # 24 values: ceil(24 / 10) + 1 buckets.
    assert histograms.count.shape == (3, 4)
    assert histograms.count[0].tolist() == [6, 6, 6, 6]
    assert histograms.count[1].tolist() == [0, 0, 0, 0]


def test_a_large_tensor_is_listed_but_not_looked_into(
    experiment: FakeExperiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensor, "MAX_ELEMENTS", 23)
    assert view(experiment, "./a", "t").whole().columns["dims"][0] == [2, 3, 4]
    facts = view_statistics(experiment, "./a", "t").columns["statistics"]
    assert facts[0] is None
    assert facts[2] is not None
    with pytest.raises(TensorTooLarge):
        view_histograms(experiment, "./a", "t")
    with pytest.raises(TensorTooLarge):
        read_slice(experiment, "./a", "t", 0, "[0,0,0]")


# -------------------------------------------------------------------------------- slices


def test_a_slice_has_its_own_statistics_and_those_of_the_whole(experiment: FakeExperiment) -> None:
    part = read_slice(experiment, "./a", "t", 0, "[1, :, -1]")
    assert part.data.tolist() == [15, 19, 23]
    assert (part.dims, part.data_type) == ((2, 3, 4), "DT_FLOAT32")
    assert part.statistics is not None
    assert (part.statistics["min"], part.statistics["overall_min"]) == (15, 0)


def test_a_number_is_the_slice_of_a_scalar(experiment: FakeExperiment) -> None:
    scalar = Tensor(np.array(2.5), "DT_FLOAT64")
    experiment.jobs["./a"].add_values("tensor", "scalar", [0], [scalar])
    part = read_slice(experiment, "./a", "scalar", 0, "[]")
    assert part.data.tolist() == 2.5
    assert read_slice(experiment, "./a", "t", 0, "[0,0,0]").data.tolist() == 0


def test_a_slice_may_not_be_too_large(
    experiment: FakeExperiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensor, "MAX_SLICE_ELEMENTS", 7)
    with pytest.raises(AnswerTooLarge, match="8"):
        read_slice(experiment, "./a", "t", 0, "[:, 0, :]")
    assert read_slice(experiment, "./a", "t", 0, "[:, :, 0]").data.shape == (2, 3)


@pytest.mark.parametrize("step", [5, 21, -1])
def test_a_step_that_is_not_there_is_not_found(experiment: FakeExperiment, step: int) -> None:
    with pytest.raises(StepNotFound):
        read_slice(experiment, "./a", "t", step, "[0,0,0]")


def test_an_unknown_tag_is_not_found(experiment: FakeExperiment) -> None:
    with pytest.raises(TagNotFound):
        view(experiment, "./a", "u")


@pytest.mark.parametrize(
    ("dims", "expected"),
    [
        ("[0,1,2]", (0, 1, 2)),
        (" [ -1 , : , 3 ] ", (-1, slice(None, None), 3)),
        ("[0:1, 1:, 2]", (slice(0, 1), slice(1, None), 2)),
        ("[0, ::2, -4:-1]", (0, slice(None, None, 2), slice(-4, -1))),
        ("[0, :, 5:900]", (0, slice(None, None), slice(5, 900))),
        ("[0, ::-1, 0]", (0, slice(None, None, -1), 0)),
    ],
)
def test_dims_are_read_as_in_python(dims: str, expected: object) -> None:
    assert parse_dims(dims, CUBE.shape) == expected


@pytest.mark.parametrize(
    "dims",
    [
        "",
        "0,0,0",
        "[0,0]",
        "[0,0,0,0]",
        "[]",
        "[:,:,:]",
        "[2,0,0]",
        "[-3,0,0]",
        "[0,0,a]",
        "[0,0,]",
        "[0,0,1:2:3:4]",
        "[0,0,::0]",
        "[0,0,1.0]",
        "[[0],0,0]",
        "[0,0," + "9" * 6000 + "]",
        "[0,0,\0]",
    ],
)
def test_dims_that_make_no_sense_are_refused(dims: str) -> None:
    with pytest.raises(InvalidQuery):
        parse_dims(dims, CUBE.shape)


@given(dims=st.text("[]:,-0123456789 ", max_size=12), size=st.integers(0, 3))
def test_dims_are_an_index_that_fits_or_refused(dims: str, size: int) -> None:
    array = np.zeros((size, 3))
    try:
        index = parse_dims(dims, array.shape)
    except InvalidQuery:
        return
    assert array[index].ndim == sum(isinstance(item, slice) for item in index)


# -------------------------------------------------------------------------------- statistics


def test_statistics_leave_out_what_is_not_finite() -> None:
    array = np.array([1.0, -2.0, 0.0, math.nan, math.inf, -math.inf, math.inf])
    assert statistics(array[:1], array) == {
        "max": 1.0,
        "min": 1.0,
        "avg": 1.0,
        "count": 1,
        "nan_count": 0,
        "neg_inf_count": 0,
        "pos_inf_count": 0,
        "overall_max": 1.0,
        "overall_min": -2.0,
        "overall_avg": pytest.approx(-1 / 3),
        "overall_count": 7,
        "overall_nan_count": 1,
        "overall_neg_inf_count": 1,
        "overall_pos_inf_count": 2,
        "overall_zero_count": 1,
        "overall_neg_zero_count": 1,
        "overall_pos_zero_count": 1,
    }


@pytest.mark.parametrize("array", [np.array([math.nan]), np.array([], np.int32)], ids=str)
def test_nothing_finite_has_no_extremes(array: NDArray[np.generic]) -> None:
    facts = statistics(array, array)
    assert facts is not None
    assert (facts["max"], facts["min"], facts["avg"]) == (None, None, None)


@pytest.mark.parametrize(
    "array", [np.array([b"a"], object), np.array([1j])], ids=["strings", "complex"]
)
def test_what_has_no_order_has_no_statistics(array: NDArray[np.generic]) -> None:
    assert statistics(array, array) is None
    assert distribution(array).buckets.shape == (0, 3)


NUMBERS = st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u1", "u8"])


@given(array=NUMBERS.flatmap(lambda dtype: hnp.arrays(dtype, st.integers(0, 30))))
def test_a_distribution_counts_every_element_once(array: NDArray[np.generic]) -> None:
    histogram = distribution(array)
    counted = histogram.nan_count
    counted += histogram.positive_infinity_count + histogram.negative_infinity_count
    assert counted == np.count_nonzero(~np.isfinite(array))
    assert histogram.buckets[:, 2].sum() + counted == array.size
    assert (np.diff(histogram.buckets[:, 0]) >= 0).all()
    facts = statistics(array, array)
    assert facts is not None
    assert facts["count"] == array.size


def test_values_fall_into_the_bucket_they_lie_in() -> None:
    finite = [0.0, 0.1, 0.9, 1.0, 2.0, 3.0]
    buckets = distribution(np.array([*finite, *[np.nan] * 9])).buckets
    assert buckets.tolist() == [[0, 1, 3], [1, 2, 1], [2, 3, 2]]
