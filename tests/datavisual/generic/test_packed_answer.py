"""Packing is lossless."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.generic.data_provider import BlobReference, BlobSequencePoints
from mindviz.datavisual.generic.packed_answer import (
    packed_aggregates,
    packed_blob_sequences,
    packed_scalars,
    packed_tensors,
    unpacked_aggregates,
    unpacked_blob_sequences,
    unpacked_scalars,
    unpacked_tensors,
)
from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints, TensorPoints
from mindviz.errors import DamagedValue

INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
POINTS = st.lists(st.tuples(INT64, st.floats(), st.floats()), max_size=5)
ANSWERS = st.dictionaries(
    st.text(max_size=4),
    st.dictionaries(st.text(max_size=4), POINTS, min_size=1, max_size=3),
    max_size=3,
)
TENSORS: list[Any] = [
    np.zeros((0, 3), np.float32),
    np.array(-1.5),
    np.array([[1, 2], [3, 4]], np.int16),
    np.array([b"", b"\x00\xff", "\N{SNOWMAN}".encode()], object),
    np.array(b"rank 0", object),
    np.array([True, False]),
    np.array([1 + 2j]),
]


def scalars(points: list[tuple[int, float, float]]) -> ScalarPoints:
    return ScalarPoints(
        np.array([step for step, _, _ in points], np.int64),
        np.array([time for _, time, _ in points], np.float64),
        np.array([value for _, _, value in points], np.float64),
    )


@given(answer=ANSWERS)
def test_scalars_round_trip(
    answer: dict[str, dict[str, list[tuple[int, float, float]]]],
) -> None:
    given_ = {job: {tag: scalars(row) for tag, row in tags.items()} for job, tags in answer.items()}
    unpacked = unpacked_scalars(packed_scalars(given_))
    assert list(unpacked) == list(given_)
    for job, tags in given_.items():
        assert list(unpacked[job]) == list(tags)
        for tag, points in tags.items():
            for name in ("step", "wall_time", "value"):
                column = getattr(unpacked[job][tag], name)
                assert column.dtype == getattr(points, name).dtype
                np.testing.assert_array_equal(column, getattr(points, name))


def test_tensors_keep_type_and_shape() -> None:
    count = len(TENSORS)
    points = TensorPoints(np.arange(count), np.arange(count) / 2, tuple(TENSORS))
    answer = {
        "./a": {"t": points, "none": TensorPoints(points.step[:0], points.wall_time[:0], ())},
        "./b": {"t": points},
    }
    unpacked = unpacked_tensors(packed_tensors(answer))
    assert unpacked["./a"]["none"].value == ()
    for columns in (unpacked["./a"]["t"], unpacked["./b"]["t"]):
        assert columns.step.tolist() == list(range(count))
        for before, after in zip(TENSORS, columns.value, strict=True):
            assert (after.dtype, after.shape) == (before.dtype, before.shape)
            assert after.tolist() == before.tolist()


def test_references_keep_their_sequences() -> None:
    references = (
        (BlobReference(key="a"), BlobReference(url="http://x/y")),
        (),
        (BlobReference(key="b"),),
    )
    points = BlobSequencePoints(np.arange(3), np.arange(3.0), references)
    unpacked = unpacked_blob_sequences(packed_blob_sequences({"./": {"i": points}}))
    assert unpacked["./"]["i"].references == references


def test_aggregates_keep_their_numbers() -> None:
    aggregate = ScalarAggregate(1 << 60, -1.5, -3, math.inf, 1 << 62, 0.1, -0.0)
    nothing = ScalarAggregate(1, math.nan, 5, math.nan, 5, math.nan, math.nan)
    unpacked = unpacked_aggregates(packed_aggregates({"./": {"loss": aggregate, "nan": nothing}}))
    assert unpacked["./"]["loss"] == aggregate
    assert str(unpacked["./"]["nan"]) == str(nothing)
    assert unpacked_aggregates(packed_aggregates({})) == {}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"{}", packed_scalars({})[:-30]])
def test_unpackable_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(DamagedValue, match="damaged"):
        unpacked_scalars(content)
