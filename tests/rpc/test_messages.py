from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.generic.data_provider import BlobReference, BlobSequencePoints
from mindviz.datavisual.series.generic_series import (
    ScalarPoints,
    SeriesListing,
    SummaryMetadata,
    TensorPoints,
)
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import AnswerTooLarge
from mindviz.rpc import messages
from mindviz.rpc.messages import (
    blob_sequence_data,
    blob_sequence_metadata,
    response_message,
    scalar_data,
    series_metadata,
    tensor_data,
)
from tests.data_provider_client import tags_of
from tests.proto import data_provider_pb2 as proto

METADATA = SummaryMetadata("images", b"\x10\x01", "shown", "*text*", DataClass.BLOB_SEQUENCE)
STEP, TIME = np.array([1, 300]), np.array([0.5, 1.5])


def test_answers_nest_by_run_and_tag() -> None:
    columns = ScalarPoints(STEP, TIME, np.array([2.0, 3.0]))
    found = {"./": {"": columns}, "./a": {"x": columns, "ü" * 100: columns}, "./none": {}}
    parsed = proto.ReadScalarsResponse.FromString(response_message(found, scalar_data))
    seen = tags_of(parsed)
    assert {run: [*tags] for run, tags in seen.items()} == {
        ".": [""],
        "a": ["x", "ü" * 100],
        "none": [],
    }
    data = seen["a"]["x"]
    assert (list(data.step), list(data.wall_time), list(data.value)) == (
        [1, 300],
        [0.5, 1.5],
        [2.0, 3.0],
    )


def test_a_tag_with_half_a_surrogate_is_replaced_and_not_a_failure() -> None:
    found = {"./": {"a\udc80": ScalarPoints(STEP, TIME, TIME)}}
    parsed = proto.ReadScalarsResponse.FromString(response_message(found, scalar_data))
    assert tags_of(parsed)["."].keys() == {"a?"}


def test_listings_have_all_fields() -> None:
    listing = SeriesListing(DataClass.BLOB_SEQUENCE, -1, 2.5, 3, METADATA)
    blobs = proto.BlobSequenceMetadata.FromString(b"".join(blob_sequence_metadata(listing)))
    scalars = proto.ScalarMetadata.FromString(b"".join(series_metadata(listing)))
    for seen in (blobs, scalars):
        assert (seen.max_step, seen.max_wall_time) == (-1, 2.5)
        summary = seen.summary_metadata
        assert (summary.display_name, summary.summary_description) == ("shown", "*text*")
        assert (summary.plugin_data.plugin_name, summary.plugin_data.content) == (
            "images",
            b"\x10\x01",
        )
        assert summary.data_class == 3
    assert blobs.max_length == 3


def test_the_step_of_an_unsendable_tensor_is_omitted() -> None:
    tensors = (np.zeros(2, np.longdouble), np.ones(2))
    data = proto.TensorData.FromString(b"".join(tensor_data(TensorPoints(STEP, TIME, tensors))))
    assert (list(data.step), list(data.wall_time), len(data.value)) == ([300], [1.5], 1)


def test_a_reference_is_a_key_or_a_url() -> None:
    references = ((BlobReference(key="k"), BlobReference(url="http://x/y")), ())
    columns = BlobSequencePoints(STEP, TIME, references)
    data = proto.BlobSequenceData.FromString(b"".join(blob_sequence_data(columns)))
    assert [
        [(reference.blob_key, reference.url) for reference in one.blob_refs] for one in data.values
    ] == [[("k", ""), ("", "http://x/y")], []]


def test_the_error_about_a_too_large_answer_names_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = ScalarPoints(STEP, TIME, TIME)
    size = len(response_message({"./": {"x": columns}}, scalar_data))
    monkeypatch.setattr(messages, "LARGEST", size)
    assert len(response_message({"./": {"x": columns}}, scalar_data)) == size
    for bound in (size - 1, 1):
        monkeypatch.setattr(messages, "LARGEST", bound)
        with pytest.raises(AnswerTooLarge, match=f"{bound} bytes"):
            response_message({"./": {"x": columns}}, scalar_data)
