from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import numpy as np
import pytest

from mindviz.datavisual.logs.formats.mindspore import EVENT, FORMAT, holds_graph
from mindviz.datavisual.series.time_series import DataClass, Histogram, Image, Tensor
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire.encode import frames
from mindviz.wire.fields import Message
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.golden.write_golden import PNG
from tests.log_format_suite import (
    GOLDEN,
    Key,
    LogFormatSuite,
    Point,
    Row,
    payloads,
    read,
    scanners,
)

LINEAGE_LOGS = (
    "written/mindspore/events.out.events.summary.1700000000.0.golden_lineage",
    "real/mindspore/events.out.events.summary.1795243738.0.vm_lineage",
)


class TestMindSpore(LogFormatSuite):
    log_format = FORMAT
    file_kinds: ClassVar[Mapping[str, str | None]] = {
        "events.out.events.summary.1795243738.0.vm_MS": "summary",
        "events.out.events.summary.1590000000.vm_MS": "summary",
        "x.summary.123.bak": "summary",
        "events.out.events.summary.1795243738.0.vm_lineage": "lineage",
        "events.out.events.summary.1795243738.0.vm_explain": None,
        "ms_output_optimize.pb": "graph",
        "lenet.pb": "graph",
        "memory_usage_3.pb": None,
        "summary.txt": None,
        "summary.json": None,
        "lenet.pbtxt": None,
    }
    golden = (
        "written/mindspore/events.out.events.summary.1700000000.0.golden_MS",
        "real/mindspore/events.out.events.summary.1795243738.0.vm_MS",
        "real/mindspore/events.out.events.summary.1795243749.0.vm_MS",
    )

    def write(self, points: Sequence[Point]) -> bytes:
        events = [
            mindspore.event(p.wall_time, p.step, [mindspore.scalar(p.tag, p.value)]) for p in points
        ]
        return frames([mindspore.version_event(1.7e9), *events], Framing.TFRECORD)

    def read_by_generated_classes(self, payload: bytes) -> Iterable[tuple[Key, Row]]:
        event = proto.Event.FromString(payload)
        if event.WhichOneof("what") == "graph_def":
            content = event.graph_def.SerializeToString()
            yield ("graph", b"graph"), (event.step, event.wall_time, content)
        for value in event.summary.value:
            which = value.WhichOneof("value")
            if which == "scalar_value":
                yield ("scalar", value.tag), (event.step, event.wall_time, value.scalar_value)
            else:
                content = getattr(value, which).SerializeToString()
                yield (which, value.tag), (event.step, event.wall_time, content)


def decode(kind: str, value: bytes) -> object:
    """Decode a Summary.Value, including its tag."""
    numbers = {"image": 4, "tensor": 8, "histogram": 9}
    return FORMAT.decode(kind, b"", bytes(Message(value).bytes(numbers[kind])))


def test_an_image_is_decoded() -> None:
    image = decode("image", mindspore.image("input", PNG, 3, 2))
    assert image == Image(3, 2, (PNG,))


def test_an_image_without_a_size_has_that_of_its_header() -> None:
    assert decode("image", mindspore.image("input", PNG, 0, 0)) == Image(3, 2, (PNG,))


def test_a_histogram_is_decoded_to_edges_and_counts() -> None:
    value = mindspore.histogram(
        "h", [-1, 0, 0.5], [4, 3], nan_count=1, positive_infinity_count=2, negative_infinity_count=3
    )
    histogram = decode("histogram", value)
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.tolist() == [[-1, 0, 4], [0, 0.5, 3]]
    assert histogram.nan_count == 1
    assert histogram.positive_infinity_count == 2
    assert histogram.negative_infinity_count == 3


def test_mindspore_values_are_known() -> None:
    path = "real/mindspore/events.out.events.summary.1795243749.0.vm_MS"
    reading = read(EVENT, (GOLDEN / path).read_bytes(), "python")
    losses = [row[2] for row in reading.rows["scalar", b"loss"]]
    assert losses == np.exp([0, -0.1, -0.2]).astype(np.float32).tolist()
    tensor = FORMAT.decode("tensor", b"", bytes_of(reading.rows["tensor", b"w"][0]))
    assert isinstance(tensor, Tensor)
    assert (tensor.data.shape, tensor.dtype_name) == ((4, 5, 6), "DT_FLOAT32")
    image = FORMAT.decode("image", b"", bytes_of(reading.rows["image", b"img"][0]))
    assert isinstance(image, Image)
    assert image.encoded[0].startswith(b"\x89PNG")
    histogram = FORMAT.decode("histogram", b"", bytes_of(reading.rows["histogram", b"h"][0]))
    assert isinstance(histogram, Histogram)
    assert (np.diff(histogram.buckets[:, 0]) > 0).all()


