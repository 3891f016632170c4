from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import pytest

from mindviz.datavisual.logs.formats.visualdl import FORMAT, RECORD
from mindviz.datavisual.series.time_series import DataClass, Histogram, Image
from mindviz.errors import DamagedValue
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.encoded_values import visualdl_text
from tests.golden.write_golden import PNG
from tests.log_format_suite import GOLDEN, Key, LogFormatSuite, Point, Row, read
from tests.proto import visualdl_pb2 as proto

NAN_LOG = "real/visualdl/vdlrecords.1700000300.log"


class TestVisualDL(LogFormatSuite):
    log_format = FORMAT
    file_kinds: ClassVar[Mapping[str, str | None]] = {
        "vdlrecords.1700000000.log": "summary",
        "my_vdlrecords": "summary",
        "vdlrecords.1700000000.log.suffix": "summary",
        "vdlgraph.1700000000.log": "graph",
        "model.json": "graph",
        "vdl.log": None,
    }
    golden = (
        "written/visualdl/vdlrecords.1700000000.log",
        "real/visualdl/vdlrecords.1700000000.log",
        "real/visualdl/vdlrecords.1700000200.log",
        NAN_LOG,
    )

    def write(self, points: Sequence[Point]) -> bytes:
        records = [visualdl.scalar(p.wall_time, p.step, p.tag, p.value) for p in points]
        return frames([visualdl.meta(1.7e9), *records], Framing.LENGTH_PREFIXED)

    def read_by_generated_classes(self, payload: bytes) -> Iterable[tuple[Key, Row]]:
        for value in proto.Record.FromString(payload).values:
            which = value.WhichOneof("one_value")
            # Small times are seconds, as in VisualDL's server.
            seconds = value.timestamp / (1 if value.timestamp < 2_000_000_000 else 1000)
            at = (value.id, seconds)
            if which == "value":
                yield ("scalar", value.tag), (*at, value.value)
            elif which == "tag_value":
                tag = value.tag + b"/" + value.tag_value.tag
                yield ("scalar", tag), (*at, value.tag_value.value)
            elif which != "meta_data":
                yield (which, value.tag), (*at, getattr(value, which).SerializeToString())


def test_an_image_has_the_size_of_its_header() -> None:
    content = proto.Record.Image(encoded_image_string=PNG).SerializeToString()
    assert FORMAT.decode("image", b"", content) == Image(3, 2, (PNG,))
    assert FORMAT.image_size is not None
    assert FORMAT.image_size("image", content[:40]) == (3, 2, 1)


def test_a_histogram_is_counts_between_edges() -> None:
    content = proto.Record.Histogram(hist=[4, 3], bin_edges=[-1, 0, 2]).SerializeToString()
    histogram = FORMAT.decode("histogram", b"", content)
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.tolist() == [[-1, 0, 4], [0, 2, 3]]


@pytest.mark.parametrize(
    "content",
    [
        proto.Record.Histogram(hist=[4, 3], bin_edges=[-1, 0]),
        proto.Record.Histogram(hist=[4, 3]),
    ],
    ids=["too few", "none"],
)
def test_a_histogram_without_all_its_edges_is_damaged(content: proto.Record.Histogram) -> None:
    with pytest.raises(DamagedValue):
        FORMAT.decode("histogram", b"", content.SerializeToString())


def test_edges_without_counts_are_an_empty_histogram() -> None:
    content = proto.Record.Histogram(bin_edges=[1, 2, 3]).SerializeToString()
    histogram = FORMAT.decode("histogram", b"", content)
    assert isinstance(histogram, Histogram)
    assert histogram.buckets.shape == (0, 3)


def test_the_display_name_is_in_the_first_record() -> None:
    log = frames([visualdl.meta(1.7e9, "run ä"), visualdl_text(1.7e9, 1, "t", "x" * 9000)],
                 Framing.LENGTH_PREFIXED)  # fmt: skip
    assert FORMAT.display_name(log[:4096]) == "run ä"
    assert FORMAT.display_name(b"") == ""
    assert FORMAT.display_name(b"\xff" * 100) == ""
    assert FORMAT.display_name((GOLDEN / NAN_LOG).read_bytes()) == ""


def test_non_finite_numbers_of_visualdl_are_kept() -> None:
    reading = read(RECORD, (GOLDEN / NAN_LOG).read_bytes(), "python")
    numbers = [str(row[2]) for rows in reading.rows.values() for row in rows]
    assert {"nan", "inf", "-inf"} <= set(numbers)


@pytest.mark.parametrize(
    ("kind", "plugin_name", "data_class"),
    [
        ("scalar", "scalar", DataClass.SCALAR),
        ("image", "image", DataClass.BLOB_SEQUENCE),
        ("audio", "audio", DataClass.BLOB_SEQUENCE),
        ("embeddings", "embedding", DataClass.TENSOR),
        ("histogram", "histogram", DataClass.TENSOR),
        ("pr_curve", "pr_curve", DataClass.TENSOR),
        ("roc_curve", "roc_curve", DataClass.TENSOR),
        ("text", "text", DataClass.TENSOR),
        ("hparam", "hparams", DataClass.TENSOR),
    ],
)
def test_the_kind_determines_the_plugin(kind: str, plugin_name: str, data_class: DataClass) -> None:
    series = FORMAT.classify(kind, "t", b"", "file")
    assert series is not None
    assert (series.plugin_name, series.tag, series.data_class) == (plugin_name, "t", data_class)
