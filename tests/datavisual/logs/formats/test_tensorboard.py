from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import numpy as np
import pytest

from mindviz.datavisual.logs.formats import LoggedMetadata, logged_metadata
from mindviz.datavisual.logs.formats.tensorboard import FORMAT
from mindviz.datavisual.series.time_series import (
    DataClass,
    Embedding,
    Histogram,
    Image,
    Tensor,
)
from mindviz.errors import DamagedValue
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.fields import Message
from mindviz.wire.framing import Framing
from tests.encoded_values import histogram_v1
from tests.golden.write_golden import COUNTS, EDGES, PNG
from tests.log_format_suite import Key, LogFormatSuite, Point, Row
from tests.proto import tensorboard_pb2 as proto

RECORD_KINDS = {
    "graph_def": b"__run_graph__",
    "meta_graph_def": b"__meta_graph__",
}


class TestTensorBoard(LogFormatSuite):
    log_format = FORMAT
    file_kinds: ClassVar[Mapping[str, str | None]] = {
        "events.out.tfevents.1795243701.vm": "summary",
        "events.out.tfevents.1584802246.mac.local.64661.157.v2": "summary",
        "tfevents": "summary",
        "events.out.tfevents.1.host.profile-empty": "summary",
        "projector_config.pbtxt": None,
        "events.out": None,
    }
    golden = (
        "written/tensorboard/events.out.tfevents.1700000000.golden.1.0",
        "real/tensorboard/events.out.tfevents.1795243697.vm.6196.0",
        "real/tensorboard/events.out.tfevents.1795243701.vm",
    )

    def write(self, points: Sequence[Point]) -> bytes:
        events = [
            tensorboard.event(p.wall_time, p.step, [tensorboard.scalar(p.tag, p.value)])
            for p in points
        ]
        return frames([tensorboard.version_event(1.7e9), *events], Framing.TFRECORD)

    def read_by_generated_classes(self, payload: bytes) -> Iterable[tuple[Key, Row]]:
        event = proto.Event.FromString(payload)
        what = event.WhichOneof("what") or ""
        if what in RECORD_KINDS:
            content = getattr(event, what)
            content = content if isinstance(content, bytes) else content.SerializeToString()
            yield (what, RECORD_KINDS[what]), (event.step, event.wall_time, content)
        if what == "tagged_run_metadata":
            tagged = event.tagged_run_metadata
            key = (what, tagged.tag.encode())
            yield key, (event.step, event.wall_time, tagged.run_metadata)
        for value in event.summary.value:
            which = value.WhichOneof("value")
            if which is None:
                # Only metadata, as torch writes hyperparameters: an empty tensor.
                yield ("tensor", value.tag), (event.step, event.wall_time, b"")
                continue
            number = value.simple_value if which == "simple_value" else rank_0(value.tensor)
            if number is None:
                content = getattr(value, which).SerializeToString()
                yield (which, value.tag), (event.step, event.wall_time, content)
            else:
                yield ("scalar", value.tag), (event.step, event.wall_time, number)


def rank_0(tensor: proto.TensorProto) -> float | None:
    """The number in a tensor of either dtype of rank 0 in the golden logs."""
    if tensor.tensor_shape.dim or tensor.dtype not in (proto.DT_FLOAT, proto.DT_INT64):
        return None
    if tensor.int64_val:
        return float(tensor.int64_val[0])
    return float(np.frombuffer(tensor.tensor_content, "<f4")[0])


def decode(value: bytes) -> object:
    """Decode a Summary.Value, including its tag."""
    message = Message(value)
    kind, number = next(
        (kind, number)
        for kind, number in (("image", 4), ("histo", 5), ("audio", 6), ("tensor", 8))
        if number in message
    )
    return FORMAT.decode(kind, bytes(message.bytes(9)), bytes(message.bytes(number)))


@pytest.mark.parametrize("write", [tensorboard.histogram, histogram_v1])
def test_both_spellings_of_a_histogram_are_decoded_alike(write: object) -> None:
    histogram = decode(write("h", EDGES, COUNTS))  # type: ignore[operator] # one of the two
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.tolist() == [[-1, 0, 4], [0, 0.5, 0], [0.5, 2, 3]]


def test_empty_buckets_at_the_ends_of_an_old_histogram_are_left_out() -> None:
    content = proto.HistogramProto(
        min=-0.5, max=0.75, bucket_limit=[-1e308, -1, 0, 1, 1e308], bucket=[0, 0, 2, 3, 0]
    )
    histogram = FORMAT.decode("histo", b"", content.SerializeToString())
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.tolist() == [[-0.5, 0, 2], [0, 0.75, 3]]