@pytest.mark.parametrize("path", LINEAGE_LOGS)
def test_lineage_files_are_indexed_fact_by_fact(path: str) -> None:
    log = (GOLDEN / path).read_bytes()
    kind = FORMAT.file_kind(path.rpartition("/")[2])
    assert kind is not None
    assert kind.schema is not None
    expected: dict[Key, list[Row]] = {}
    for payload in payloads(log, Framing.TFRECORD):
        event = proto.LineageEvent.FromString(payload)
        what = event.WhichOneof("what")
        content = getattr(event, what).SerializeToString(deterministic=True)
        expected.setdefault((what, what.encode()), []).append((0, event.wall_time, content))
    for scanner in scanners():
        assert read(kind.schema, log, scanner).rows == expected
    assert ("train_lineage", b"train_lineage") in expected


def bytes_of(row: Row) -> bytes:
    assert isinstance(row[2], bytes)
    return row[2]


@pytest.mark.parametrize(
    ("kind", "plugin_name", "data_class"),
    [
        ("scalar", "scalar", DataClass.SCALAR),
        ("image", "image", DataClass.BLOB_SEQUENCE),
        ("tensor", "tensor", DataClass.TENSOR),
        ("histogram", "histogram", DataClass.TENSOR),
        ("loss_landscape", "loss_landscape", DataClass.BLOB_SEQUENCE),
    ],
)
def test_the_kind_determines_the_plugin(kind: str, plugin_name: str, data_class: DataClass) -> None:
    series = FORMAT.classify(kind, "loss", b"", "file")
    assert series is not None
    assert (series.plugin_name, series.tag, series.data_class) == (plugin_name, "loss", data_class)


def test_a_graph_is_named_after_its_file() -> None:
    series = FORMAT.classify("graph", "graph", b"", "events.summary.1_MS")
    assert series is not None
    assert series.tag == "events.summary.1_MS"


def test_lineage_is_no_series() -> None:
    assert FORMAT.classify("train_lineage", "train_lineage", b"", "file") is None


def test_the_time_in_a_name_is_unix_seconds_unless_it_cannot_be() -> None:
    assert FORMAT.creation_time("events.summary.1795243738.0.vm_MS") == 1795243738.0
    assert FORMAT.creation_time("events.summary." + "9" * 40) is None
    assert FORMAT.creation_time("ms_output.pb") is None


MODEL = proto.ModelProto(ir_version=1, domain="net", graph=proto.GraphProto(name="g"))
MODEL.graph.node.add(name="1", op_type="Conv2D")


@pytest.mark.parametrize("size", [None, 60, 30])
def test_a_model_with_nodes_is_recognized_by_its_head(size: int | None) -> None:
    model = proto.ModelProto()
    model.CopyFrom(MODEL)
    model.graph.node.add(name="2" * 100)
    assert holds_graph(model.SerializeToString()[:size])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 100,
        b"some text, by accident called .pb\n",
        proto.ModelProto(ir_version=1).SerializeToString(),
        proto.ModelProto(ir_version=1, graph=proto.GraphProto(name="empty")).SerializeToString(),
        # saved_model.pb: saved_model_schema_version 1, meta_graphs {meta_info_def ...}
        bytes.fromhex("080112080a0622044e6f4f70"),
        # A frozen GraphDef: node {name: "x", op: "Const"}
        bytes.fromhex("0a0a0a01781205436f6e7374"),
    ],
    ids=["empty", "zeros", "text", "no graph", "no nodes", "saved_model", "GraphDef"],
)
def test_other_protobufs_are_no_graph(content: bytes) -> None:
    assert not holds_graph(content)


def test_any_pb_file_needs_a_content_check() -> None:
    named, unnamed = FORMAT.file_kind("ms_output_1.pb"), FORMAT.file_kind("lenet.pb")
    assert named is not None
    assert named.is_wanted is None
    assert unnamed is not None
    assert unnamed.is_wanted is holds_graph
