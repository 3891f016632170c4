"""Answers become long tables with one order of rows, however they were split."""

from __future__ import annotations

import numpy as np

from mindviz.client.frame import arrays
from mindviz.client.point_columns import (
    blob_columns,
    image_columns,
    listing_columns,
    scalar_columns,
    tensor_columns,
)
from mindviz.datavisual.generic.data_provider import BlobReference, BlobSequencePoints
from mindviz.datavisual.series.generic_series import (
    ScalarPoints,
    SeriesListing,
    SummaryMetadata,
    TensorPoints,
)
from mindviz.datavisual.series.time_series import DataClass
from tests.provider_logs import PNG


def scalars(*steps: int) -> ScalarPoints:
    step = np.array(steps, np.int64)
    times = np.array([step / 2 for step in steps], np.float64)
    return ScalarPoints(step, times, times * 20)


def test_rows_are_sorted_by_train_job_and_tag() -> None:
    answer = {"./b": {"y": scalars(1), "x": scalars(2, 3)}, "./a": {"y": scalars(4)}}
    table = arrays(scalar_columns(answer))
    assert table["train_id"].tolist() == ["./a", "./b", "./b", "./b"]
    assert table["tag"].tolist() == ["y", "x", "x", "y"]
    assert table["step"].tolist() == [4, 2, 3, 1]
    assert table["wall_time"].tolist() == [2.0, 1.0, 1.5, 0.5]
    assert table["value"].tolist() == [40.0, 20.0, 30.0, 10.0]


def test_a_series_without_points_names_nothing() -> None:
    columns = scalar_columns({"./a": {"x": scalars()}, "./b": {"y": scalars(1)}})
    assert columns["train_id"].names == ("./b",)  # type: ignore[union-attr]
    nothing = arrays(scalar_columns({}))
    assert list(nothing) == ["train_id", "tag", "step", "wall_time", "value"]
    assert {len(column) for column in nothing.values()} == {0}


def test_tensors_of_one_shape_are_cells() -> None:
    series = TensorPoints(np.arange(2), np.arange(2.0), (np.zeros((2, 2)), np.ones((2, 2))))
    value = tensor_columns({"./": {"t": series}})["value"]
    assert isinstance(value, np.ndarray)
    assert value.shape == (2,)
    assert value[1].tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_step_has_a_row_per_blob() -> None:
    keys = [["a", "b"], [], ["c"]]
    references = tuple(tuple(BlobReference(key=key) for key in some) for some in keys)
    series = BlobSequencePoints(np.array([5, 6, 7]), np.arange(3.0), references)
    blobs = {"a": PNG, "b": b"no image", "c": None}
    answer = {"./": {"i": series}}
    table = arrays(blob_columns(answer, lambda blob: blobs[blob.key]))
    assert table["step"].tolist() == [5, 5, 7]
    assert table["index"].tolist() == [0, 1, 0]
    assert table["data"].tolist() == [PNG, b"no image", None]
    images = arrays(image_columns(answer, lambda blob: blobs[blob.key]))
    assert images["width"].tolist() == [2, 0, 0]
    assert images["height"].tolist() == [1, 0, 0]


def test_listings_are_sorted_too() -> None:
    def listing(step: int) -> SeriesListing:
        metadata = SummaryMetadata("p", description="*d*")
        return SeriesListing(DataClass.SCALAR, step, 0.5, 0, metadata)

    table = arrays(
        listing_columns({"q": {"./b": {"x": listing(1)}}, "p": {"./b": {"y": listing(2)}}})
    )
    assert table["plugin_name"].tolist() == ["p", "q"]
    assert table["max_step"].tolist() == [2, 1]
    assert table["description"].tolist() == ["*d*", "*d*"]