def test_an_old_histogram_keeps_its_limits_if_its_extremes_are_nan() -> None:
    nan = float("nan")
    content = proto.HistogramProto(min=nan, max=nan, bucket_limit=[0, 1, 2], bucket=[0, 2, 3])
    histogram = FORMAT.decode("histo", b"", content.SerializeToString())
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.tolist() == [[0, 1, 2], [1, 2, 3]]


def test_an_empty_histogram_has_no_buckets() -> None:
    content = proto.HistogramProto(bucket_limit=[1, 2], bucket=[0, 0])
    histogram = FORMAT.decode("histo", b"", content.SerializeToString())
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.shape == (0, 3)


@pytest.mark.parametrize(
    "content",
    [
        tensorboard.tensor("h", np.zeros((2, 4)), plugin_name="histograms"),
        tensorboard.tensor("h", np.zeros(3), plugin_name="histograms"),
        tensorboard.strings_tensor("h", [b"x"] * 3, (1, 3), plugin_name="histograms"),
        tensorboard.strings_tensor("i", [b"3"], (1,), plugin_name="images"),
        tensorboard.strings_tensor("i", [b"3", b"-2", PNG], (3,), plugin_name="images"),
        tensorboard.strings_tensor("i", [b"3", b"9" * 5000, PNG], (3,), plugin_name="images"),
        tensorboard.tensor("i", np.zeros(3), plugin_name="images"),
        tensorboard.image_v1("i", b"not an image", 0, 0),
    ],
    ids=[
        "four columns",
        "one dimension",
        "strings for numbers",
        "no height",
        "negative height",
        "enormous height",
        "numbers for strings",
        "no image",
    ],
)
def test_a_wrong_shape_is_damaged(content: bytes) -> None:
    with pytest.raises(DamagedValue):
        decode(content)


@pytest.mark.parametrize(("plugin_name", "element"), [("images", b"7"), ("histograms", 1.0)])
def test_a_shape_that_claims_too_much_is_damaged(plugin_name: str, element: object) -> None:
    message = proto.TensorProto()
    for size in (2**50, 3):
        message.tensor_shape.dim.add(size=size)
    if isinstance(element, bytes):
        message.dtype = proto.DT_STRING
        message.string_val.append(element)
    else:
        message.dtype = proto.DT_FLOAT
        message.float_val.append(1.0)
    with pytest.raises(DamagedValue):
        FORMAT.decode("tensor", metadata_for(plugin_name), message.SerializeToString())


def test_images_in_both_spellings() -> None:
    assert decode(tensorboard.image_v1("i", PNG, 3, 2)) == Image(3, 2, (PNG,))
    assert decode(tensorboard.image("i", [PNG, PNG], 3, 2)) == Image(3, 2, (PNG, PNG))


def test_the_size_of_an_image_is_in_its_first_bytes() -> None:
    large = PNG + bytes(100_000)
    spellings = (
        ("image", 4, tensorboard.image_v1("i", large, 3, 2), 1),
        ("tensor", 8, tensorboard.image("i", [large], 3, 2), 1),
        ("tensor", 8, tensorboard.image("i", [large, large], 3, 2), 2),
    )
    assert FORMAT.image_size is not None
    for kind, number, value, samples in spellings:
        head = bytes(Message(value).bytes(number)[:4096])
        assert FORMAT.image_size(kind, head) == (3, 2, samples)


def test_a_tensor_of_an_unknown_plugin_is_decoded() -> None:
    tensor = decode(tensorboard.tensor("t", np.arange(6.0).reshape(2, 3), plugin_name="mine"))
    assert isinstance(tensor, Tensor)
    assert tensor.data.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tensor.dtype_name == "DT_FLOAT64"


def metadata_for(plugin_name: str, data_class: proto.DataClass = proto.DATA_CLASS_UNKNOWN) -> bytes:
    data = proto.SummaryMetadata.PluginData(plugin_name=plugin_name)
    return proto.SummaryMetadata(plugin_data=data, data_class=data_class).SerializeToString()


@pytest.mark.parametrize(
    ("kind", "logged_for", "plugin_name", "data_class"),
    [
        ("scalar", "", "scalar", DataClass.SCALAR),
        ("scalar", "scalars", "scalar", DataClass.SCALAR),
        ("image", "", "image", DataClass.BLOB_SEQUENCE),
        ("histo", "", "histogram", DataClass.TENSOR),
        ("audio", "", "audio", DataClass.BLOB_SEQUENCE),
        ("graph_def", "", "graph", DataClass.BLOB_SEQUENCE),
        ("tensor", "images", "image", DataClass.BLOB_SEQUENCE),
        ("tensor", "histograms", "histogram", DataClass.TENSOR),
        ("tensor", "text", "text", DataClass.TENSOR),
        ("tensor", "pr_curves", "pr_curve", DataClass.TENSOR),
        ("tensor", "mesh", "mesh", DataClass.TENSOR),
        ("tensor", "hparams", "hparams", DataClass.TENSOR),
        ("tensor", "custom_scalars", "custom_scalars", DataClass.TENSOR),
        ("tensor", "graph_keras_model", "graph", DataClass.BLOB_SEQUENCE),
        ("tensor", "scalars", "tensor", DataClass.TENSOR),
        ("tensor", "", "tensor", DataClass.TENSOR),
        ("tensor", "of somebody else", "tensor", DataClass.TENSOR),
    ],
)
def test_kind_and_metadata_determine_the_plugin(
    kind: str, logged_for: str, plugin_name: str, data_class: DataClass
) -> None:
    series = FORMAT.classify(kind, "a/b", metadata_for(logged_for), "file")
    assert series is not None
    assert (series.plugin_name, series.tag, series.data_class) == (plugin_name, "a/b", data_class)


def test_blobs_of_an_unknown_plugin_wait_under_its_name() -> None:
    metadata = metadata_for("video", proto.DATA_CLASS_BLOB_SEQUENCE)
    series = FORMAT.classify("tensor", "a", metadata, "file")
    assert series is not None
    assert (series.plugin_name, series.data_class) == ("video", DataClass.BLOB_SEQUENCE)


def test_damaged_metadata_is_no_metadata() -> None:
    for metadata in (b"\x0a\xff", b"\x0a\x02\xff\xff", b""):
        assert logged_metadata(metadata) == LoggedMetadata()


def embedding(strings: list[bytes]) -> Embedding:
    value = proto.Summary.Value.FromString(
        tensorboard.strings_tensor("e", strings, (len(strings),), plugin_name="embedding")
    )
    found = FORMAT.decode(
        "tensor", value.metadata.SerializeToString(), value.tensor.SerializeToString()
    )
    assert isinstance(found, Embedding)
    return found


def test_an_embedding_has_vectors_and_labels() -> None:
    facts = b'{"dims": [2, 3], "header": ["word", "count"]}'
    vectors = np.arange(6, dtype="<f4").tobytes()
    found = embedding([facts, vectors, b"a", b"1", b"b", b"2"])
    assert found.vectors.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (found.labels, found.header) == ((("a", "1"), ("b", "2")), ("word", "count"))
    assert embedding([facts, vectors]).labels == ()


@pytest.mark.parametrize(
    "strings",
    [
        [],
        [b"{}", b""],
        [b"no JSON", b""],
        [b'{"dims": [2, 3], "header": []}', b"\0\0\0\0"],
        [b'{"dims": [1], "header": []}', b"\0\0\0\0"],
        [b'{"dims": [2, 1], "header": []}', bytes(8), b"only one label"],
        [b'{"dims": null, "header": 5}', bytes(8)],
    ],
    ids=itertools.count(),
)
def test_an_embedding_that_does_not_fit_together_is_damaged(strings: list[bytes]) -> None:
    with pytest.raises(DamagedValue, match="embedding"):
        embedding(strings)


def test_a_log_begins_at_the_time_of_its_first_record() -> None:
    log = frames([tensorboard.version_event(5.5), tensorboard.event(7.0, 0, [])], Framing.TFRECORD)
    assert FORMAT.begun is not None
    assert FORMAT.begun(log) == 5.5
    damaged = log[:14] + bytes([log[14] ^ 1]) + log[15:]
    timeless = frames([tensorboard.version_event(float("nan"))], Framing.TFRECORD)
    for head in (b"", log[:20], damaged, timeless, b"\xff" * 100, frames([b"x"], Framing.TFRECORD)):
        assert FORMAT.begun(head) is None


def test_a_histogram_of_one_number_may_not_claim_many_buckets() -> None:
    value = proto.TensorProto(dtype=proto.DT_DOUBLE, double_val=[1])
    for size in (1_001, 3):
        value.tensor_shape.dim.add(size=size)
    metadata = proto.SummaryMetadata()
    metadata.plugin_data.plugin_name = "histograms"
    with pytest.raises(DamagedValue):
        FORMAT.decode("tensor", metadata.SerializeToString(), value.SerializeToString())
